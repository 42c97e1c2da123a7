import { Fault } from '../../contract/index.ts';
import type { IdentityContext } from '../context.ts';
import { checkNewPassword, hashPassword, isRightPassword, isSamePassword } from '../passwords.ts';
import type { Origin } from '../security-events/origin.ts';
import { recordSecurityEvent } from '../security-events/record-event.ts';
import { recordFailedPasswordChange } from '../security-events/record-failure.ts';
import type { IdentityTables } from '../tables.ts';
import { replacePassword } from './replace-password.ts';

export interface PasswordChange {
  readonly accountId: string;
  /** The session that goes on; null: none does. */
  readonly keptSessionId: string | null;
  readonly current: string;
  readonly next: string;
  readonly origin?: Origin | undefined;
}

/** Changes the password and ends the other sessions and what applications were granted. False: `current` is wrong. */
export async function changePassword(context: IdentityContext, change: PasswordChange): Promise<boolean> {
  const { accountId, keptSessionId, current, next, origin } = change;
  checkNewPassword(next, 'new_password');
  const before = await context.database
    .query<IdentityTables>()
    .selectFrom('account')
    .select('password_hash')
    .where('id', '=', accountId)
    .executeTakeFirst();
  const checked = before?.password_hash ?? null;
  if (!(await isRightPassword(current, checked))) {
    await recordFailedPasswordChange(context, accountId, origin);
    return false;
  }
  // Only to who knows it: anybody else would be told by this.
  if (isSamePassword(current, next)) {
    throw new Fault('INVALID_REQUEST', 'new_password: must be another than the present one.');
  }
  const passwordHash = await hashPassword(next);
  const now = context.clock.now();
  return context.database.transaction(async (tx) => {
    const account = await tx
      .query<IdentityTables>()
      .selectFrom('account')
      .select(['id', 'email'])
      .where('id', '=', accountId)
      // What was checked may have been changed meanwhile: then it is wrong by now.
      .where('password_hash', '=', checked)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!account) return false;
    await replacePassword(tx, account, { passwordHash, keptSessionId, now });
    await recordSecurityEvent(tx, { accountId, kind: 'password_changed', at: now, origin });
    return true;
  });
}
