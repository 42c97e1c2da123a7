import type { Executor } from '../../platform/index.ts';
import type { FillTables, MarketFillTable } from './tables.ts';

/** How far the bulk read of daily bars from a provider is. */
export type FillState = Pick<
  MarketFillTable,
  | 'provider'
  | 'session'
  | 'unit'
  | 'total'
  | 'done'
  | 'started_at'
  | 'updated_at'
  | 'completed_at'
  | 'completed_session'
  | 'last_fault'
>;

/** Returns the progress of the bulk reads by provider. A provider from which nothing was read in bulk has none. */
export async function readFillProgress(executor: Executor): Promise<ReadonlyMap<string, FillState>> {
  const rows = await executor
    .query<FillTables>()
    .selectFrom('market_fill')
    .select(['provider', 'session', 'unit', 'total', 'done', 'started_at', 'updated_at'])
    .select(['completed_at', 'completed_session', 'last_fault'])
    .execute();
  return new Map(rows.map((row) => [row.provider, row]));
}
