import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../src/platform/index.ts';

/** Counters and cleanup marks that any request may change. */
const VOLATILE_TABLES = ['rate_window', 'queue.version'];
/** Each service rewrites its rows unchanged at the first use of a key, so their content is compared instead. */
const REWRITTEN_TABLE = 'signing_key';
/** A column that any authenticated request may change. Its tables are compared by the content of the other columns. */
const VOLATILE_COLUMN = 'last_used_at';

/** A string for each table that changes with every committed insert, update and delete. */
export type TableVersions = Readonly<Record<string, string>>;

/**
 * Reads the versions of all tables, to compare the states before and after a request. A write gives its row a higher
 * transaction number (xmin) than all earlier rows have, and a delete lowers the count. This takes much less time than
 * reading the rows.
 */
export async function readTableVersions(database: Database): Promise<TableVersions> {
  const parts = await (statements.get(database) ?? prepareStatement(database));
  const { rows } = await sql<{ name: string; version: string }>`
    SELECT name, count || ' rows, ' || coalesce(version, 'none') AS version
    FROM (${parts}) AS versions (name, count, version)`.execute(database.query());
  return Object.fromEntries(rows.map(({ name, version }) => [name, version]));
}

/** The statement for each database. Requests create no tables, and listing the tables takes as long as reading them. */
const statements = new WeakMap<Database, Promise<RawBuilder<unknown>>>();

function prepareStatement(database: Database): Promise<RawBuilder<unknown>> {
  const statement = statementFor(database);
  statements.set(database, statement);
  return statement;
}

async function statementFor(database: Database): Promise<RawBuilder<unknown>> {
  const { rows: tables } = await sql<{ name: string; is_volatile: boolean; columns: string }>`
    SELECT attrelid::regclass::text AS name, bool_or(attname = ${VOLATILE_COLUMN}) AS is_volatile,
      string_agg(format('t.%I', attname), ', ' ORDER BY attnum) FILTER (WHERE attname <> ${VOLATILE_COLUMN}) AS columns
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE relkind = 'r' AND attnum > 0 AND NOT attisdropped
      AND relnamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
    GROUP BY attrelid ORDER BY name
  `.execute(database.query());
  const parts = tables
    .filter(({ name }) => !VOLATILE_TABLES.includes(name))
    .map(({ name, is_volatile, columns }) => {
      const table = sql.raw(name);
      const version =
        is_volatile || name === REWRITTEN_TABLE
          ? sql`md5(string_agg(row, ',' ORDER BY row)) FROM (SELECT ROW(${sql.raw(columns)})::text AS row FROM ${table} AS t) AS rows`
          : sql`max(t.xmin::text::bigint)::text FROM ${table} AS t`;
      return sql`SELECT ${sql.lit(name)} AS name, count(*)::text AS count, ${version}`;
    });
  return sql.join(parts, sql` UNION ALL `);
}
