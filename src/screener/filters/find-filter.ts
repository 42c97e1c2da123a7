import { Fault } from '../../contract/index.ts';
import type { Executor } from '../../platform/index.ts';
import type { ScreenerFilterTable, ScreenerTables } from '../tables.ts';

export const NO_SUCH_FILTER = 'No filter with this id.';

/** An account's own filter. Somebody else's is answered as one that is not there. */
export async function findFilter(executor: Executor, accountId: string, id: string): Promise<ScreenerFilterTable> {
  const filter = await executor
    .query<ScreenerTables>()
    .selectFrom('screener_filter')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (filter === undefined) throw new Fault('NOT_FOUND', NO_SUCH_FILTER);
  return filter;
}

/** All that an account has, oldest first. */
export function listFilters(executor: Executor, accountId: string): Promise<ScreenerFilterTable[]> {
  return executor
    .query<ScreenerTables>()
    .selectFrom('screener_filter')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}
