import { type RawBuilder, sql } from 'kysely';

/**
 * Returns a value for a jsonb column. It is needed for arrays, because a JavaScript array would become a PostgreSQL
 * array, and for top-level strings, numbers and null. Plain objects can be passed directly.
 *
 * @example
 * await tx.query<Tables>().insertInto('runs').values({ id, methods: jsonb(['ets', 'theta']) }).execute();
 */
export function jsonb<T>(value: T): RawBuilder<T> {
  return sql<T>`${JSON.stringify(value)}::jsonb`;
}

/** Like `jsonb`, but for a json column, which keeps the order of fields. */
export function json<T>(value: T): RawBuilder<T> {
  return sql<T>`${JSON.stringify(value)}::json`;
}
