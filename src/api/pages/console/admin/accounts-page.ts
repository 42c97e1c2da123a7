import { ACCOUNT_STATES, type Operations, type Output, PLANS } from '../../../../contract/index.ts';
import { formatCount } from '../../format.ts';
import { errorSummary, type FieldErrors, readField } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { type Option, renderSelect, renderText } from '../fields.ts';
import { attempt, toFieldErrors } from '../refusals.ts';
import { renderEmpty } from '../states.ts';
import type { ConsoleRoute } from '../visit.ts';
import { ACCOUNTS_PATH, renderAdminHead, renderDay } from './words.ts';

type List = Output<Operations['listAccounts']>;
export type Account = List['users'][number];

const PARAMETERS = ['q', 'plan', 'state', 'cursor'] as const;
type Given = Readonly<Partial<Record<(typeof PARAMETERS)[number], string>>>;

const LABELS = { q: 'Address', plan: 'Plan', state: 'State', cursor: ['q', 'This link'] } as const;

export const PLAN_NAMES = { free: 'Free', pro: 'Pro', enterprise: 'Enterprise' } as const;

const STATE_NAMES = {
  active: 'Not locked',
  locked: 'Locked',
  unverified: 'Address not verified',
  administrator: 'Administrators',
} as const;

const toOptions = <Name extends string>(names: readonly Name[], labels: Record<Name, string>): Option[] =>
  names.map((value) => ({ value, label: labels[value] }));

/** The accounts of the service, with filters in the address. */
export const accountsPage: ConsoleRoute = {
  path: ACCOUNTS_PATH,

  async get({ visitor, query }) {
    const given: Given = Object.fromEntries(
      PARAMETERS.map((name) => [name, readField(query, name)?.trim()]).filter(([, value]) => value),
    );
    const result = await attempt(() => visitor.call('listAccounts', { query: given }));
    const isRefused = result instanceof Error;
    const errors = isRefused ? toFieldErrors(result, LABELS) : {};
    // A fault that names no field, such as that of a visitor that is not an administrator, has a page of its own.
    if (isRefused && errors === null) throw result;
    return {
      title: 'Accounts',
      section: 'admin',
      script: 'admin',
      status: isRefused ? result.status : 200,
      failed: isRefused,
      body: html`${renderAdminHead('accounts', 'Accounts', 'Every account of this service, with its plan and its state.')}
${errorSummary(errors ?? {})}
${renderFilters(given, errors ?? {})}
<section id="results" aria-label="Accounts">${!isRefused && renderResults(result, given)}</section>`,
    };
  },
};

function renderFilters(given: Given, errors: FieldErrors): Html {
  const isFiltered = Object.keys(given).some((name) => name !== 'cursor');
  return html`<form class="card filters" method="get" action="${ACCOUNTS_PATH}" role="search" aria-label="Accounts">
<div class="fields">
${renderText({ name: 'q', label: 'Address', type: 'search', value: given.q, placeholder: 'A part of the email address', maxlength: 254 }, errors)}
${renderSelect({ name: 'plan', label: 'Plan', term: 'plan', value: given.plan ?? '', options: [{ value: '', label: 'Any plan' }, ...toOptions(PLANS, PLAN_NAMES)] }, errors)}
${renderSelect({ name: 'state', label: 'State', value: given.state ?? '', options: [{ value: '', label: 'Any state' }, ...toOptions(ACCOUNT_STATES, STATE_NAMES)] }, errors)}
</div>
<div class="filters-end"><p class="actions"><button class="quiet">Search</button>${
    isFiltered && html`<a class="tap" href="${ACCOUNTS_PATH}">Reset filters</a>`
  }</p></div>
</form>`;
}

function renderResults({ users, next_cursor }: List, given: Given): Html {
  const { cursor, ...first } = given;
  if (users.length === 0) {
    return renderEmpty({
      title: 'No account matches',
      text: 'Shorten the address, or choose another plan or state.',
      steps: [{ href: ACCOUNTS_PATH, label: 'Show all accounts' }],
    });
  }
  const count = formatCount(users.length, 'account');
  return html`<p class="soft small account-count">${next_cursor === null ? `${count}${cursor === undefined ? '' : ' on this last page'}.` : `${count} on this page, and there are more.`}</p>
<div class="card flush"><div class="scroll" role="region" aria-label="List of accounts" tabindex="0"><table class="accounts">
<thead><tr><th scope="col">Account</th><th scope="col" class="words">Plan</th><th scope="col" class="words">State</th><th scope="col" class="when">Last sign-in</th><th scope="col" class="when">Created</th></tr></thead>
<tbody>${users.map(renderRow)}</tbody></table></div></div>
${
  (cursor !== undefined || next_cursor !== null) &&
  html`<nav class="pagination" aria-label="Pages of the list">
${cursor === undefined ? html`<span></span>` : html`<a class="button quiet" href="${addressOf(first)}">Back to the first page</a>`}
${next_cursor !== null && html`<a class="button quiet" rel="next" href="${addressOf({ ...first, cursor: next_cursor })}">Next page</a>`}
</nav>`
}`;
}

function renderRow(account: Account): Html {
  return html`<tr><th scope="row"><a class="tap" href="${accountPath(account)}">${account.email}</a></th><td class="words">${PLAN_NAMES[account.plan]}</td><td class="words">${renderStates(account)}</td><td class="when">${renderDay(account.last_sign_in_at)}</td><td class="when">${renderDay(account.created_at)}</td></tr>
`;
}

/** Renders what is special about an account, as tags. */
export function renderStates({ locked, administrator, email_verified }: Account): Html {
  const isActive = email_verified && !locked;
  return html`<span class="account-states">${locked && html`<span class="tag bad">Locked</span>`}${
    administrator && html`<span class="tag info">Administrator</span>`
  }${!email_verified && html`<span class="tag warning">Address not verified</span>`}${
    isActive && html`<span class="tag good">Active</span>`
  }</span>`;
}

/** Returns the address of the page of an account, or of a change of it. */
export function accountPath({ id }: Pick<Account, 'id'>, change?: string): string {
  return `${ACCOUNTS_PATH}/${encodeURIComponent(id)}${change === undefined ? '' : `/${change}`}`;
}

function addressOf(given: Given): string {
  const query = new URLSearchParams(given as Record<string, string>).toString();
  return query === '' ? ACCOUNTS_PATH : `${ACCOUNTS_PATH}?${query}`;
}
