import { PLANS } from '../../../../contract/index.ts';
import { renderFacts } from '../../facts.ts';
import { formatInteger, formatSize } from '../../format.ts';
import { readField } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { SeeOther } from '../../visit.ts';
import type { ConsolePage } from '../document.ts';
import { renderSelect } from '../fields.ts';
import { renderCrumbs, renderRefusal } from '../form-page.ts';
import type { Refusal } from '../refusals.ts';
import { renderNote } from '../states.ts';
import { renderTerm } from '../terms.ts';
import type { ConsoleRoute } from '../visit.ts';
import { type AccountDetails, changeAccount, readAccount, renderSeen } from './account-visit.ts';
import { accountPath, PLAN_NAMES, renderStates } from './accounts-page.ts';
import { ACCOUNTS_PATH, ADMIN_PATH, renderTime } from './words.ts';

/** One account in numbers, and what administrators can change about it. */
export const accountPage: ConsoleRoute = {
  path: `${ACCOUNTS_PATH}/:id`,
  get: async (visit) => showAccount(await readAccount(visit)),
};

/** Changes the plan of an account. */
export const planPage: ConsoleRoute = {
  path: `${ACCOUNTS_PATH}/:id/plan`,

  get: async (visit) => new SeeOther(accountPath(await readAccount(visit))),

  async post(visit) {
    const chosen = readField(visit.form, 'plan') ?? '';
    const result = await changeAccount(visit, { plan: chosen }, 'account_plan_changed');
    return result instanceof SeeOther ? result : showAccount(result.account, { chosen, refusal: result.refusal });
  },
};

interface Attempt {
  readonly chosen?: string;
  readonly refusal?: Refusal;
}

function showAccount(account: AccountDetails, { chosen, refusal }: Attempt = {}): ConsolePage {
  return {
    title: account.email,
    section: 'admin',
    script: 'admin',
    status: refusal?.status ?? 200,
    failed: refusal !== undefined,
    body: html`${renderCrumbs([
      { href: ADMIN_PATH, label: 'Administration' },
      { href: ACCOUNTS_PATH, label: 'Accounts' },
    ])}
<div class="page-head"><div><p class="eyebrow">Account</p><h1 class="address">${account.email}</h1><p>${renderStates(account)}</p></div></div>
${renderRefusal(refusal)}
${account.locked && renderNote('warning', html`It cannot be used, and nothing in it is lost. It was locked ${renderTime(account.locked_at)}.`, 'This account is locked')}
<div class="aside">
<div class="flow">
${renderUsage(account)}
${renderCounts(account)}
</div>
<div class="flow">
${renderChanges(account, chosen)}
${renderStanding(account)}
</div>
</div>`,
  };
}

function renderUsage({ usage: { credits, slots, storage } }: AccountDetails): Html {
  const of = (used: string, limit: string | null) => (limit === null ? `${used}, not limited` : `${used} of ${limit}`);
  const limit = credits.limit === null ? null : formatInteger(credits.limit);
  return html`<section class="card stack" aria-labelledby="usage"><h2 id="usage">Use this month</h2>
${renderFacts('tiles', [
  ['Credits used', of(formatInteger(credits.used), limit)],
  ['Credits reserved', formatInteger(credits.reserved)],
  ['Slots taken', of(formatInteger(slots.used), formatInteger(slots.limit))],
  ['Storage', of(formatSize(storage.bytes), formatSize(storage.limit_bytes))],
  ['Files', formatSize(storage.csv_bytes)],
])}
<p class="hint">The month is counted in UTC. Forecasts in a ${renderTerm('workspace')} use the credits of its owner.</p></section>`;
}

function renderCounts({ counts }: AccountDetails): Html {
  return html`<section class="card stack" aria-labelledby="counts"><h2 id="counts">What it has, in numbers</h2>
${renderFacts('facts counts', [
  ['Workspaces', formatInteger(counts.workspaces)],
  ['Forecasts', formatInteger(counts.forecasts)],
  ['Of them unfinished', formatInteger(counts.unfinished_forecasts)],
  ['Questions', formatInteger(counts.events)],
  ['Screener filters', formatInteger(counts.filters)],
  ['Feeds', formatInteger(counts.feeds)],
  ['API keys', formatInteger(counts.api_keys)],
  ['Signed-in browsers', formatInteger(counts.sessions)],
  ['Applications', formatInteger(counts.applications)],
])}
<p class="hint">Titles, names and contents are private. Administrators do not see them.</p></section>`;
}

function renderStanding(account: AccountDetails): Html {
  return html`<section class="card stack" aria-labelledby="standing"><h2 id="standing">About the account</h2>
${renderFacts('facts narrow', [
  ['Created', renderTime(account.created_at)],
  ['Last sign-in', renderTime(account.last_sign_in_at, 'none in 400 days')],
  ['Address', account.email_verified ? 'verified' : 'not verified'],
  ['Id', html`<code>${account.id}</code>`],
])}</section>`;
}

function renderChanges(account: AccountDetails, chosen: string = account.plan): Html {
  const { locked, administrator, is_own } = account;
  return html`<section class="card stack" aria-labelledby="changes"><h2 id="changes">Change</h2>
<form class="stack" method="post" action="${accountPath(account, 'plan')}">${renderSeen(account)}
${renderSelect(
  {
    name: 'plan',
    label: 'Plan',
    term: 'plan',
    value: chosen,
    options: PLANS.map((value) => ({ value, label: PLAN_NAMES[value] })),
    hint: 'Applies from the next request on.',
  },
  {},
)}
<button class="quiet">Change the plan</button></form>
${
  is_own
    ? html`<p class="hint">This is your own account. Another administrator can lock it or end its administration, so that one always remains.</p>`
    : html`<p class="actions"><a class="button quiet" href="${accountPath(account, 'administrator')}">${
        administrator ? 'End administration' : 'Make an administrator'
      }</a>
<a class="button ${locked ? 'quiet' : 'danger'}" href="${accountPath(account, 'lock')}">${locked ? 'Unlock' : 'Lock'}</a></p>`
}
</section>`;
}
