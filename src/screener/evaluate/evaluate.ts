import { sql } from 'kysely';
import type { Executor } from '../../platform/index.ts';
import { compileFilter } from './compile-filter.ts';
import { type Metrics, metricsAt, type SessionDate } from './metrics-source.ts';
import type { FilterMatch, FilterRules, Match, StoredRules } from './rules.ts';

export interface Preview {
  /** How many match. */
  readonly total: number;
  /** The first of them by symbol. */
  readonly matches: readonly Match[];
}

/** What some filters match at a session, whose metrics are stored: in the order of the filters, then of the symbols. */
export function evaluate(
  executor: Executor,
  session: SessionDate,
  filters: readonly StoredRules[],
): Promise<FilterMatch[]> {
  return evaluateOn(executor, metricsAt(session), filters);
}

/** The same on any rows. */
export async function evaluateOn(
  executor: Executor,
  metrics: Metrics,
  filters: readonly StoredRules[],
): Promise<FilterMatch[]> {
  const found: FilterMatch[] = [];
  for (const filter of filters) {
    const { matches } = await previewOn(executor, metrics, filter, null);
    for (const match of matches) found.push({ filterId: filter.id, ...match });
  }
  return found;
}

/** What a filter matches at a session, whose metrics are stored: how many, and the first `limit` of them. */
export function previewFilter(
  executor: Executor,
  session: SessionDate,
  rules: FilterRules,
  limit: number,
): Promise<Preview> {
  return previewOn(executor, metricsAt(session), rules, limit);
}

/** The same on any rows; `limit` null: all of them. */
export async function previewOn(
  executor: Executor,
  metrics: Metrics,
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
