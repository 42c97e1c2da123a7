import { sql } from 'kysely';
import type { Database } from '../../../src/platform/index.ts';

/** Counters and cleanup marks that any request may change. */
const VOLATILE_TABLES = ['public.rate_window', 'queue.version'];
/** Its rows are written again, unchanged, at the first use of a key in each service, so that their content is compared. */
const REWRITTEN_TABLE = 'public.signing_key';
/** A column that any authenticated request may change. Its tables are compared by the content of the other columns. */
const VOLATILE_COLUMN = 'last_used_at';

/** A text for each table that changes with every committed insert, update and delete. */
export type TableVersions = Readonly<Record<string, string>>;

/**
 * Reads the versions of all tables, to compare the states before and after a request. A write gives a row a higher
 * number of its transaction (xmin) than all rows before, and a delete lowers the count. This takes much less time than
 * to read the rows.
 */
export async function readTableVersions(database: Database): Promise<TableVersions> {
  const { rows: tables } = await sql<{ name: string; is_volatile: boolean }>`
    SELECT format('%I.%I', schemaname, tablename) AS name, EXISTS (
      SELECT FROM pg_attribute WHERE attname = ${VOLATILE_COLUMN} AND attrelid = format('%I.%I', schemaname, tablename)::regclass
    ) AS is_volatile
    FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY name
  `.execute(database.query());
  const parts = tables
    .filter(({ name }) => !VOLATILE_TABLES.includes(name))
    .map(({ name, is_volatile }) => {
      const table = sql.raw(name);
      const version =
        is_volatile || name === REWRITTEN_TABLE
          ? sql`md5(string_agg(row, ',' ORDER BY row)) FROM (SELECT (to_jsonb(t) - ${VOLATILE_COLUMN})::text AS row FROM ${table} AS t) AS rows`
          : sql`max(t.xmin::text::bigint)::text FROM ${table} AS t`;
      return sql`SELECT ${name} AS name, count(*)::text AS count, ${version}`;
    });
  const { rows } = await sql<{ name: string; version: string }>`
    SELECT name, count || ' rows, ' || coalesce(version, 'none') AS version
    FROM (${sql.join(parts, sql` UNION ALL `)}) AS versions (name, count, version)`.execute(database.query());
  return Object.fromEntries(rows.map(({ name, version }) => [name, version]));
}
