import { z } from 'zod';
import { readLink, redeemReset } from '../../../identity/index.ts';
import { limitPerNetwork } from '../../limits/limit-per-network.ts';
import { checkForm, fieldErrorOf, passwordField, typed } from './http/check-form.ts';
import { leaveNotice } from './http/notices.ts';
import { goOn, startSession } from './http/start-session.ts';
import type { PageRoute, Visit } from './http/visit.ts';
import type { Page } from './markup/document.ts';
import { errorSummary, type FieldErrors, field, form, hidden } from './markup/form.ts';
import { html } from './markup/html.ts';
import { deadLink } from './messages.ts';
import { NEW_PASSWORD_HINT } from './new-password.ts';

const PATH = '/auth/reset';

/** A minute and network. Each costs a password hash. */
const TRIES = 20;

const ResetForm = z.object({ password: passwordField('Choose a new password.') });

const dead = () => deadLink({ href: '/auth/forgot', text: 'Ask for another link' });

export const resetPage: PageRoute = {
  path: PATH,

  async get({ parts, query }) {
    const token = typed(query, 'token') ?? '';
    const link = await readLink(parts.identity, token);
    return link?.kind === 'reset_password' ? view(token, link.email) : dead();
  },

  async post(visit) {
    const token = typed(visit.form, 'token') ?? '';
    const link = await readLink(visit.parts.identity, token);
    if (link?.kind !== 'reset_password') return dead();
    const answer = await tryReset(visit, token);
    return answer === null ? dead() : 'errors' in answer ? view(token, link.email, answer.errors) : goOn(null);
  },
};

async function tryReset(visit: Visit, token: string): Promise<{ errors: FieldErrors } | { done: true } | null> {
  const checked = checkForm(ResetForm, visit.form);
  if (!checked.ok) return checked;
  await limitPerNetwork(visit, 'reset', TRIES, 'Too many new passwords from this network.');
  try {
    const session = await redeemReset(visit.parts.identity, token, { ...checked.data, ...visit.origin });
    if (!session) return null;
    await startSession(visit, session);
    leaveNotice(visit, 'password_reset');
    return { done: true };
  } catch (error) {
    return { errors: fieldErrorOf(error, { password: 'The new password' }) };
  }
}

function view(token: string, email: string, errors: FieldErrors = {}): Page {
  const failed = Object.keys(errors).length > 0;
  return {
    title: 'Choose a new password',
    status: failed ? 400 : 200,
    failed,
    body: html`<div class="card stack">
<h1>Choose a new password</h1>
${errorSummary(errors)}
${form(
  PATH,
  html`${hidden('token', token)}
${field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', value: email, readonly: true })}
${field({ name: 'password', label: 'New password', type: 'password', autocomplete: 'new-password', hint: NEW_PASSWORD_HINT }, errors)}
<button class="whole">Set password and sign in</button>`,
)}
<p class="hint">Every browser and application that uses the account is signed out.</p>
</div>`,
  };
}
