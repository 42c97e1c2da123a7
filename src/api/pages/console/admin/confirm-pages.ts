import { formatCount } from '../../format.ts';
import { hidden, readField } from '../../forms.ts';
import { html } from '../../html.ts';
import { SeeOther } from '../../visit.ts';
import type { ConsolePage } from '../document.ts';
import { renderFormPage } from '../form-page.ts';
import type { Refusal } from '../refusals.ts';
import type { ConsoleRoute } from '../visit.ts';
import { type AccountDetails, changeAccount, readAccount, renderSeen } from './account-visit.ts';
import { accountPath } from './accounts-page.ts';
import { ACCOUNTS_PATH, ADMIN_PATH } from './words.ts';

/** What a confirmation states about the change that the account would get next. */
interface Confirmation {
  readonly heading: string;
  readonly consequences: readonly string[];
  readonly button: string;
  readonly isDangerous: boolean;
}

/** Locks an account, or unlocks it, after a confirmation. */
export const lockPage: ConsoleRoute = {
  path: `${ACCOUNTS_PATH}/:id/lock`,
  get: async (visit) => showLock(await readAccount(visit)),
  async post(visit) {
    const locked = readField(visit.form, 'to') !== 'off';
    const result = await changeAccount(visit, { locked }, locked ? 'account_locked' : 'account_unlocked');
    return result instanceof SeeOther ? result : showLock(result.account, result.refusal);
  },
};

/** Makes an account an administrator, or an ordinary account again, after a confirmation. */
export const administratorPage: ConsoleRoute = {
  path: `${ACCOUNTS_PATH}/:id/administrator`,
  get: async (visit) => showAdministrator(await readAccount(visit)),
  async post(visit) {
    const administrator = readField(visit.form, 'to') !== 'off';
    const notice = administrator ? 'administrator_made' : 'administrator_ended';
    const result = await changeAccount(visit, { administrator }, notice);
    return result instanceof SeeOther ? result : showAdministrator(result.account, result.refusal);
  },
};

function showLock(account: AccountDetails, refusal?: Refusal): ConsolePage {
  const { counts, locked } = account;
  const unfinished = counts.unfinished_forecasts;
  return showConfirmation(account, 'lock', locked, refusal, {
    heading: locked ? 'Unlock this account?' : 'Lock this account?',
    consequences: locked
      ? [
          'It can sign in again, and its API keys, applications, browsers and feeds work again.',
          'Forecasts that were canceled when it was locked stay canceled.',
        ]
      : [
          `It cannot sign in. ${describeCredentials(account)}`,
          'It gets no emails, also no link for a new password, and sends no invitations.',
          unfinished === 0
            ? 'No forecast of it is queued or running.'
            : `${formatCount(unfinished, 'unfinished forecast')} of it ${unfinished === 1 ? 'is' : 'are'} canceled.`,
          'Nothing is deleted. Its public forecasts stay public, and members of its workspaces keep their access.',
          'After the right password, the sign-in page states that the account is locked.',
        ],
    button: locked ? 'Unlock the account' : 'Lock the account',
    isDangerous: !locked,
  });
}

/** Returns which credentials stop working. */
function describeCredentials({ counts }: AccountDetails): string {
  const parts = [
    [counts.sessions, 'signed-in browser'],
    [counts.api_keys, 'API key'],
    [counts.applications, 'application'],
    [counts.feeds, 'feed'],
  ] as const;
  const used = parts.filter(([count]) => count > 0).map(([count, noun]) => formatCount(count, noun));
  if (used.length === 0) return 'It has no browser, key, application or feed in use.';
  const list = [used.slice(0, -1).join(', '), used.at(-1)].filter(Boolean).join(' and ');
  return `What it uses stops working with the next request: ${list}.`;
}

function showAdministrator(account: AccountDetails, refusal?: Refusal): ConsolePage {
  const { administrator, email_verified } = account;
  return showConfirmation(account, 'administrator', administrator, refusal, {
    heading: administrator ? 'End the administration of this account?' : 'Make this account an administrator?',
    consequences: administrator
      ? ['It no longer sees these pages. Everything else of the account stays as it is.']
      : [
          'It sees the state of the service and all accounts, can change plans, and can lock accounts.',
          'It can make other accounts administrators, and can end yours.',
          email_verified
            ? 'It does not see titles, names or contents of other accounts.'
            : 'It counts as an administrator only after it has verified its email address.',
        ],
    button: administrator ? 'End administration' : 'Make an administrator',
    isDangerous: !administrator,
  });
}

function showConfirmation(
  account: AccountDetails,
  change: 'lock' | 'administrator',
  isOn: boolean,
  refusal: Refusal | undefined,
  { heading, consequences, button, isDangerous }: Confirmation,
): ConsolePage {
  const crumbs = [
    { href: ADMIN_PATH, label: 'Administration' },
    { href: ACCOUNTS_PATH, label: 'Accounts' },
    { href: accountPath(account), label: account.email },
  ];
  const page = { title: `${heading} ${account.email}`, section: 'admin', crumbs, refusal } as const;
  const back = (label: string) => html`<a class="button quiet" href="${accountPath(account)}">${label}</a>`;
  if (account.is_own) {
    return renderFormPage({
      ...page,
      heading: 'This is your own account',
      body: html`<p>You can neither lock it nor end its administration, so that one administrator always remains. Ask another one.</p>
<p class="actions">${back('Back to the account')}</p>`,
    });
  }
  return renderFormPage({
    ...page,
    heading,
    body: html`<p><strong class="address">${account.email}</strong></p>
<ul class="ticks">${consequences.map((line) => html`<li>${line}</li>`)}</ul>
<p class="hint">The change is a security event of the account and of yours.</p>
<form method="post" action="${accountPath(account, change)}" class="actions">
${renderSeen(account)}${hidden('to', isOn ? 'off' : 'on')}<button${isDangerous && html` class="danger"`}>${button}</button>
${back('Leave it as it is')}</form>`,
  });
}
