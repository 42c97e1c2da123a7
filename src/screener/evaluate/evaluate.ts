import { sql } from 'kysely';
import type { Executor } from '../../platform/index.ts';
import { compileFilter } from './compile-filter.ts';
import type { FilterRules, Match } from './filter-rules.ts';
import { type MetricsSource, type SessionDate, storedMetrics } from './metrics-source.ts';

export interface Preview {
  /** The number of matches. */
  readonly total: number;
  /** The first matches, ordered by symbol. */
  readonly matches: readonly Match[];
}

/** Returns the number of matches in the stored metrics of a session, and the first `limit` matches. */
export function previewFilter(
  executor: Executor,
  session: SessionDate,
  rules: FilterRules,
  limit: number,
): Promise<Preview> {
  return previewFilterOn(executor, storedMetrics(session), rules, limit);
}

/** Previews a filter on the given rows of metrics. If the limit is null, all matches are returned. */
export async function previewFilterOn(
  executor: Executor,
  metrics: MetricsSource,
  rules: FilterRules,
  limit: number | null,
): Promise<Preview> {
  const { matches, values } = compileFilter(rules);
  const { rows } = await sql<Match & { total: number }>`
    SELECT m.symbol, ${values} AS "values", count(*) OVER () AS total
    FROM ${metrics} AS m WHERE ${matches} ORDER BY m.symbol COLLATE "C" LIMIT ${limit}::bigint
  `.execute(executor.query());
  return { total: rows[0]?.total ?? 0, matches: rows.map(({ symbol, values }) => ({ symbol, values })) };
}
