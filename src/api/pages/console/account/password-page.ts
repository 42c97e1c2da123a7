import type { Account } from '../../../../access/index.ts';
import { Fault } from '../../../../contract/index.ts';
import { type FieldErrors, NEW_PASSWORD_HINT, readField } from '../../forms.ts';
import { html } from '../../html.ts';
import type { ConsolePage } from '../document.ts';
import { renderText } from '../fields.ts';
import { attempt, type Refusal, toFieldErrors, toRefusal } from '../refusals.ts';
import type { ConsoleRoute } from '../visit.ts';
import { ACCOUNT_PATH, backTo, forAccounts, partPath, renderPart } from './frame.ts';

const PATH = partPath('password');

const LABELS = {
  current_password: ['current', 'The current password'],
  new_password: ['next', 'The new password'],
} as const;

export const passwordPage: ConsoleRoute = {
  path: PATH,
  get: forAccounts('password', async (_, account) => showPassword(account)),
  post: forAccounts('password', async (visit, account) => {
    const [current, next] = ['current', 'next'].map((name) => readField(visit.form, name) ?? '');
    const missing = {
      ...(current === '' && { current: 'Enter your current password.' }),
      ...(next === '' && { next: 'Choose a new password.' }),
    };
    if (Object.keys(missing).length > 0) return showPassword(account, missing);
    const body = { current_password: current, new_password: next };
    const result = await attempt(() => visit.visitor.call('changePassword', { body }));
    if (!(result instanceof Fault)) return backTo(visit, ACCOUNT_PATH, 'password_changed');
    const errors = toFieldErrors(result, LABELS);
    return errors === null ? showPassword(account, {}, toRefusal(result)) : showPassword(account, errors);
  }),
};

/** Renders the form. What was typed is not shown again. */
function showPassword(account: Account, errors: FieldErrors = {}, refusal?: Refusal): ConsolePage {
  return renderPart({
    part: 'password',
    account,
    lead: 'Every other browser will be signed out, and applications will need your permission again.',
    errors,
    refusal,
    body: html`<form method="post" action="${PATH}" class="card stack narrow">
<input type="hidden" name="username" autocomplete="username" value="${account.email}">
${renderText({ name: 'current', label: 'Current password', type: 'password', autocomplete: 'current-password', maxlength: 1024 }, errors)}
${renderText({ name: 'next', label: 'New password', type: 'password', autocomplete: 'new-password', hint: NEW_PASSWORD_HINT, maxlength: 1024 }, errors)}
<p class="actions"><button>Change password</button></p>
</form>
<p><a class="tap" href="/auth/forgot">Forgot your current password?</a></p>`,
  });
}
