import { Fault } from '../../contract/index.ts';
import type { ScreenerContext } from '../context.ts';
import type { ScreenerTables } from '../tables.ts';
import { NO_SUCH_FILTER } from './find-filter.ts';

/** Removes a filter and what it matched. A mail that waits looks for its filters when it is sent, and finds it gone. */
export async function deleteFilter(
  { database }: Pick<ScreenerContext, 'database'>,
  accountId: string,
  id: string,
): Promise<void> {
  const removed = await database
    .query<ScreenerTables>()
    .deleteFrom('screener_filter')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returning('id')
    .executeTakeFirst();
  if (removed === undefined) throw new Fault('NOT_FOUND', NO_SUCH_FILTER);
}
