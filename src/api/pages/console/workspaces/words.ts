import type { Role } from '../../../../contract/index.ts';
import { formatCount, formatDay, formatMoment } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import type { Scope } from './workspace-visit.ts';

/** Each role in words: what it is called, and what it lets a member do. */
export const ROLES: Readonly<Record<Role, { readonly name: string; readonly may: string }>> = {
  owner: { name: 'Owner', may: 'manages members, pays for forecasts, and can do everything else' },
  editor: {
    name: 'Editor',
    may: 'uploads files, and makes and changes forecasts for the workspace, which the owner pays',
  },
  viewer: {
    name: 'Viewer',
    may: 'reads, but changes nothing here; forecasts of files that it can read are its own, on its own credits',
  },
};

type Part = Scope['csv'];

/** Returns a resource scope in words. @example All files, 2 forecasts */
export function describeScope({ csv, forecasts }: Scope): string {
  if (csv.mode === 'all' && forecasts.mode === 'all') return 'All files and forecasts';
  if (csv.mode === 'none' && forecasts.mode === 'none') return 'No files and no forecasts';
  const text = `${describePart(csv, 'file')}, ${describePart(forecasts, 'forecast')}`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function describePart({ mode, ids }: Part, noun: string): string {
  if (mode === 'all') return `all ${noun}s`;
  return mode === 'none' || ids.length === 0 ? `no ${noun}s` : formatCount(ids.length, noun);
}

/** Renders a day whose exact time matters little. */
export function renderDay(moment: string): Html {
  return html`<time datetime="${moment}">${formatDay(new Date(moment))}</time>`;
}

/** Renders a time, to which the script adds the zone of the reader. */
export function renderMoment(moment: string): Html {
  return html`<time datetime="${moment}" data-local>${formatMoment(new Date(moment))}</time>`;
}

/** Joins parts of a sentence. @example joinWords(['a', 'b', 'c']) // a, b and c */
export function joinWords(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
