import { formatDay, formatMoment } from '../../format.ts';
import { type Html, html } from '../../html.ts';

// What the pages of administrators share: their addresses, and how they write times and sizes.

export const ADMIN_PATH = '/admin';
export const ACCOUNTS_PATH = '/admin/users';
export const LEDGER_PATH = '/admin/ledger';

const VIEWS = {
  service: [ADMIN_PATH, 'Service'],
  accounts: [ACCOUNTS_PATH, 'Accounts'],
  ledger: [LEDGER_PATH, 'Ledger'],
} as const;

/** Renders the heading of a page, its sentence and the links to the other views. */
export function renderAdminHead(view: keyof typeof VIEWS, title: string, lead: string | Html): Html {
  return html`<div class="page-head"><div><p class="eyebrow">Administration</p>
<h1>${title}</h1>
<p class="soft">${lead}</p></div></div>
<nav class="tabs" aria-label="Views of the administration"><ul>${Object.entries(VIEWS).map(
    ([id, [href, label]]) => html`<li><a href="${href}"${id === view && html` aria-current="page"`}>${label}</a></li>`,
  )}</ul></nav>`;
}

/** Renders an instant. The script adds the zone of the reader. */
export function renderTime(instant: string | null, missing = 'never'): Html {
  if (instant === null) return html`<span class="soft">${missing}</span>`;
  return html`<time datetime="${instant}" data-local>${formatMoment(new Date(instant))}</time>`;
}

/** Renders the day of an instant, for lists in which the time of the day does not matter. */
export function renderDay(instant: string | null, missing = 'never'): Html {
  if (instant === null) return html`<span class="soft">${missing}</span>`;
  return html`<time datetime="${instant}">${formatDay(new Date(instant))}</time>`;
}

/** @example formatDuration(4_000) // 1 h 6 min */
export function formatDuration(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} days`;
}
