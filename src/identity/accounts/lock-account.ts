import type { Transaction } from '../../platform/index.ts';
import type { IdentityTables } from '../tables.ts';

/**
 * Makes changes to one account's keys, password and address happen one after the other, until the transaction ends.
 * Rows that merely refer to the account can be added meanwhile: waiting for those, two could wait for each other.
 */
export async function lockAccount(
  tx: Transaction,
  accountId: string,
): Promise<{ readonly id: string; readonly email: string } | null> {
  const account = await tx
    .query<IdentityTables>()
    .selectFrom('account')
    .select(['id', 'email'])
    .where('id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return account ?? null;
}
