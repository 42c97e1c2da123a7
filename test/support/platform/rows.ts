import { sql } from 'kysely';
import type { Database } from '../../../src/platform/index.ts';

/** Every row of every table of the service as text, by table. */
export type Rows = Record<string, string[]>;

/** Counters and cleanup marks that any request may change. */
const VOLATILE_TABLES = ['rate_window', 'queue.version'];
const VOLATILE_COLUMNS = ['last_used_at'];

/** Reads the whole database. Rows are JSON text, which shows every column. */
export function readAllRows(database: Database): Promise<Rows> {
  return readTables(database, [], []);
}

/** Reads the database without what every request changes, to compare the states before and after a request. */
export function readComparableRows(database: Database): Promise<Rows> {
  return readTables(database, VOLATILE_TABLES, VOLATILE_COLUMNS);
}

/** Uses one statement, because there are many tables and tests read them often. */
async function readTables(
  database: Database,
  withoutTables: readonly string[],
  withoutColumns: readonly string[],
): Promise<Rows> {
  const { rows: tables } = await sql<{ name: string }>`
    SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
    WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY name
  `.execute(database.query());
  const names = tables.map(({ name }) => name).filter((name) => !withoutTables.includes(name.replace(/^public\./, '')));
  const parts = names.map(
    (name) =>
      sql`SELECT ${name} AS name, (to_jsonb(t) - ${[...withoutColumns]}::text[])::text AS row FROM ${sql.raw(name)} AS t`,
  );
  const { rows } = await sql<{ name: string; row: string }>`${sql.join(parts, sql` UNION ALL `)}`.execute(
    database.query(),
  );
  const content: Rows = Object.fromEntries(names.map((name) => [name, []]));
  for (const { name, row } of rows) content[name]?.push(row);
  for (const texts of Object.values(content)) texts.sort();
  return content;
}

/** Returns the tables that contain a secret as plain text or in a reversible encoding. */
export async function tablesContaining(database: Database, secret: string): Promise<string[]> {
  const bytes = Buffer.from(secret);
  const forms = [secret, bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url')];
  return Object.entries(await readAllRows(database))
    .filter(([, rows]) => rows.some((row) => forms.some((form) => row.includes(form))))
    .map(([table]) => table);
}
