import { type Account, isAdministrator } from '../../../../access/index.ts';
import { errorSummary, type FieldErrors } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { ownAddress, SeeOther, setNotice, withReturnTo } from '../../visit.ts';
import type { ConsolePage } from '../document.ts';
import { renderCrumbs, renderRefusal } from '../form-page.ts';
import { attempt, type Refusal } from '../refusals.ts';
import { renderEmpty } from '../states.ts';
import type { ConsoleHandler, ConsoleVisit } from '../visit.ts';

export const ACCOUNT_PATH = '/auth/account';

/** The pages of the account, each with what it is for. */
export const PARTS = {
  usage: ['Usage over time', 'How many credits, slots and bytes you used, by day or month.'],
  keys: ['API keys', 'Secrets with which your programs use the API as you.'],
  feeds: ['Feeds', 'Addresses from which spreadsheets read a series or a forecast.'],
  webhooks: ['Webhooks', 'Addresses of your programs, to which the service sends what happens.'],
  notifications: ['Emails about forecasts', 'An email when a forecast is done, or when its outcome is known.'],
  applications: ['Connected applications', 'Programs of others that you allowed to use your account.'],
  sessions: ['Signed-in browsers', 'Where you are signed in, and how to sign out elsewhere.'],
  password: ['Password', 'Choose a new password.'],
  security: ['Security events', 'Sign-ins, and changes to your password, keys and applications.'],
  export: ['Export your data', 'Everything that your account owns, as one file.'],
  erase: ['Erase your account', 'Removes the account and everything that it owns, which is listed first.'],
} as const satisfies Record<string, readonly [name: string, purpose: string]>;

export type Part = keyof typeof PARTS;

/** Returns the address of a page of the account. */
export function partPath(part: Part, action = ''): string {
  return `${ACCOUNT_PATH}/${part}${action === '' ? '' : `/${action}`}`;
}

/** Makes a page of the account explain itself to visitors without one, instead of showing what they cannot use. */
export function forAccounts(
  part: Part | null,
  show: (visit: ConsoleVisit, account: Account) => ReturnType<ConsoleHandler>,
): ConsoleHandler {
  return async (visit) => {
    const { principal } = visit.visitor;
    return principal.kind === 'account' ? show(visit, principal) : renderNeedsAccount(visit, part);
  };
}

/** Renders what a page is for, with the status with which the API refuses the visitor. */
async function renderNeedsAccount({ visitor, address }: ConsoleVisit, part: Part | null): Promise<ConsolePage> {
  const fault = await attempt(() => visitor.call('readAccess'));
  const [name, purpose] =
    part === null
      ? ['Your account', 'Your plan, what you used of it, your keys, browsers and applications.']
      : PARTS[part];
  const returnTo = ownAddress(address);
  return {
    title: name,
    section: 'account',
    status: fault instanceof Error ? fault.status : 401,
    failed: true,
    body: renderEmpty({
      title: name,
      level: 1,
      text: html`${purpose} Sign in to see it. If you have no account yet, create one; it is free.`,
      steps: [
        { href: withReturnTo('/auth/sign-in', returnTo), label: 'Sign in' },
        { href: withReturnTo('/auth/sign-up', returnTo), label: 'Create an account' },
      ],
    }),
  };
}

interface PartPage {
  readonly part: Part;
  readonly account: Account;
  readonly body: Html;
  /** Replaces the name of the part, on a page below it. */
  readonly heading?: string | undefined;
  readonly lead?: string | Html | undefined;
  readonly refusal?: Refusal | undefined;
  readonly errors?: FieldErrors | undefined;
  readonly status?: number | undefined;
}

/** Renders a page of the account, beside the list of all of them. */
export function renderPart(page: PartPage): ConsolePage {
  const { part, account, body, lead, refusal, errors = {} } = page;
  const [name, purpose] = PARTS[part];
  const heading = page.heading ?? name;
  const hasErrors = Object.keys(errors).length > 0;
  const crumbs = [{ href: ACCOUNT_PATH, label: 'Account' }];
  if (page.heading !== undefined) crumbs.push({ href: partPath(part), label: name });
  return {
    title: heading,
    section: 'account',
    status: refusal?.status ?? (hasErrors ? 400 : (page.status ?? 200)),
    failed: refusal !== undefined || hasErrors,
    body: html`${renderCrumbs(crumbs)}
<div class="account-page">
${renderParts(account, part)}
<div class="flow">
<header><h1>${heading}</h1>
<p class="lead">${lead ?? purpose}</p></header>
${renderRefusal(refusal)}
${errorSummary(errors)}
${body}
</div>
</div>`,
  };
}

function renderParts(account: Account, current: Part): Html {
  const links = Object.entries(PARTS).map(
    ([part, [name]]) =>
      html`<li><a href="${partPath(part as Part)}"${part === current && html` aria-current="page"`}>${name}</a></li>
`,
  );
  return html`<nav class="account-parts" aria-label="Account"><ul><li><a href="${ACCOUNT_PATH}">Overview</a></li>
${links}${isAdministrator(account) && html`<li><a href="/admin">Administration</a></li>`}</ul></nav>`;
}

/** Redirects to a page of the account, which shows the notice. */
export function backTo(visit: ConsoleVisit, path: string, notice: Parameters<typeof setNotice>[1]): SeeOther {
  setNotice(visit, notice, path);
  return new SeeOther(path);
}
