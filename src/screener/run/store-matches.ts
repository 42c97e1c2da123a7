import { sql } from 'kysely';
import type { Log, Transaction } from '../../platform/index.ts';
import { compileFilter, FILTERS_PER_PASS, selectMatchedSymbols } from '../evaluate/compile-filter.ts';
import type { SavedFilterRules } from '../evaluate/filter-rules.ts';
import { type SessionDate, storedMetrics } from '../evaluate/metrics-source.ts';
import type { ScreenerTables } from '../tables.ts';
import { previousRun } from './stored-sessions.ts';

/**
 * Evaluates the next filters, in the order of their ids, that have no result for a session. Stores the results.
 *
 * @param after the last id of the previous batch
 * @returns the last id of this batch, or null if no filter is left
 */
export async function storeNextMatches(
  tx: Transaction,
  session: SessionDate,
  after: string,
  log: Pick<Log, 'error'>,
): Promise<string | null> {
  const filters = await lockNextFilters(tx, session, after);
  const last = filters.at(-1);
  if (last === undefined) return null;
  const compilable = filters.filter((filter) => canCompile(filter, log));
  if (compilable.length > 0) await storeMatches(tx, session, compilable);
  return last.id;
}

/** Selects the next filters and locks them against deletion, because their results refer to them. */
async function lockNextFilters(tx: Transaction, session: SessionDate, after: string): Promise<SavedFilterRules[]> {
  const rows = await tx
    .query<ScreenerTables>()
    .selectFrom('screener_filter as f')
    .select(['f.id', 'f.universe', 'f.combine', 'f.conditions'])
    .where('f.id', '>', after)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('screener_result as r')
            .select('r.filter_id')
            .whereRef('r.filter_id', '=', 'f.id')
            .where('r.session', '=', session),
        ),
      ),
    )
    .orderBy('f.id')
    .limit(FILTERS_PER_PASS)
    .forKeyShare()
    .execute();
  return rows.map(({ universe, ...rules }) => ({ ...rules, universe: universe ?? 'all' }));
}

/**
 * Returns whether a filter can be evaluated. One that cannot, such as a filter stored by a later version, must not
 * block the others.
 */
function canCompile(filter: SavedFilterRules, log: Pick<Log, 'error'>): boolean {
  try {
    compileFilter(filter);
    return true;
  } catch (error) {
    log.error({ err: error, filter: filter.id }, 'a stored filter cannot be evaluated');
    return false;
  }
}

async function storeMatches(
  tx: Transaction,
  session: SessionDate,
  filters: readonly SavedFilterRules[],
): Promise<void> {
  // Compiling hundreds of conditions to machine code takes longer than evaluating them on a few thousand rows.
  await sql`SELECT set_config('jit', 'off', true)`.execute(tx.query());
  await sql`
    INSERT INTO screener_result (filter_id, session, symbols, new_symbols, shown)
    SELECT
      found.filter_id, ${session}::date, coalesce(found.symbols, '{}'),
      ARRAY(
        SELECT symbol FROM (SELECT unnest(found.symbols) EXCEPT SELECT unnest(earlier.symbols)) AS fresh(symbol)
        ORDER BY symbol COLLATE "C"
      ),
      found.shown
    FROM ${selectMatchedSymbols(storedMetrics(session), filters)} AS found
    LEFT JOIN screener_result AS earlier
      ON earlier.filter_id = found.filter_id AND earlier.session = ${previousRun(session)}
    ON CONFLICT DO NOTHING
  `.execute(tx.query());
}
