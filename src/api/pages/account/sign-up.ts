import { z } from 'zod';
import { requestSignUp } from '../../../identity/index.ts';
import { limitPerNetwork } from '../../limits/limit-per-network.ts';
import { checkForm, fieldErrorOf, newEmailField, passwordField, typed } from './http/check-form.ts';
import { readReturnTo, withReturnTo } from './http/return-to.ts';
import { type PageRoute, SeeOther, type Visit } from './http/visit.ts';
import type { Page } from './markup/document.ts';
import { errorSummary, type FieldErrors, field, form, hidden } from './markup/form.ts';
import { html } from './markup/html.ts';
import { checkYourMail } from './messages.ts';
import { NEW_PASSWORD_HINT } from './new-password.ts';

const PATH = '/auth/sign-up';
const LABELS = { email: 'E-mail address', password: 'Password' };

/** A minute and network. Each costs a password hash and a mail. */
const SIGN_UPS = 10;

const SignUpForm = z.object({ email: newEmailField(), password: passwordField('Choose a password.') });

export const signUpPage: PageRoute = {
  path: PATH,

  async get({ query }) {
    return view({ returnTo: readReturnTo(query.return_to) });
  },

  async post(visit) {
    const returnTo = readReturnTo(typed(visit.form, 'return_to'));
    const errors = await trySignUp(visit, returnTo);
    return errors ? view({ returnTo, email: typed(visit.form, 'email'), errors }) : new SeeOther(`${PATH}/sent`);
  },
};

export const signUpSentPage: PageRoute = {
  path: `${PATH}/sent`,
  async get() {
    return checkYourMail(
      html`We have sent you a mail. Open the link in it and enter your password once more: that makes the account.`,
    );
  },
};

async function trySignUp(visit: Visit, returnTo: string | null): Promise<FieldErrors | null> {
  const checked = checkForm(SignUpForm, visit.form);
  if (!checked.ok) return checked.errors;
  await limitPerNetwork(visit, 'sign-up', SIGN_UPS, 'Too many sign-ups from this network.');
  try {
    await requestSignUp(visit.parts.identity, { ...checked.data, returnTo, origin: visit.origin });
    return null;
  } catch (error) {
    return fieldErrorOf(error, LABELS);
  }
}

interface View {
  readonly returnTo: string | null;
  readonly email?: string | undefined;
  readonly errors?: FieldErrors;
}

function view({ returnTo, email, errors = {} }: View): Page {
  const failed = Object.keys(errors).length > 0;
  return {
    title: 'Create an account',
    status: failed ? 400 : 200,
    failed,
    body: html`<div class="card stack">
<h1>Create an account</h1>
${errorSummary(errors)}
${form(
  PATH,
  html`${hidden('return_to', returnTo)}
${field({ name: 'email', label: LABELS.email, type: 'email', autocomplete: 'username', value: email }, errors)}
${field({ name: 'password', label: LABELS.password, type: 'password', autocomplete: 'new-password', hint: NEW_PASSWORD_HINT }, errors)}
<button class="whole">Create account</button>`,
)}
<p class="hint">We send you a link to confirm the address. The account is made when you open it and enter this password once more.</p>
<p><a class="tap" href="${withReturnTo('/auth/sign-in', returnTo)}">Sign in to an account you have</a></p>
</div>`,
  };
}
