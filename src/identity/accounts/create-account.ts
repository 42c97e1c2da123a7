import type { Plan } from '../../contract/index.ts';
import { newId, type Transaction } from '../../platform/index.ts';
import type { IdentityContext } from '../context.ts';
import { emailTaken } from '../faults.ts';
import { checkNewPassword, hashPassword } from '../passwords.ts';
import { type Origin, recordSecurityEvent } from '../security-events.ts';
import type { IdentityTables } from '../tables.ts';
import { checkAddress } from './email-address.ts';

export interface NewAccount {
  readonly email: string;
  readonly plan?: Plan | undefined;
  readonly administrator?: boolean | undefined;
  readonly verified?: boolean | undefined;
  readonly password?: string | undefined;
}

/** Creates an account. Throws a fault if the address is taken. */
export async function createAccount(
  context: IdentityContext,
  input: NewAccount,
): Promise<{ id: string; email: string; plan: Plan }> {
  const email = checkAddress(input.email);
  if (input.password !== undefined) checkNewPassword(input.password);
  const passwordHash = input.password === undefined ? null : await hashPassword(input.password);
  const { plan = 'free', administrator = false, verified = false } = input;
  const account = await context.database.transaction((tx) =>
    insertAccount(context, tx, { email, plan, administrator, verified, passwordHash }),
  );
  if (!account) throw emailTaken(email);
  return account;
}

interface AccountTraits {
  readonly email: string;
  readonly plan: Plan;
  readonly administrator: boolean;
  readonly verified: boolean;
  readonly passwordHash: string | null;
  readonly origin?: Origin | undefined;
}

/** Inserts an account with its personal workspace and security event. Returns null if the address is taken. */
export async function insertAccount(
  context: IdentityContext,
  tx: Transaction,
  { email, plan, administrator, verified, passwordHash, origin }: AccountTraits,
): Promise<{ id: string; email: string; plan: Plan } | null> {
  const now = context.clock.now();
  const account = { id: newId('usr', now.getTime()), email, plan };
  const inserted = await tx
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
  if (!inserted) return null;
  await context.onAccountCreated(tx, account, now);
  await recordSecurityEvent(tx, { accountId: account.id, kind: 'account_created', at: now, origin });
  return account;
}
