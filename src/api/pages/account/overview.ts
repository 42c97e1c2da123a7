import { z } from 'zod';
import {
  changePassword,
  endOtherSessions,
  endSessionById,
  listApiKeys,
  listGrants,
  listSecurityEvents,
  listSessions,
  readBouncedAt,
  requestVerification,
  revokeApiKey,
  revokeGrant,
} from '../../../identity/index.ts';
import { listInvitations } from '../../../workspaces/index.ts';
import { limitPasswordAttempts, limitPerNetwork } from '../../limits/request-limits.ts';
import { checkForm, type FieldErrors, hiddenField, noticeBanner, passwordField, toFieldError } from '../forms.ts';
import { html, type Page } from '../html.ts';
import {
  type Notice,
  type PageRoute,
  requireSignIn,
  SeeOther,
  type SignedInVisit,
  setNotice,
  takeNotice,
} from '../visit.ts';
import {
  addressSection,
  applicationsSection,
  eventsSection,
  invitationsSection,
  keysSection,
  passwordSection,
  sessionsSection,
} from './overview-sections.ts';

const MAX_SHOWN_EVENTS = 20;
const MAX_SHOWN_INVITATIONS = 20;

export const accountPage: PageRoute = {
  path: '/auth/account',
  get: requireSignIn((visit) => showAccount(visit)),
};

/** Renders the account page. @param errors the errors of the password form */
async function showAccount(visit: SignedInVisit, errors: FieldErrors = {}, status = 200): Promise<Page> {
  const { account, parts } = visit;
  const { accountId, email } = account;
  const { identity } = parts;
  const [{ invitations }, sessions, grants, keys, events, bounced] = await Promise.all([
    listInvitations(parts.workspaces, account, { limit: MAX_SHOWN_INVITATIONS }),
    listSessions(identity, accountId),
    listGrants(identity, accountId),
    listApiKeys(identity, accountId),
    listSecurityEvents(identity, accountId, { limit: MAX_SHOWN_EVENTS }),
    readBouncedAt(identity.database, accountId),
  ]);
  return {
    title: 'Your account',
    wide: true,
    status,
    failed: status >= 400,
    body: html`<div class="head"><h1>Your account</h1><a class="button quiet" href="/auth/sign-out">Sign out</a></div>
${noticeBanner(takeNotice(visit))}
${addressSection(account, bounced !== null)}
${invitationsSection(invitations)}
${passwordSection(email, errors)}
${sessionsSection(sessions, account.credentialId)}
${applicationsSection(grants)}
${keysSection(keys)}
${eventsSection(events)}`,
  };
}

/** Redirects to the account page, which shows the notice. */
function backWithNotice(visit: SignedInVisit, notice: Notice): SeeOther {
  setNotice(visit, notice);
  return new SeeOther('/auth/account');
}

const IdForm = z.object({ id: hiddenField() });

/** Creates the route of an action on one object. After a second click, the notice states that nothing has changed. */
function actionOnId(
  path: string,
  action: (visit: SignedInVisit, id: string) => Promise<boolean>,
  notice: Notice,
): PageRoute {
  return {
    path: `/auth/account/${path}`,
    post: requireSignIn(async (visit) => {
      const checked = checkForm(IdForm, visit.form);
      const done = checked.ok && (await action(visit, checked.data.id));
      return backWithNotice(visit, done ? notice : 'gone_already');
    }),
  };
}

const PasswordForm = z.object({
  current: passwordField('Enter your current password.'),
  next: passwordField('Choose a new password.'),
});

const passwordAction: PageRoute = {
  path: '/auth/account/password',
  post: requireSignIn(async (visit) => {
    const checked = checkForm(PasswordForm, visit.form);
    if (!checked.ok) return showAccount(visit, checked.errors, 400);
    const { account, parts, origin } = visit;
    await limitPasswordAttempts(visit, account.email);
    const target = { accountId: account.accountId, keptSessionId: account.credentialId, origin };
    try {
      const changed = await changePassword(parts.identity, { ...target, ...checked.data });
      if (!changed) return showAccount(visit, { current: 'The current password is wrong.' }, 403);
    } catch (error) {
      return showAccount(visit, toFieldError(error, { new_password: ['next', 'The new password'] }), 400);
    }
    return backWithNotice(visit, 'password_changed');
  }),
};

/** Limit for one account from one network. Pages and API share the counter. */
const VERIFICATIONS_PER_MINUTE = 5;

const verificationAction: PageRoute = {
  path: '/auth/account/verification',
  post: requireSignIn(async (visit) => {
    const { account, parts, origin } = visit;
    const isConfirmed = account.emailVerified && (await readBouncedAt(parts.database, account.accountId)) === null;
    if (isConfirmed) return backWithNotice(visit, 'gone_already');
    await limitPerNetwork(visit, `verification:${account.accountId}`, VERIFICATIONS_PER_MINUTE, 'verification');
    await requestVerification(parts.identity, { accountId: account.accountId, origin });
    return backWithNotice(visit, 'verification_sent');
  }),
};

const endOthersAction: PageRoute = {
  path: '/auth/account/sessions/end-others',
  post: requireSignIn(async (visit) => {
    const { account, parts, origin } = visit;
    await endOtherSessions(parts.identity, account.accountId, account.credentialId, origin);
    return backWithNotice(visit, 'sessions_ended');
  }),
};

/** The routes of the buttons on the account page. */
export const accountActions: readonly PageRoute[] = [
  passwordAction,
  verificationAction,
  endOthersAction,
  actionOnId(
    'sessions/end',
    ({ account, parts, origin }, id) => endSessionById(parts.identity, account.accountId, id, origin),
    'session_ended',
  ),
  actionOnId(
    'applications/revoke',
    ({ account, parts, origin }, id) => revokeGrant(parts.identity, account.accountId, id, origin),
    'application_revoked',
  ),
  actionOnId(
    'keys/revoke',
    ({ account, parts, origin }, id) =>
      revokeApiKey(parts.identity, { keyId: id, accountId: account.accountId, origin }),
    'key_revoked',
  ),
];
