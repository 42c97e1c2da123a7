import { sql } from 'kysely';
import type { Executor } from './database.ts';

/** Returns the size of the database in bytes, without its write-ahead log. */
export async function readDatabaseSize(executor: Executor): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    SELECT pg_database_size(current_database())::float8 AS bytes`.execute(executor.query());
  return rows[0]?.bytes ?? 0;
}
