import { type RawBuilder, sql } from 'kysely';

/**
 * Returns a value for a jsonb column. Needed for arrays (a bare JavaScript array becomes a PostgreSQL array, not JSON) and for
 * top-level strings, numbers and null; plain objects may be passed directly.
 *
 * @example
 * await tx.query<Tables>().insertInto('runs').values({ id, methods: jsonb(['ets', 'theta']) }).execute();
 */
export function jsonb<T>(value: T): RawBuilder<T> {
  return sql<T>`${JSON.stringify(value)}::jsonb`;
}

/** Returns a value for a json column, which keeps the order of fields; otherwise like `jsonb`. */
export function json<T>(value: T): RawBuilder<T> {
  return sql<T>`${JSON.stringify(value)}::json`;
}
