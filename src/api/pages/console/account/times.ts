import { formatMoment } from '../../format.ts';
import { type Html, html } from '../../html.ts';

/** Renders an instant in UTC, to which the script adds the zone of the reader. */
export function renderTime(at: string): Html {
  return html`<time datetime="${at}" data-local>${formatMoment(new Date(at))}</time>`;
}

/** Renders when something was last used. */
export function renderLastUsed(at: string | null, verb = 'used'): Html {
  return at === null ? html`not ${verb} yet` : html`last ${verb} ${renderTime(at)}`;
}
