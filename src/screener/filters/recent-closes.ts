import type { Executor } from '../../platform/index.ts';
import type { SessionDate } from '../evaluate/metrics-source.ts';
import type { ScreenerTables } from '../tables.ts';

/** Returns the recent closes of symbols at a session, by symbol, oldest first. */
export async function readRecentCloses(
  executor: Executor,
  session: SessionDate,
  symbols: readonly string[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  if (symbols.length === 0) return new Map();
  const rows = await executor
    .query<ScreenerTables>()
    .selectFrom('daily_metrics')
    .select(['symbol', 'recent_closes'])
    .where('session', '=', session)
    .where((where) => where('symbol', '=', where.fn.any(where.val([...symbols]))))
    .execute();
  return new Map(rows.map(({ symbol, recent_closes }) => [symbol, recent_closes]));
}
