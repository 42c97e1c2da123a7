import type { Transaction } from '../../platform/index.ts';
import type { IdentityContext } from '../context.ts';
import { passwordUnchanged } from '../faults.ts';
import { closeAccountLinks } from '../links/close-links.ts';
import { revokeGrants } from '../oauth/grants.ts';
import { checkNewPassword, hashPassword, isCorrectPassword, isSamePassword } from '../passwords.ts';
import { type Origin, recordFailedPasswordChange, recordSecurityEvent } from '../security-events.ts';
import { removeSessions } from '../sessions/manage-sessions.ts';
import type { IdentityTables } from '../tables.ts';
import { lockAccount, requireAccount } from './accounts.ts';

export interface PasswordChange {
  readonly accountId: string;
  /** The session that is kept; null if every session ends. */
  readonly keptSessionId: string | null;
  readonly current: string;
  readonly next: string;
  readonly origin?: Origin | undefined;
}

/**
 * Checks the password of an account that is signed in. Records a wrong one.
 *
 * @returns the hash of the password; null if the password is wrong
 */
export async function checkPassword(
  context: IdentityContext,
  {
    accountId,
    password,
    origin,
  }: { readonly accountId: string; readonly password: string; readonly origin?: Origin | undefined },
): Promise<string | null> {
  const account = await context.database
    .query<IdentityTables>()
    .selectFrom('account')
    .select('password_hash')
    .where('id', '=', accountId)
    .executeTakeFirst();
  const hash = account?.password_hash ?? null;
  if (await isCorrectPassword(password, hash)) return hash;
  await recordFailedPasswordChange(context, accountId, origin);
  return null;
}

/** Changes the password and ends the other sessions and all grants. Returns false if `current` is wrong. */
export async function changePassword(context: IdentityContext, change: PasswordChange): Promise<boolean> {
  const { accountId, keptSessionId, current, next, origin } = change;
  checkNewPassword(next, 'new_password');
  const checkedHash = await checkPassword(context, { accountId, password: current, origin });
  if (checkedHash === null) return false;
  // Thrown only after the check, because this error confirms that `current` is the password.
  if (isSamePassword(current, next)) throw passwordUnchanged();
  const passwordHash = await hashPassword(next);
  const now = context.clock.now();
  return context.database.transaction(async (tx) => {
    const locked = await tx
      .query<IdentityTables>()
      .selectFrom('account')
      .select(['id', 'email'])
      .where('id', '=', accountId)
      // If the password has changed since the check, `current` is now wrong.
      .where('password_hash', '=', checkedHash)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!locked) return false;
    await replacePassword(tx, locked, { passwordHash, keptSessionId, now });
    await recordSecurityEvent(tx, { accountId, kind: 'password_changed', at: now, origin });
    return true;
  });
}

/** Sets the password of an account without checking the current one. Ends every session and every grant. */
export async function setPassword(
  context: IdentityContext,
  email: string,
  password: string,
): Promise<{ id: string; email: string; changed: true }> {
  checkNewPassword(password);
  const account = await requireAccount(context.database, email);
  const passwordHash = await hashPassword(password);
  const now = context.clock.now();
  await context.database.transaction(async (tx) => {
    await lockAccount(tx, account.id);
    await replacePassword(tx, account, { passwordHash, keptSessionId: null, now });
    await recordSecurityEvent(tx, { accountId: account.id, kind: 'password_changed', at: now });
  });
  return { ...account, changed: true };
}

/**
 * Stores a new password and ends the other sessions, the grants and the links to reset the password, because a thief may
 * have obtained them with the old password. Lock the account first.
 */
export async function replacePassword(
  tx: Transaction,
  { id, email }: { readonly id: string; readonly email: string },
  change: { readonly passwordHash: string; readonly keptSessionId: string | null; readonly now: Date },
): Promise<void> {
  const { passwordHash, keptSessionId, now } = change;
  await tx
    .query<IdentityTables>()
    .updateTable('account')
    .set({ password_hash: passwordHash, updated_at: now })
    .where('id', '=', id)
    .execute();
  await removeSessions(tx, { accountId: id, keptSessionId, now });
  await revokeGrants(tx, id);
  await closeAccountLinks(tx, { email, now, kinds: ['reset_password'] });
}
