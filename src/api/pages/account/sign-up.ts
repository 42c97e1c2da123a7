import { z } from 'zod';
import { type OpenLink, readLink, redeemSignUp, requestSignUp } from '../../../identity/index.ts';
import { limitPerNetwork } from '../../limits/request-limits.ts';
import {
  checkForm,
  errorSummary,
  type FieldErrors,
  field,
  form,
  hidden,
  NEW_PASSWORD_HINT,
  newEmailField,
  passwordField,
  readField,
  toFieldError,
} from '../forms.ts';
import { html, type Page } from '../html.ts';
import {
  continueAfterSignIn,
  type PageRoute,
  readReturnTo,
  replaceSession,
  SeeOther,
  setNotice,
  type Visit,
  withReturnTo,
} from '../visit.ts';
import { checkYourMailPage, deadLinkPage, keepAddress, keptAddress } from './message-pages.ts';

const SIGN_UP_PATH = '/auth/sign-up';
const LABELS = { email: 'Email address', password: 'Password' };

/** Limit for one network, because each sign-up computes a password hash and sends an email. */
const SIGN_UPS_PER_MINUTE = 10;

const SignUpForm = z.object({ email: newEmailField(), password: passwordField('Choose a password.') });

export const signUpPage: PageRoute = {
  path: SIGN_UP_PATH,

  async get(visit) {
    return signUpView({ returnTo: readReturnTo(visit.query.return_to), email: keptAddress(visit) });
  },

  async post(visit) {
    const returnTo = readReturnTo(readField(visit.form, 'return_to'));
    const errors = await trySignUp(visit, returnTo);
    return errors
      ? signUpView({ returnTo, email: readField(visit.form, 'email'), errors })
      : new SeeOther(`${SIGN_UP_PATH}/sent`);
  },
};

export const signUpSentPage: PageRoute = {
  path: `${SIGN_UP_PATH}/sent`,
  async get(visit) {
    return checkYourMailPage({
      visit,
      sent: 'We sent you an email.',
      purpose: 'Open the link in it and enter your password again to create the account.',
      again: SIGN_UP_PATH,
    });
  },
};

async function trySignUp(visit: Visit, returnTo: string | null): Promise<FieldErrors | null> {
  const checked = checkForm(SignUpForm, visit.form);
  if (!checked.ok) return checked.errors;
  await limitPerNetwork(visit, 'sign-up', SIGN_UPS_PER_MINUTE, 'sign_up');
  try {
    await requestSignUp(visit.parts.identity, { ...checked.data, returnTo, origin: visit.origin });
    keepAddress(visit, checked.data.email);
    return null;
  } catch (error) {
    return toFieldError(error, LABELS);
  }
}

interface SignUpView {
  readonly returnTo: string | null;
  readonly email?: string | undefined;
  readonly errors?: FieldErrors;
}

function signUpView({ returnTo, email, errors = {} }: SignUpView): Page {
  const failed = Object.keys(errors).length > 0;
  return {
    title: 'Create an account',
    status: failed ? 400 : 200,
    failed,
    body: html`<div class="card stack">
<h1>Create an account</h1>
${errorSummary(errors)}
${form(
  SIGN_UP_PATH,
  html`${hidden('return_to', returnTo)}
${field({ name: 'email', label: LABELS.email, type: 'email', autocomplete: 'username', value: email }, errors)}
${field({ name: 'password', label: LABELS.password, type: 'password', autocomplete: 'new-password', hint: NEW_PASSWORD_HINT }, errors)}
<button class="whole">Create account</button>`,
)}
<p class="hint">We will send you a link to confirm the address. The account is created when you open the link and enter this password again.</p>
<p><a class="tap" href="${withReturnTo('/auth/sign-in', returnTo)}">Sign in to an existing account</a></p>
</div>`,
  };
}

const CONFIRM_PATH = '/auth/sign-up/confirm';

/** Limit for one network, because each confirmation computes a password hash. */
const CONFIRMATIONS_PER_MINUTE = 20;

const ConfirmForm = z.object({ password: passwordField('Enter the password that you chose when you signed up.') });

const WRONG_PASSWORD =
  'This is not the password chosen at sign-up. If you did not sign up, ignore the email or sign up yourself.';

const deadSignUpLink = () =>
  deadLinkPage({ href: '/auth/sign-up', text: 'Sign up again', cause: 'too many wrong passwords were entered, ' });

/**
 * The page that the mailed link opens. Opening the page does not use the link, because programs that scan emails also
 * open links. The form asks for the password chosen at sign-up: if a stranger signed up with this address, the owner of
 * the address does not know that password, so the account is not created.
 */
export const confirmSignUpPage: PageRoute = {
  path: CONFIRM_PATH,

  async get(visit) {
    const token = readField(visit.query, 'token') ?? '';
    const link = await readLink(visit.parts.identity, token);
    return link?.kind === 'sign_up' ? confirmView(visit, { token, link }) : deadSignUpLink();
  },

  async post(visit) {
    const token = readField(visit.form, 'token') ?? '';
    const link = await readLink(visit.parts.identity, token);
    if (link?.kind !== 'sign_up') return deadSignUpLink();
    const checked = checkForm(ConfirmForm, visit.form);
    if (!checked.ok) return confirmView(visit, { token, link, errors: checked.errors, status: 400 });
    await limitPerNetwork(visit, 'confirm-sign-up', CONFIRMATIONS_PER_MINUTE, 'sign_up_confirmation');
    const session = await redeemSignUp(visit.parts.identity, token, { ...checked.data, ...visit.origin });
    if (session === null) return deadSignUpLink();
    if (session === 'wrong_password')
      return confirmView(visit, { token, link, errors: { password: WRONG_PASSWORD }, status: 403 });
    await replaceSession(visit, session);
    const next = session.returnTo ?? '/';
    visit.cookies.clear('address');
    setNotice(visit, 'account_ready', next);
    return continueAfterSignIn(next);
  },
};

interface ConfirmView {
  readonly token: string;
  readonly link: OpenLink;
  readonly errors?: FieldErrors;
  readonly status?: number;
}

function confirmView({ account }: Visit, { token, link, errors = {}, status = 200 }: ConfirmView): Page {
  return {
    title: 'Confirm your address',
    status,
    failed: status !== 200,
    body: html`<div class="card stack">
<h1>Confirm your address</h1>
${errorSummary(errors)}
<p>This creates the Almanac account for <strong>${link.email}</strong> and signs you in.</p>
${account && html`<p class="soft">You are signed in as ${account.email}. That session will end.</p>`}
${form(
  CONFIRM_PATH,
  html`${hidden('token', token)}
${field({ name: 'email', label: 'Email address', type: 'email', autocomplete: 'username', value: link.email, readonly: true })}
${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', hint: 'The password that you chose when you signed up.' }, errors)}
<button class="whole">Confirm and sign in</button>`,
)}
<p class="hint">If you did not sign up, close this page. No account will be created.</p>
<p><a class="tap" href="${withReturnTo('/auth/sign-up', link.returnTo)}">Sign up again with another password</a></p>
</div>`,
  };
}
