import { z } from 'zod';
import {
  bouncedSince,
  changePassword,
  endOtherSessions,
  endSessionById,
  requestVerification,
  revokeApiKey,
  revokeGrant,
} from '../../../../identity/index.ts';
import { limitGuesses, limitPerNetwork } from '../../../limits/limit-per-network.ts';
import { checkForm, fieldErrorOf, hiddenField, passwordField } from '../http/check-form.ts';
import { forMembers } from '../http/member.ts';
import { leaveNotice, type Notice } from '../http/notices.ts';
import { type MemberVisit, type PageRoute, SeeOther } from '../http/visit.ts';
import { showAccount } from './page.ts';

/** Back to the account, with a word about what was done there. */
function back(visit: MemberVisit, said: Notice): SeeOther {
  leaveNotice(visit, said);
  return new SeeOther('/auth/account');
}

const Chosen = z.object({ id: hiddenField() });

/** An action on one thing of the account. A second press of the same button finds nothing more to do, and says so. */
function onChosen(path: string, act: (visit: MemberVisit, id: string) => Promise<boolean>, said: Notice): PageRoute {
  return {
    path: `/auth/account/${path}`,
    post: forMembers(async (visit) => {
      const checked = checkForm(Chosen, visit.form);
      const done = checked.ok && (await act(visit, checked.data.id));
      return back(visit, done ? said : 'gone_already');
    }),
  };
}

const PasswordForm = z.object({
  current: passwordField('Enter your present password.'),
  next: passwordField('Choose a new password.'),
});

const passwordAction: PageRoute = {
  path: '/auth/account/password',
  post: forMembers(async (visit) => {
    const checked = checkForm(PasswordForm, visit.form);
    if (!checked.ok) return showAccount(visit, checked.errors, 400);
    const { account, parts, origin } = visit;
    await limitGuesses(visit, account.email);
    const who = { accountId: account.accountId, keptSessionId: account.credentialId, origin };
    try {
      const changed = await changePassword(parts.identity, { ...who, ...checked.data });
      if (!changed) return showAccount(visit, { current: 'The present password is wrong.' }, 403);
    } catch (error) {
      return showAccount(visit, fieldErrorOf(error, { new_password: ['next', 'The new password'] }), 400);
    }
    return back(visit, 'password_changed');
  }),
};

/** A minute; the same count as by the API. */
const VERIFICATIONS = 5;

const verificationAction: PageRoute = {
  path: '/auth/account/verification',
  post: forMembers(async (visit) => {
    const { account, parts, origin } = visit;
    const isSettled = account.emailVerified && (await bouncedSince(parts.database, account.accountId)) === null;
    if (isSettled) return back(visit, 'gone_already');
    await limitPerNetwork(visit, `verification:${account.accountId}`, VERIFICATIONS, 'Too many verification mails.');
    await requestVerification(parts.identity, { accountId: account.accountId, origin });
    return back(visit, 'verification_sent');
  }),
};

const endOthersAction: PageRoute = {
  path: '/auth/account/sessions/end-others',
  post: forMembers(async (visit) => {
    const { account, parts, origin } = visit;
    await endOtherSessions(parts.identity, account.accountId, account.credentialId, origin);
    return back(visit, 'sessions_ended');
  }),
};

/** What the buttons of the account page do. */
export const accountActions: readonly PageRoute[] = [
  passwordAction,
  verificationAction,
  endOthersAction,
  onChosen(
    'sessions/end',
    ({ account, parts, origin }, id) => endSessionById(parts.identity, account.accountId, id, origin),
    'session_ended',
  ),
  onChosen(
    'applications/revoke',
    ({ account, parts, origin }, id) => revokeGrant(parts.identity, account.accountId, id, origin),
    'application_revoked',
  ),
  onChosen(
    'keys/revoke',
    ({ account, parts, origin }, id) =>
      revokeApiKey(parts.identity, { keyId: id, accountId: account.accountId, origin }),
    'key_revoked',
  ),
];
