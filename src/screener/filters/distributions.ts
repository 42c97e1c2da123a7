import { sql } from 'kysely';
import { SCREENER_FIELDS, SCREENER_LEVELS, type ScreenerField } from '../../contract/index.ts';
import type { Database, Executor } from '../../platform/index.ts';
import { type SessionDate, storedMetrics } from '../evaluate/metrics-source.ts';
import type { ScreenerTables } from '../tables.ts';

/** How the values of a field are distributed over the symbols that filters with the universe `all` cover. */
export interface Distribution {
  /** The number of symbols that have a value. */
  readonly count: number;
  readonly missing: number;
  /** The values at SCREENER_LEVELS; empty if no symbol has a value. */
  readonly values: readonly number[];
}

export interface Distributions {
  readonly session: SessionDate;
  readonly of: ReadonlyMap<ScreenerField, Distribution>;
}

/** The metrics of a completed run do not change, so each process computes their distributions once. */
const known = new WeakMap<Database, { readonly run: string; readonly computed: Promise<Distributions> }>();

/** Returns the distribution of each field in the latest evaluated session; null if there is no such session. */
export async function readDistributions(database: Database): Promise<Distributions | null> {
  const latest = await database
    .query<ScreenerTables>()
    .selectFrom('screener_run')
    .select(['session', 'completed_at'])
    .where('state', '=', 'completed')
    .orderBy('session', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (latest === undefined) return null;
  const run = `${latest.session} ${latest.completed_at?.getTime()}`;
  const stored = known.get(database);
  if (stored?.run === run) return stored.computed;
  const computed = computeDistributions(database, latest.session);
  const entry = { run, computed };
  known.set(database, entry);
  // After a failure, the next request computes them again.
  computed.catch(() => known.get(database) === entry && known.delete(database));
  return computed;
}

async function computeDistributions(executor: Executor, session: SessionDate): Promise<Distributions> {
  const levels = sql<number[]>`${[...SCREENER_LEVELS]}::float8[]`;
  const columns = SCREENER_FIELDS.flatMap((field) => {
    const column = sql`m.${sql.id(field)}`;
    return [
      sql`count(${column})::int AS ${sql.id(`${field}_count`)}`,
      sql`percentile_cont(${levels}) WITHIN GROUP (ORDER BY ${column}) AS ${sql.id(field)}`,
    ];
  });
  const { rows } = await sql<Record<string, number | number[] | null>>`
    SELECT count(*)::int AS symbols, ${sql.join(columns)} FROM ${storedMetrics(session)} AS m WHERE m.shared
  `.execute(executor.query());
  const row = rows[0] ?? {};
  const entries = SCREENER_FIELDS.map((field) => {
    const count = Number(row[`${field}_count`] ?? 0);
    const values = (row[field] ?? []) as number[];
    return [field, { count, missing: Number(row.symbols ?? 0) - count, values }] as const;
  });
  return { session, of: new Map(entries) };
}
