import { sql } from 'kysely';
import type { Database } from '../../../src/platform/index.ts';

/** Every row of every table of ours as text, by table. */
export type Rows = Record<string, string[]>;

/** Counters and clean-up marks that any request may move. */
const RESTLESS_TABLES = ['rate_window', 'queue.version'];
const RESTLESS_COLUMNS = ['last_used_at'];

/** Reads the whole database. Text as JSON writes it, so that nothing in any column stays unseen. */
export function everyRow(database: Database): Promise<Rows> {
  return readTables(database, [], []);
}

/** The same without what changes by merely asking, for comparing a before with an after. */
export function restingRows(database: Database): Promise<Rows> {
  return readTables(database, RESTLESS_TABLES, RESTLESS_COLUMNS);
}

/** In one statement: there are many tables, and tests read them again and again. */
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

/** The tables in which a secret stands as it is, or in an encoding that anyone can undo. */
export async function tablesShowing(database: Database, secret: string): Promise<string[]> {
  const bytes = Buffer.from(secret);
  const forms = [secret, bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url')];
  return Object.entries(await everyRow(database))
    .filter(([, rows]) => rows.some((row) => forms.some((form) => row.includes(form))))
    .map(([table]) => table);
}
