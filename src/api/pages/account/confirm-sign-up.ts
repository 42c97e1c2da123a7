import { z } from 'zod';
import { type OpenLink, readLink, redeemSignUp } from '../../../identity/index.ts';
import { limitPerNetwork } from '../../limits/limit-per-network.ts';
import { checkForm, passwordField, typed } from './http/check-form.ts';
import { withReturnTo } from './http/return-to.ts';
import { goOn, startSession } from './http/start-session.ts';
import type { PageRoute, Visit } from './http/visit.ts';
import type { Page } from './markup/document.ts';
import { errorSummary, type FieldErrors, field, form, hidden } from './markup/form.ts';
import { html } from './markup/html.ts';
import { deadLink } from './messages.ts';

const PATH = '/auth/sign-up/confirm';

/** A minute and network. Each costs a password hash. */
const TRIES = 20;

const ConfirmForm = z.object({ password: passwordField('Enter the password that was chosen at sign-up.') });

const WRONG_PASSWORD =
  'This is not the password chosen at sign-up. If you did not sign up, ignore the mail or sign up anew.';

const dead = () =>
  deadLink({ href: '/auth/sign-up', text: 'Sign up again', cause: 'wrong passwords were tried too often, ' });

/**
 * The link of the mail shows a form: programs that look into mails open links, too, and must not use them up. It asks
 * for the password, because the mail may be about the sign-up of a stranger, who would know the account's.
 */
export const confirmSignUpPage: PageRoute = {
  path: PATH,

  async get(visit) {
    const token = typed(visit.query, 'token') ?? '';
    const link = await readLink(visit.parts.identity, token);
    return link?.kind === 'sign_up' ? view(visit, { token, link }) : dead();
  },

  async post(visit) {
    const token = typed(visit.form, 'token') ?? '';
    const link = await readLink(visit.parts.identity, token);
    if (link?.kind !== 'sign_up') return dead();
    const checked = checkForm(ConfirmForm, visit.form);
    if (!checked.ok) return view(visit, { token, link, errors: checked.errors, status: 400 });
    await limitPerNetwork(visit, 'confirm-sign-up', TRIES, 'Too many tries to confirm a sign-up from this network.');
    const session = await redeemSignUp(visit.parts.identity, token, { ...checked.data, ...visit.origin });
    if (session === null) return dead();
    if (session === 'wrong_password')
      return view(visit, { token, link, errors: { password: WRONG_PASSWORD }, status: 403 });
    await startSession(visit, session);
    return goOn(session.returnTo);
  },
};

interface View {
  readonly token: string;
  readonly link: OpenLink;
  readonly errors?: FieldErrors;
  readonly status?: number;
}

function view({ account }: Visit, { token, link, errors = {}, status = 200 }: View): Page {
  return {
    title: 'Confirm your address',
    status,
    failed: status !== 200,
    body: html`<div class="card stack">
<h1>Confirm your address</h1>
${errorSummary(errors)}
<p>This makes the Almanac account for <strong>${link.email}</strong> and signs you in.</p>
${account && html`<p class="soft">You are signed in as ${account.email} now; that session ends.</p>`}
${form(
  PATH,
  html`${hidden('token', token)}
${field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', value: link.email, readonly: true })}
${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', hint: 'The one that you chose when you signed up.' }, errors)}
<button class="whole">Confirm and sign in</button>`,
)}
<p class="hint">If it was not you who signed up, close this page, and no account is made.</p>
<p><a class="tap" href="${withReturnTo('/auth/sign-up', link.returnTo)}">Sign up anew with another password</a></p>
</div>`,
  };
}
