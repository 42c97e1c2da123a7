import type { Transaction } from '../../platform/index.ts';
import type { JobTables } from '../tables.ts';

/**
 * Makes everyone who prepares or saves this forecast wait for the end of the transaction. Both take the forecast first
 * and its proofs second, so that none of them waits for each other in a circle.
 */
export function lockForecast(tx: Transaction, id: string) {
  return tx
    .query<JobTables>()
    .selectFrom('forecast')
    .select(['guest_id', 'workspace_id', 'visibility', 'status'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}
