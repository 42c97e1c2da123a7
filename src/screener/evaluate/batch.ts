import { type RawBuilder, sql } from 'kysely';
import { compileFilter, namedColumns } from './compile-filter.ts';
import type { Metrics } from './metrics-source.ts';
import type { StoredRules } from './rules.ts';

/** So many filters share one pass over the rows: more take longer to plan than they save. */
export const FILTERS_A_PASS = 200;

/**
 * The symbols that each of some filters matches, as `(filter_id, symbols, shown)`; symbols are null where there
 * are none. All of them are
 * found in one pass over the rows: a pass for each would spend its time on fetching the same rows again.
 */
export function symbolsMatched(metrics: Metrics, filters: readonly StoredRules[]): RawBuilder<unknown> {
  const lists = filters.map(
    (filter, i) => sql`array_agg(m.symbol) FILTER (WHERE ${compileFilter(filter).matches}) AS ${sql.id(`list_${i}`)}`,
  );
  const rows = filters.map(
    ({ id, conditions }, i) => sql`(${id}::text, found.${sql.id(`list_${i}`)}, ${namedColumns(conditions)}::text[])`,
  );
  return sql`(
    SELECT one.filter_id, one.symbols, one.shown
    FROM (SELECT ${sql.join(lists)} FROM (SELECT * FROM ${metrics} AS any_order ORDER BY symbol COLLATE "C") AS m) AS found
    CROSS JOIN LATERAL (VALUES ${sql.join(rows)}) AS one(filter_id, symbols, shown)
  )`;
}
