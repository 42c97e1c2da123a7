import { MAX_NAMED_MISSING } from '../../contract/index.ts';
import type { Executor } from '../../platform/index.ts';
import type { SessionDate } from '../evaluate/index.ts';
import type { ScreenerRunTable, ScreenerTables } from '../tables.ts';

/** How far the run of a session is, as one filter is concerned. */
export interface ListedRun extends Pick<ScreenerRunTable, 'state' | 'completed_at'> {
  /** Symbols that the filter looks at and whose close did not come: the first of them. */
  readonly missing: readonly string[];
}

/** @param universe of the filter; null: all */
export async function readRun(
  executor: Executor,
  session: SessionDate,
  universe: readonly string[] | null,
): Promise<ListedRun | null> {
  const run = await executor
    .query<ScreenerTables>()
    .selectFrom('screener_run')
    .select(['state', 'completed_at', 'missing'])
    .where('session', '=', session)
    .executeTakeFirst();
  if (run === undefined) return null;
  const looked = universe === null ? null : new Set(universe);
  const missing = run.missing.filter((symbol) => looked === null || looked.has(symbol));
  return { ...run, missing: missing.slice(0, MAX_NAMED_MISSING) };
}
