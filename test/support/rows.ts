import { sql } from 'kysely';
import type { Database } from '../../src/platform/index.ts';

/** Every row of every table of ours as text, by table. */
export type Rows = Record<string, string[]>;

/** Counters and clean-up marks that any request may move. */
const RESTLESS_TABLES = ['rate_window'];
const RESTLESS_COLUMNS = ['last_used_at'];

/** Reads the whole database. Text as JSON writes it, so that nothing in any column stays unseen. */
export async function everyRow(database: Database): Promise<Rows> {
  const { rows: tables } = await sql<{ name: string }>`
    SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
    WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY name
  `.execute(database.query());
  const content: Rows = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`
      SELECT to_jsonb(t)::text AS row FROM ${sql.raw(name)} AS t
    `.execute(database.query());
    content[name] = rows.map(({ row }) => row);
  }
  return content;
}

/** The same without what changes by merely asking, for comparing a before with an after. */
export async function restingRows(database: Database): Promise<Rows> {
  const rows = Object.entries(await everyRow(database)).filter(
    ([table]) => !RESTLESS_TABLES.includes(table.replace(/^public\./, '')),
  );
  return Object.fromEntries(rows.map(([table, texts]) => [table, texts.map(withoutRestlessColumns).sort()]));
}

function withoutRestlessColumns(row: string): string {
  const columns = Object.entries(JSON.parse(row)).filter(([column]) => !RESTLESS_COLUMNS.includes(column));
  return JSON.stringify(Object.fromEntries(columns));
}

/** The tables in which a secret stands as it is, or in an encoding that anyone can undo. */
export async function tablesShowing(database: Database, secret: string): Promise<string[]> {
  const bytes = Buffer.from(secret);
  const forms = [secret, bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url')];
  return Object.entries(await everyRow(database))
    .filter(([, rows]) => rows.some((row) => forms.some((form) => row.includes(form))))
    .map(([table]) => table);
}
