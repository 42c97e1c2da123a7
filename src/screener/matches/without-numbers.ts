import { MAX_NAMED_MISSING } from '../../contract/index.ts';
import type { Executor } from '../../platform/index.ts';
import type { SessionDate } from '../evaluate/metrics-source.ts';
import type { ScreenerTables } from '../tables.ts';

/** The symbols of a list that a session has no numbers of, the first of them: nobody looked at them, or their close is missing. */
export async function withoutNumbers(
  executor: Executor,
  session: SessionDate,
  symbols: readonly string[],
): Promise<string[]> {
  const rows = await executor
    .query<ScreenerTables>()
    .selectFrom('daily_metrics')
    .select('symbol')
    .where('session', '=', session)
    .where((where) => where('symbol', '=', where.fn.any(where.val([...symbols]))))
    .execute();
  const known = new Set(rows.map(({ symbol }) => symbol));
  return symbols.filter((symbol) => !known.has(symbol)).slice(0, MAX_NAMED_MISSING);
}
