import { sql } from 'kysely';
import type { Database } from '../../src/platform/index.ts';

export interface RowSize {
  readonly table: string;
  readonly rows: number;
  /** With indexes and with values that are stored apart. */
  readonly bytesPerRow: number;
}

/** Returns the size of the rows of each table that has at least `minRows`, largest total first. */
export async function readRowSizes(database: Database, minRows: number): Promise<RowSize[]> {
  const { rows: tables } = await sql<{ name: string; bytes: number }>`
    SELECT format('%I.%I', schemaname, relname) AS name, pg_total_relation_size(relid)::float8 AS bytes
    FROM pg_stat_user_tables ORDER BY bytes DESC`.execute(database.query());
  const sizes: RowSize[] = [];
  for (const { name, bytes } of tables) {
    const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count FROM ${sql.raw(name)}`.execute(
      database.query(),
    );
    const count = rows[0]?.count ?? 0;
    if (count >= minRows) sizes.push({ table: name, rows: count, bytesPerRow: bytes / count });
  }
  return sizes;
}
