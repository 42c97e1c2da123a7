import { z } from 'zod';
import { requestPasswordReset } from '../../../identity/index.ts';
import { limitPerNetwork } from '../../limits/limit-per-network.ts';
import { checkForm, newEmailField, typed } from './http/check-form.ts';
import { type PageRoute, SeeOther, type Visit } from './http/visit.ts';
import type { Page } from './markup/document.ts';
import { errorSummary, type FieldErrors, field, form } from './markup/form.ts';
import { html } from './markup/html.ts';
import { checkYourMail } from './messages.ts';

const PATH = '/auth/forgot';

/** A minute and network: each can become a mail to somebody. */
const REQUESTS = 10;

const ForgotForm = z.object({ email: newEmailField() });

export const forgotPage: PageRoute = {
  path: PATH,

  async get() {
    return view();
  },

  async post(visit) {
    const errors = await tryRequest(visit);
    return errors ? view(typed(visit.form, 'email'), errors) : new SeeOther(`${PATH}/sent`);
  },
};

export const forgotSentPage: PageRoute = {
  path: `${PATH}/sent`,
  async get() {
    return checkYourMail(
      html`If there is an account with this address, a mail with a link to a new password is on its way.`,
    );
  },
};

async function tryRequest(visit: Visit): Promise<FieldErrors | null> {
  const checked = checkForm(ForgotForm, visit.form);
  if (!checked.ok) return checked.errors;
  await limitPerNetwork(visit, 'forgot', REQUESTS, 'Too many requests for a new password from this network.');
  await requestPasswordReset(visit.parts.identity, { ...checked.data, origin: visit.origin });
  return null;
}

function view(email?: string, errors: FieldErrors = {}): Page {
  const failed = Object.keys(errors).length > 0;
  return {
    title: 'Forgot your password?',
    status: failed ? 400 : 200,
    failed,
    body: html`<div class="card stack">
<h1>Forgot your password?</h1>
<p class="soft">Tell us your address. We send you a link with which you can choose a new one.</p>
${errorSummary(errors)}
${form(
  PATH,
  html`${field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', value: email }, errors)}
<button class="whole">Send the link</button>`,
)}
<p><a class="tap" href="/auth/sign-in">Back to sign in</a></p>
</div>`,
  };
}
