import type { z } from 'zod';
import type { Account } from '../../../../access/index.ts';
import type { ApiKey } from '../../../../contract/index.ts';
import type { ListedGrant, ListedSecurityEvent, ListedSession } from '../../../../identity/index.ts';
import { errorSummary, type FieldErrors, field, form, hidden } from '../markup/form.ts';
import { type Html, html } from '../markup/html.ts';
import { NEW_PASSWORD_HINT } from '../new-password.ts';
import { browserName, EVENT_WORDS, moment } from './words.ts';

/** A form of one button that does something with one thing. Its name says with which, for those who hear it alone. */
function act(action: string, id: string | null, button: string, label?: string): Html {
  return form(
    `/auth/account/${action}`,
    html`${hidden('id', id)}<button class="quiet"${label !== undefined && html` aria-label="${label}"`}>${button}</button>`,
  );
}

function list(title: string, intro: string, rows: readonly Html[], after?: Html | false): Html {
  return html`<section class="card stack">
<h2>${title}</h2>
<p class="soft tight">${intro}</p>
${rows.length > 0 && html`<ul class="list">${rows}</ul>`}
${after}
</section>`;
}

/** @param bounced whether mails to it come back */
export function addressSection({ email, emailVerified }: Account, bounced: boolean): Html {
  const standing = emailVerified ? (bounced ? 'mails come back' : 'confirmed') : 'not confirmed';
  return html`<section class="card stack">
<h2>E-mail address</h2>
<p><strong>${email}</strong> ${
    standing === 'confirmed'
      ? html`<span class="tag good">${standing}</span>`
      : html`<span class="tag bad">${standing}</span>`
  }</p>
${
  standing !== 'confirmed' &&
  html`<p class="soft">Open the link in the mail that we send you. It can be sent five times an hour.</p>
${act('verification', null, 'Send the mail again')}`
}
</section>`;
}

export function passwordSection(email: string, errors: FieldErrors): Html {
  return html`<section class="card stack">
<h2>Password</h2>
${errorSummary(errors, 3)}
${form(
  '/auth/account/password',
  html`<input type="hidden" name="username" autocomplete="username" value="${email}">
${field({ name: 'current', label: 'Present password', type: 'password', autocomplete: 'current-password' }, errors)}
${field({ name: 'next', label: 'New password', type: 'password', autocomplete: 'new-password', hint: NEW_PASSWORD_HINT }, errors)}
<button>Change password</button>`,
)}
<p class="hint">Every other browser is signed out, and applications have to ask again.</p>
<p class="tight"><a class="tap" href="/auth/forgot">Forgot your present password?</a></p>
</section>`;
}

export function sessionsSection(sessions: readonly ListedSession[], currentId: string): Html {
  const rows = sessions.map((session) => {
    const name = browserName(session.user_agent);
    return html`<li><div><p>${name} ${session.id === currentId && html`<span class="tag good">this one</span>`}</p>
<p class="hint">Signed in ${moment(session.created_at)}, last used ${moment(session.last_used_at)}</p></div>
${session.id !== currentId && act('sessions/end', session.id, 'Sign out', `Sign out ${name}`)}</li>`;
  });
  const others = sessions.some(({ id }) => id !== currentId);
  return list(
    'Signed-in browsers',
    'A browser that is left alone for seven days is signed out by itself.',
    rows,
    others && act('sessions/end-others', null, 'Sign out everywhere else'),
  );
}

export function applicationsSection(grants: readonly ListedGrant[]): Html {
  const rows = grants.map(
    ({ id, clientName, createdAt, lastUsedAt }) => html`<li><div><p>${clientName}</p>
<p class="hint">Allowed ${moment(createdAt)}, ${lastUsedAt ? html`last used ${moment(lastUsedAt)}` : 'not used yet'}</p></div>
${act('applications/revoke', id, 'Revoke', `Revoke ${clientName}`)}</li>`,
  );
  return list(
    'Connected applications',
    rows.length > 0 ? 'They can use your account until you revoke them.' : 'No application can use your account.',
    rows,
  );
}

export function keysSection(keys: readonly z.output<typeof ApiKey>[]): Html {
  const rows = keys.map(
    ({
      id,
      name,
      hint,
      created_at,
      expires_at,
      last_used_at,
    }) => html`<li><div><p>${name} <code class="small">${hint}…</code></p>
<p class="hint">Made ${moment(created_at)}, ${last_used_at ? html`last used ${moment(last_used_at)}` : 'not used yet'}${
      expires_at && html`, expires ${moment(expires_at)}`
    }</p></div>
${act('keys/revoke', id, 'Revoke', `Revoke the key ${name}`)}</li>`,
  );
  return list(
    'API keys',
    rows.length > 0 ? 'Keys are made with the API. Revoking one ends those made with it, too.' : 'There are none.',
    rows,
  );
}

export function eventsSection(events: readonly ListedSecurityEvent[]): Html {
  const rows = events.map(
    ({ kind, at, network, user_agent }) => html`<li><div><p>${EVENT_WORDS[kind]}</p>
<p class="hint">${moment(at)}${network && html`, from ${network}`}${user_agent && html`, ${browserName(user_agent)}`}</p></div></li>`,
  );
  return list('Recent security events', 'If one of these was not you, change your password.', rows);
}
