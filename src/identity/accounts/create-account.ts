import { email as emailSchema, Fault, type Plan } from '../../contract/index.ts';
import { isUniqueViolation, newId } from '../../platform/index.ts';
import type { IdentityContext } from '../context.ts';
import { checkNewPassword, hashPassword } from '../passwords.ts';
import type { IdentityTables } from '../tables.ts';

export interface NewAccount {
  readonly email: string;
  readonly plan?: Plan | undefined;
  readonly administrator?: boolean | undefined;
  readonly verified?: boolean | undefined;
  readonly password?: string | undefined;
}

/** Makes an account with all that belongs to it, or nothing. An address that is taken is a CONFLICT. */
export async function createAccount(
  context: IdentityContext,
  input: NewAccount,
): Promise<{ id: string; email: string; plan: Plan }> {
  const address = emailSchema().safeParse(input.email);
  if (!address.success) throw new Fault('INVALID_REQUEST', 'email: must be an e-mail address.');
  if (input.password !== undefined) checkNewPassword(input.password);
  const passwordHash = input.password === undefined ? null : await hashPassword(input.password);
  const now = context.clock.now();
  const account = { id: newId('usr', now.getTime()), email: address.data, plan: input.plan ?? 'free' };
  try {
    await context.database.transaction(async (tx) => {
      await tx
        .query<IdentityTables>()
        .insertInto('account')
        .values({
          ...account,
          email_verified: input.verified ?? false,
          password_hash: passwordHash,
          administrator: input.administrator ?? false,
          created_at: now,
          updated_at: now,
        })
        .execute();
      await context.onAccountCreated(tx, account, now);
    });
  } catch (error) {
    if (isUniqueViolation(error, 'account_email_unique')) {
      throw new Fault('CONFLICT', `email: an account with ${account.email} exists already.`);
    }
    throw error;
  }
  return account;
}
