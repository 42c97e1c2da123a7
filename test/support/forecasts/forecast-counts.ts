import { sql } from 'kysely';
import type { Database } from '../../../src/platform/index.ts';

/** Every table in which a new forecast inserts a row. */
const TABLES = [
  'forecast',
  'forecast_event',
  'idempotency_key',
  'ledger_entry',
  'snapshot_holder',
  'queue.job',
] as const;

export type ForecastCounts = Record<(typeof TABLES)[number] | 'slots', number>;

/** Counts the rows of each table and the taken slots of owners. */
export async function countRows(database: Database): Promise<ForecastCounts> {
  const counts = TABLES.map(
    (table) => sql`(SELECT count(*) FROM ${sql.raw(table)}) AS ${sql.ref(table.replace('.', '_'))}`,
  );
  const { rows } = await sql<Record<string, number>>`
    SELECT ${sql.join(counts)},
      (SELECT coalesce(sum(active), 0) FROM admission WHERE owner NOT LIKE 'network:%') AS slots
  `.execute(database.query());
  const found = rows[0] ?? {};
  return Object.fromEntries(
    [...TABLES, 'slots'].map((name) => [name, Number(found[name.replace('.', '_')])]),
  ) as ForecastCounts;
}
