import { z } from 'zod';
import { readLink, redeemReset, requestPasswordReset } from '../../../identity/index.ts';
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
import { continueAfterSignIn, type PageRoute, replaceSession, SeeOther, setNotice, type Visit } from '../visit.ts';
import { checkYourMailPage, deadLinkPage, keepAddress, keptAddress } from './message-pages.ts';

const FORGOT_PATH = '/auth/forgot';

/** Limit for one network, because each request can send an email. */
const RESET_REQUESTS_PER_MINUTE = 10;

const ForgotForm = z.object({ email: newEmailField() });

export const forgotPage: PageRoute = {
  path: FORGOT_PATH,

  async get(visit) {
    return forgotView(keptAddress(visit));
  },

  async post(visit) {
    const errors = await tryRequestReset(visit);
    return errors ? forgotView(readField(visit.form, 'email'), errors) : new SeeOther(`${FORGOT_PATH}/sent`);
  },
};

export const forgotSentPage: PageRoute = {
  path: `${FORGOT_PATH}/sent`,
  async get(visit) {
    return checkYourMailPage({
      visit,
      sent: 'If there is an account with this address, we sent an email.',
      purpose: 'Open the link in it to set a new password. Without an account, there is no email.',
      again: FORGOT_PATH,
    });
  },
};

async function tryRequestReset(visit: Visit): Promise<FieldErrors | null> {
  const checked = checkForm(ForgotForm, visit.form);
  if (!checked.ok) return checked.errors;
  await limitPerNetwork(visit, 'forgot', RESET_REQUESTS_PER_MINUTE, 'reset_request');
  await requestPasswordReset(visit.parts.identity, { ...checked.data, origin: visit.origin });
  keepAddress(visit, checked.data.email);
  return null;
}

function forgotView(email?: string, errors: FieldErrors = {}): Page {
  const failed = Object.keys(errors).length > 0;
  return {
    title: 'Forgot your password?',
    status: failed ? 400 : 200,
    failed,
    body: html`<div class="card stack">
<h1>Forgot your password?</h1>
<p class="soft">Enter your email address. We will send you a link to choose a new password.</p>
${errorSummary(errors)}
${form(
  FORGOT_PATH,
  html`${field({ name: 'email', label: 'Email address', type: 'email', autocomplete: 'username', value: email }, errors)}
<button class="whole">Send the link</button>`,
)}
<p><a class="tap" href="/auth/sign-in">Back to sign in</a></p>
</div>`,
  };
}

const RESET_PATH = '/auth/reset';

/** Limit for one network, because each reset computes a password hash. */
const RESETS_PER_MINUTE = 20;

const ResetForm = z.object({ password: passwordField('Choose a new password.') });

const deadResetLink = () => deadLinkPage({ href: '/auth/forgot', text: 'Request another link' });

export const resetPage: PageRoute = {
  path: RESET_PATH,

  async get({ parts, query }) {
    const token = readField(query, 'token') ?? '';
    const link = await readLink(parts.identity, token);
    return link?.kind === 'reset_password' ? resetView(token, link.email) : deadResetLink();
  },

  async post(visit) {
    const token = readField(visit.form, 'token') ?? '';
    const link = await readLink(visit.parts.identity, token);
    if (link?.kind !== 'reset_password') return deadResetLink();
    const answer = await tryReset(visit, token);
    return answer === null
      ? deadResetLink()
      : 'errors' in answer
        ? resetView(token, link.email, answer.errors)
        : continueAfterSignIn(null);
  },
};

async function tryReset(visit: Visit, token: string): Promise<{ errors: FieldErrors } | { done: true } | null> {
  const checked = checkForm(ResetForm, visit.form);
  if (!checked.ok) return checked;
  await limitPerNetwork(visit, 'reset', RESETS_PER_MINUTE, 'reset');
  try {
    const session = await redeemReset(visit.parts.identity, token, { ...checked.data, ...visit.origin });
    if (!session) return null;
    await replaceSession(visit, session);
    setNotice(visit, 'password_reset');
    return { done: true };
  } catch (error) {
    return { errors: toFieldError(error, { password: 'The new password' }) };
  }
}

function resetView(token: string, email: string, errors: FieldErrors = {}): Page {
  const failed = Object.keys(errors).length > 0;
  return {
    title: 'Choose a new password',
    status: failed ? 400 : 200,
    failed,
    body: html`<div class="card stack">
<h1>Choose a new password</h1>
${errorSummary(errors)}
${form(
  RESET_PATH,
  html`${hidden('token', token)}
${field({ name: 'email', label: 'Email address', type: 'email', autocomplete: 'username', value: email, readonly: true })}
${field({ name: 'password', label: 'New password', type: 'password', autocomplete: 'new-password', hint: NEW_PASSWORD_HINT }, errors)}
<button class="whole">Set password and sign in</button>`,
)}
<p class="hint">Every browser and application that uses the account will be signed out.</p>
</div>`,
  };
}
