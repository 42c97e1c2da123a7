import type { z } from 'zod';
import type { Account } from '../../../access/index.ts';
import type { ApiKey, SecurityEventKind } from '../../../contract/index.ts';
import type { ListedGrant, ListedSecurityEvent, ListedSession } from '../../../identity/index.ts';
import type { InvitationView } from '../../../workspaces/index.ts';
import { errorSummary, type FieldErrors, field, form, hidden, NEW_PASSWORD_HINT } from '../forms.ts';
import { type Html, html } from '../html.ts';
import { invitationPath } from './invitation.ts';

/** Renders a button for an action. The label names the object of the action for screen readers. */
function actionButton(action: string, id: string | null, button: string, label?: string): Html {
  return form(
    `/auth/account/${action}`,
    html`${hidden('id', id)}<button class="quiet"${label !== undefined && html` aria-label="${label}"`}>${button}</button>`,
  );
}

function listSection(title: string, intro: string, rows: readonly Html[], after?: Html | false): Html {
  return html`<section class="card stack">
<h2>${title}</h2>
<p class="soft tight">${intro}</p>
${rows.length > 0 && html`<ul class="list">${rows}</ul>`}
${after}
</section>`;
}

/** @param bounced whether emails to the address bounce */
export function addressSection({ email, emailVerified }: Account, bounced: boolean): Html {
  const state = emailVerified ? (bounced ? 'emails bounce' : 'confirmed') : 'not confirmed';
  return html`<section class="card stack">
<h2>Email address</h2>
<p><strong>${email}</strong> ${
    state === 'confirmed' ? html`<span class="tag good">${state}</span>` : html`<span class="tag bad">${state}</span>`
  }</p>
${
  state !== 'confirmed' &&
  html`<p class="soft">Open the link in the email that we send you. You can request at most three emails an hour.</p>
${actionButton('verification', null, 'Send the email again')}`
}
</section>`;
}

/** Renders the open invitations, each with a link to the page that answers it. Without any, there is no section. */
export function invitationsSection(invitations: readonly InvitationView[]): Html | null {
  if (invitations.length === 0) return null;
  const rows = invitations.map(({ invitation_id, kind, workspace_name, invited_by, expires_at }) => {
    const offer = kind === 'ownership' ? 'Become the owner of' : 'Join';
    return html`<li><div><p>${offer} <strong>${workspace_name}</strong></p>
<p class="hint">From ${invited_by}, until ${formatTime(expires_at)}</p></div>
<a class="button quiet" href="${invitationPath(invitation_id)}" aria-label="Answer: ${offer} ${workspace_name}">Answer</a></li>`;
  });
  return listSection('Invitations', 'Nothing changes until you accept an invitation.', rows);
}

export function passwordSection(email: string, errors: FieldErrors): Html {
  return html`<section class="card stack">
<h2>Password</h2>
${errorSummary(errors, 3)}
${form(
  '/auth/account/password',
  html`<input type="hidden" name="username" autocomplete="username" value="${email}">
${field({ name: 'current', label: 'Current password', type: 'password', autocomplete: 'current-password' }, errors)}
${field({ name: 'next', label: 'New password', type: 'password', autocomplete: 'new-password', hint: NEW_PASSWORD_HINT }, errors)}
<button>Change password</button>`,
)}
<p class="hint">Every other browser will be signed out, and applications will need your permission again.</p>
<p class="tight"><a class="tap" href="/auth/forgot">Forgot your current password?</a></p>
</section>`;
}

export function sessionsSection(sessions: readonly ListedSession[], currentId: string): Html {
  const rows = sessions.map((session) => {
    const name = formatBrowser(session.user_agent);
    return html`<li><div><p>${name} ${session.id === currentId && html`<span class="tag good">this one</span>`}</p>
<p class="hint">Signed in ${formatTime(session.created_at)}, last used ${formatTime(session.last_used_at)}</p></div>
${session.id !== currentId && actionButton('sessions/end', session.id, 'Sign out', `Sign out ${name}`)}</li>`;
  });
  const others = sessions.some(({ id }) => id !== currentId);
  return listSection(
    'Signed-in browsers',
    'A browser that is not used for seven days is signed out automatically.',
    rows,
    others && actionButton('sessions/end-others', null, 'Sign out everywhere else'),
  );
}

export function applicationsSection(grants: readonly ListedGrant[]): Html {
  const rows = grants.map(
    ({ id, clientName, createdAt, lastUsedAt }) => html`<li><div><p>${clientName}</p>
<p class="hint">Allowed ${formatTime(createdAt)}, ${lastUsedAt ? html`last used ${formatTime(lastUsedAt)}` : 'not used yet'}</p></div>
${actionButton('applications/revoke', id, 'Revoke', `Revoke ${clientName}`)}</li>`,
  );
  return listSection(
    'Connected applications',
    rows.length > 0
      ? 'These applications can use your account until you revoke their access.'
      : 'No application can use your account.',
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
<p class="hint">Created ${formatTime(created_at)}, ${last_used_at ? html`last used ${formatTime(last_used_at)}` : 'not used yet'}${
      expires_at && html`, expires ${formatTime(expires_at)}`
    }</p></div>
${actionButton('keys/revoke', id, 'Revoke', `Revoke the key ${name}`)}</li>`,
  );
  return listSection(
    'API keys',
    rows.length > 0
      ? 'Keys are created with the API. Revoking a key also revokes the keys created with it.'
      : 'You have no API keys.',
    rows,
  );
}

export function eventsSection(events: readonly ListedSecurityEvent[]): Html {
  const rows = events.map(
    ({ kind, at, network, user_agent }) => html`<li><div><p>${SECURITY_EVENT_TEXTS[kind]}</p>
<p class="hint">${formatTime(at)}${network && html`, from ${network}`}${user_agent && html`, ${formatBrowser(user_agent)}`}</p></div></li>`,
  );
  return listSection('Recent security events', 'If you do not recognize one of these, change your password.', rows);
}

const TIME_FORMAT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

/** Renders a time in UTC: a page without scripts cannot find out the time zone of the browser. */
export function formatTime(at: Date | string): Html {
  const date = new Date(at);
  return html`<time datetime="${date.toISOString()}">${TIME_FORMAT.format(date)} UTC</time>`;
}

/** The order matters, because most browsers also send the names of other browsers. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Returns a short name of a browser and its system, such as "Firefox on Linux". */
export function formatBrowser(userAgent: string | null): string {
  if (!userAgent) return 'Unknown browser';
  const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  if (!browser) return userAgent.slice(0, 60);
  return system ? `${browser} on ${system}` : browser;
}

/** Descriptions of security events for the owner of the account. */
const SECURITY_EVENT_TEXTS: Readonly<Record<SecurityEventKind, string>> = {
  account_created: 'The account was created',
  plan_changed: 'The plan was changed',
  administrator_changed: 'The account was made an administrator, or is one no longer',
  account_locked: 'An operator locked the account',
  account_unlocked: 'An operator unlocked the account',
  account_administered: 'You changed another account as an administrator',
  email_verified: 'The email address was confirmed',
  signed_in: 'Signed in',
  sign_in_failed: 'A sign-in failed: wrong password',
  signed_out: 'Signed out',
  session_ended: 'A browser was signed out from elsewhere',
  sessions_ended: 'Other browsers were signed out',
  password_changed: 'The password was changed',
  password_change_failed: 'A password change failed: wrong current password',
  password_reset: 'The password was reset by a mailed link',
  reset_requested: 'A password reset was requested',
  key_created: 'An API key was created',
  key_revoked: 'An API key was revoked',
  feed_created: 'A feed was created',
  feed_deleted: 'A feed was deleted',
  client_authorized: 'An application was given access',
  grant_revoked: 'The access of an application was revoked',
  token_reuse_detected: 'A refresh token was reused, so the application’s access was revoked',
  outside_identity_linked: 'An account of an external issuer was linked',
  outside_identity_unlinked: 'An account of an external issuer was unlinked',
};
