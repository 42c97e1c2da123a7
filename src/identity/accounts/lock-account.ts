import type { Transaction } from '../../platform/index.ts';
import type { IdentityTables } from '../tables.ts';

/** Makes changes to one account's keys happen one after the other, until the transaction ends. */
export async function lockAccount(tx: Transaction, accountId: string): Promise<void> {
  await tx.query<IdentityTables>().selectFrom('account').select('id').where('id', '=', accountId).forUpdate().execute();
}
