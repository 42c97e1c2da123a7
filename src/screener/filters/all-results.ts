import type { Executor } from '../../platform/index.ts';
import type { SessionDate } from '../evaluate/metrics-source.ts';
import type { ScreenerTables } from '../tables.ts';

/** The symbols that a filter selected in one session. */
export interface FilterResult {
  readonly session: SessionDate;
  readonly symbols: readonly string[];
  readonly new_symbols: readonly string[];
}

const PAGE = 100;

/** Yields every stored result of a filter, the newest session first. */
export async function* listResults(executor: Executor, filterId: string): AsyncGenerator<FilterResult> {
  for (let before: SessionDate | null = null; ; ) {
    let select = executor
      .query<ScreenerTables>()
      .selectFrom('screener_result')
      .select(['session', 'symbols', 'new_symbols'])
      .where('filter_id', '=', filterId);
    if (before !== null) select = select.where('session', '<', before);
    const results: FilterResult[] = await select.orderBy('session', 'desc').limit(PAGE).execute();
    yield* results;
    before = results.length < PAGE ? null : (results.at(-1)?.session ?? null);
    if (before === null) return;
  }
}
