import { sql } from 'kysely';
import type { Executor } from '../../platform/index.ts';
import type { JobTables } from '../tables.ts';

export interface Usage {
  /** Credits of forecasts that wait or run. */
  readonly reserved: number;
  /** Credits of completed forecasts. */
  readonly spent: number;
}

/**
 * What an owner has used of a month.
 *
 * @example await usageOf(database, account.accountId, monthOf(clock.now()))
 */
export async function usageOf(executor: Executor, owner: string, month: string): Promise<Usage> {
  return executor
    .query<JobTables>()
    .selectFrom('ledger_entry')
    .select([
      sql<number>`coalesce(sum(amount) FILTER (WHERE ledger_account = 'reserved'), 0)`.as('reserved'),
      sql<number>`coalesce(sum(amount) FILTER (WHERE ledger_account = 'spent'), 0)`.as('spent'),
    ])
    .where('owner', '=', owner)
    .where('month', '=', month)
    .executeTakeFirstOrThrow();
}
