import type { Plan } from '../../contract/index.ts';
import { newId, type Transaction } from '../../platform/index.ts';
import type { IdentityContext } from '../context.ts';
import type { Origin } from '../security-events/origin.ts';
import { recordSecurityEvent } from '../security-events/record-event.ts';
import type { IdentityTables } from '../tables.ts';

export interface AccountTraits {
  readonly email: string;
  readonly plan: Plan;
  readonly administrator: boolean;
  readonly verified: boolean;
  readonly passwordHash: string | null;
  readonly origin?: Origin | undefined;
}

/** Makes an account with all that belongs to it, or nothing. Null when the address is taken. */
export async function insertAccount(
  context: IdentityContext,
  tx: Transaction,
  { email, plan, administrator, verified, passwordHash, origin }: AccountTraits,
): Promise<{ id: string; email: string; plan: Plan } | null> {
  const now = context.clock.now();
  const account = { id: newId('usr', now.getTime()), email, plan };
  const made = await tx
    .query<IdentityTables>()
    .insertInto('account')
    .values({
      ...account,
      email_verified: verified,
      password_hash: passwordHash,
      administrator,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!made) return null;
  await context.onAccountCreated(tx, account, now);
  await recordSecurityEvent(tx, { accountId: account.id, kind: 'account_created', at: now, origin });
  return account;
}
