import { Fault, type Plan } from '../../contract/index.ts';
import type { IdentityContext } from '../context.ts';
import { checkNewPassword, hashPassword } from '../passwords.ts';
import { checkAddress } from './check-address.ts';
import { insertAccount } from './insert-account.ts';

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
  const email = checkAddress(input.email);
  if (input.password !== undefined) checkNewPassword(input.password);
  const passwordHash = input.password === undefined ? null : await hashPassword(input.password);
  const { plan = 'free', administrator = false, verified = false } = input;
  const account = await context.database.transaction((tx) =>
    insertAccount(context, tx, { email, plan, administrator, verified, passwordHash }),
  );
  if (!account) throw new Fault('CONFLICT', `email: an account with ${email} exists already.`);
  return account;
}
