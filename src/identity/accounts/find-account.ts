import { Fault } from '../../contract/index.ts';
import type { Executor } from '../../platform/index.ts';
import type { IdentityTables } from '../tables.ts';

/** The account with this address, or null. */
export async function findAccount(executor: Executor, email: string): Promise<{ id: string; email: string } | null> {
  const row = await executor
    .query<IdentityTables>()
    .selectFrom('account')
    .select(['id', 'email'])
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst();
  return row ?? null;
}

/** The same for callers that named the account themselves and should be told that there is none. */
export async function requireAccount(executor: Executor, email: string): Promise<{ id: string; email: string }> {
  const account = await findAccount(executor, email);
  if (!account) throw new Fault('NOT_FOUND', `No account with the address ${email}.`);
  return account;
}
