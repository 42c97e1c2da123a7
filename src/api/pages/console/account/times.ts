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

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** Formats a number of bytes in decimal units. @example formatBytes(1_500_000) // 1.5 MB */
export function formatBytes(bytes: number): string {
  const power = bytes < 1_000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1_000 ** power;
  const shown = power === 0 || value >= 100 ? Math.round(value) : Number(value.toPrecision(3));
  return `${shown} ${bytes === 1 ? 'byte' : UNITS[power]}`;
}
