import type { z } from 'zod';
import type { ScreenerAlert } from '../../contract/index.ts';
import type { Executor } from '../../platform/index.ts';
import { viewRules } from '../evaluate/filter-rules.ts';
import { filterNotFound } from '../faults.ts';
import type { ScreenerFilterTable, ScreenerTables } from '../tables.ts';

/** Returns a filter of the account. Filters of other accounts are reported as not found. */
export async function findFilter(executor: Executor, accountId: string, id: string): Promise<ScreenerFilterTable> {
  const filter = await executor
    .query<ScreenerTables>()
    .selectFrom('screener_filter')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (filter === undefined) throw filterNotFound();
  return filter;
}

/** Returns all filters of an account, oldest first. */
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

/** Returns a filter as the API shows it. */
export function viewFilter(row: ScreenerFilterTable): z.input<typeof ScreenerAlert> {
  return {
    id: row.id,
    name: row.name,
    ...viewRules(row),
    email: row.email,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
