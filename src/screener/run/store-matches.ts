import { sql } from 'kysely';
import type { Log, Transaction } from '../../platform/index.ts';
import { FILTERS_A_PASS, symbolsMatched } from '../evaluate/batch.ts';
import { compileFilter } from '../evaluate/compile-filter.ts';
import { metricsAt, type SessionDate } from '../evaluate/metrics-source.ts';
import type { StoredRules } from '../evaluate/rules.ts';
import type { ScreenerTables } from '../tables.ts';

/**
 * Evaluates the next filters by id that have no result for a session, and stores theirs.
 *
 * @param after the id that the call before ended with
 * @returns the id that this one ended with; null: there are no more
 */
export async function storeNextMatches(
  tx: Transaction,
  session: SessionDate,
  after: string,
  log: Pick<Log, 'error'>,
): Promise<string | null> {
  const filters = await nextFilters(tx, session, after);
  const last = filters.at(-1);
  if (last === undefined) return null;
  const usable = filters.filter((filter) => isUsable(filter, log));
  if (usable.length > 0) await storeMatches(tx, session, usable);
  return last.id;
}

/** Locked against being deleted: their results refer to them. */
async function nextFilters(tx: Transaction, session: SessionDate, after: string): Promise<StoredRules[]> {
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
    .limit(FILTERS_A_PASS)
    .forKeyShare()
    .execute();
  return rows.map(({ universe, ...rules }) => ({ ...rules, universe: universe ?? 'all' }));
}

/** One that cannot be evaluated (a later version wrote it, say) must not keep all others from their matches. */
function isUsable(filter: StoredRules, log: Pick<Log, 'error'>): boolean {
  try {
    compileFilter(filter);
    return true;
  } catch (error) {
    log.error({ err: error, filter: filter.id }, 'a filter cannot be evaluated');
    return false;
  }
}

async function storeMatches(tx: Transaction, session: SessionDate, filters: readonly StoredRules[]): Promise<void> {
  // Compiling hundreds of conditions to machine code takes longer than asking them of some thousand rows.
  await sql`SELECT set_config('jit', 'off', true)`.execute(tx.query());
  await sql`
    WITH before AS (SELECT max(session) AS session FROM screener_run WHERE session < ${session}::date AND state = 'completed')
    INSERT INTO screener_result (filter_id, session, symbols, new_symbols, shown)
    SELECT
      found.filter_id, ${session}::date, coalesce(found.symbols, '{}'),
      ARRAY(
        SELECT symbol FROM (SELECT unnest(found.symbols) EXCEPT SELECT unnest(earlier.symbols)) AS fresh(symbol)
        ORDER BY symbol COLLATE "C"
      ),
      found.shown
    FROM ${symbolsMatched(metricsAt(session), filters)} AS found
    LEFT JOIN screener_result AS earlier
      ON earlier.filter_id = found.filter_id AND earlier.session = (SELECT session FROM before)
    ON CONFLICT DO NOTHING
  `.execute(tx.query());
}
