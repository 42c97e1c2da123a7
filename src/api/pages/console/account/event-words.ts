import type { SecurityEventKind } from '../../../../contract/index.ts';

/** Descriptions of security events for the owner of the account. */
export const SECURITY_EVENT_WORDS: Readonly<Record<SecurityEventKind, string>> = {
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
  webhook_created: 'A webhook was created',
  webhook_rotated: 'The secret of a webhook was rotated',
  webhook_deleted: 'A webhook was deleted',
  feed_deleted: 'A feed was deleted',
  client_authorized: 'An application was given access',
  grant_revoked: 'The access of an application was revoked',
  token_reuse_detected: 'A refresh token was reused, so the application’s access was revoked',
  outside_identity_linked: 'An account of an external issuer was linked',
  outside_identity_unlinked: 'An account of an external issuer was unlinked',
};

/** The kinds that their owner should look at twice. */
export const ALARMING: readonly SecurityEventKind[] = [
  'sign_in_failed',
  'password_change_failed',
  'token_reuse_detected',
];

/** The details that say something to a person, such as the name of a key. */
const SHOWN = ['name', 'client', 'plan', 'issuer'] as const;

/** Returns what a person wants to know about an event, such as the name of a key; null if nothing. */
export function describeDetails(details: Readonly<Record<string, string>>): string | null {
  const shown = SHOWN.flatMap((name) => (Object.hasOwn(details, name) ? [details[name] ?? ''] : []));
  return shown.length === 0 ? null : shown.join(', ');
}
