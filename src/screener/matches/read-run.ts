import { MAX_NAMED_MISSING } from '../../contract/index.ts';
import type { Executor } from '../../platform/index.ts';
import type { SessionDate } from '../evaluate/metrics-source.ts';
import type { ScreenerRunTable, ScreenerTables } from '../tables.ts';
import { withoutNumbers } from './without-numbers.ts';

/** How far the run of a session is, as one filter is concerned. */
export interface ListedRun extends Pick<ScreenerRunTable, 'state' | 'completed_at'> {
  /** Symbols that the filter looks at and that have no numbers: the first of them. */
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
  // Of all symbols those that were waited for; a list says itself what it asks for.
  const missing =
    universe === null ? run.missing.slice(0, MAX_NAMED_MISSING) : await withoutNumbers(executor, session, universe);
  return { ...run, missing };
}
