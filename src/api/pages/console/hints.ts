import { invalidChoice } from '../../faults.ts';
import { hidden, readField } from '../forms.ts';
import { type Html, html } from '../html.ts';
import { ownAddress, SeeOther } from '../visit.ts';
import type { ConsoleRoute, ConsoleVisit } from './visit.ts';

/** The hints of all pages. A browser stores the names of those that it no longer shows, so a name is never used again. */
const HINTS = [
  'search',
  'series',
  'new',
  'forecast',
  'forecasts',
  'track-record',
  'questions',
  'question',
  'question-new',
  'question-thresholds',
  'scoreboard',
  'screener',
  'screener-filter',
  'screener-preview',
  'workspaces',
  'workspace',
  'workspace-invite',
  'files',
  'file-preview',
  'account',
  'account-keys',
  'account-feeds',
  'admin',
] as const;

export type Hint = (typeof HINTS)[number];

/** Browsers keep a cookie for at most 400 days, so it is stored again long before that. */
const COOKIE_SECONDS = 400 * 86_400;
const RENEWAL_DAYS = 30;
const DAY_MS = 86_400_000;

/** The hints that a browser no longer shows, and the day on which it stored them, counted from 1970. */
interface Dismissed {
  readonly day: number;
  readonly names: readonly Hint[];
}

type HintVisit = Pick<ConsoleVisit, 'cookies' | 'address' | 'now'>;

/**
 * Renders a hint for newcomers, with the button that removes it for ever. It stands beside what it is about and blocks
 * nothing.
 *
 * @returns null if the reader has removed it
 */
export function renderHint(visit: HintVisit, name: Hint, text: string | Html): Html | null {
  const dismissed = readDismissed(visit.cookies);
  if (dismissed.names.includes(name)) {
    if (dayOf(visit.now) - dismissed.day > RENEWAL_DAYS) store(visit, dismissed.names);
    return null;
  }
  return html`<form class="tip" method="post" action="${DISMISS_PATH}" data-hint>
<p><strong>Hint</strong> ${text}</p>
${hidden('hint', name)}${hidden('return_to', ownAddress(visit.address))}
<button class="quiet">Got it</button>
</form>`;
}

const DISMISS_PATH = '/hints/dismiss';

/** Removes a hint from all pages of this browser. */
export const hintsPage: ConsoleRoute = {
  path: DISMISS_PATH,
  post: async (visit) => {
    const name = readField(visit.form, 'hint');
    const hint = HINTS.find((known) => known === name);
    if (hint === undefined) throw invalidChoice('hint: is not a hint of these pages. Open the page again.');
    store(visit, [...new Set([...readDismissed(visit.cookies).names, hint])]);
    return new SeeOther(ownAddress(readField(visit.form, 'return_to') ?? '/'));
  },
};

/** Unknown names are dropped, such as those of hints that were removed from all pages. */
function readDismissed(cookies: ConsoleVisit['cookies']): Dismissed {
  const [day = '', ...stored] = (cookies.get('hints') ?? '').split('.');
  const names = new Set<string>(stored);
  return { day: Number(day) || 0, names: HINTS.filter((hint) => names.has(hint)) };
}

function store({ cookies, now }: Pick<HintVisit, 'cookies' | 'now'>, names: readonly Hint[]): void {
  cookies.set('hints', [dayOf(now), ...names].join('.'), COOKIE_SECONDS);
}

function dayOf(now: Date): number {
  return Math.floor(now.getTime() / DAY_MS);
}
