import { sql } from 'kysely';
import { HOUR_MS } from '../../../calendar/index.ts';
import { type Clock, cleanText, type Database, LruCache } from '../../../platform/index.ts';
import type { WarehouseColumn, WarehouseTable } from '../engine.ts';
import type { ListedTable } from '../list-tables.ts';
import type { BilledTables } from './tables.ts';

export interface DescribedContext {
  readonly database: Database;
  readonly clock: Clock;
}

/** The public tables that callers have described. The search finds them, for all processes. */
export interface DescribedTables {
  /** Stores what the search needs of a table, at most once an hour. */
  record(table: WarehouseTable): Promise<void>;
  /** Removes a table that no longer exists. */
  forget(name: string): Promise<void>;
  list(): Promise<readonly ListedTable[]>;
  /** Returns a text that changes when `list` returns tables with other entries, at little cost. */
  version(): Promise<string>;
}

/** The exactness of the time of the last description. */
const RECORD_MS = HOUR_MS;
/** The number of tables that are kept. */
export const MAX_DESCRIBED = 5_000;
/** More columns than the entries of a table use. */
const MAX_COLUMNS = 300;
const MAX_DESCRIPTION_LENGTH = 200;
const MAX_REMEMBERED = 1_000;

export function createDescribedTables({ database, clock }: DescribedContext): DescribedTables {
  /** When this process last recorded a table, so that most descriptions send no statement. */
  const recorded = new LruCache<string, number>({ maxEntries: MAX_REMEMBERED });

  return {
    async record({ name, title, publisher, columns, rows }) {
      const now = clock.now();
      if (Math.abs(now.getTime() - (recorded.get(name) ?? Number.NEGATIVE_INFINITY)) < RECORD_MS) return;
      const kept = JSON.stringify(columns.filter(isUsable).slice(0, MAX_COLUMNS).map(shorten));
      // The number of rows changes often and no entry has it, so that it alone gives no other version.
      await sql`
        INSERT INTO described_table AS stored (name, title, publisher, columns, rows, version, described_at)
        VALUES (
          ${name}, ${title}, ${publisher}, ${kept}::jsonb, ${rows}, nextval('described_table_version'), ${now}
        )
        ON CONFLICT (name) DO UPDATE SET
          title = excluded.title, publisher = excluded.publisher, columns = excluded.columns, rows = excluded.rows,
          version = CASE
            WHEN (stored.title, stored.publisher, stored.columns) = (excluded.title, excluded.publisher, excluded.columns)
            THEN stored.version ELSE excluded.version END,
          described_at = excluded.described_at
        WHERE stored.described_at <= ${new Date(now.getTime() - RECORD_MS)} OR stored.described_at > ${now}
      `.execute(database.query());
      recorded.set(name, now.getTime());
    },

    async forget(name) {
      await database.query<BilledTables>().deleteFrom('described_table').where('name', '=', name).execute();
      recorded.delete(name);
    },

    async list() {
      const tables = await database
        .query<BilledTables>()
        .selectFrom('described_table')
        .select(['name', 'title', 'publisher', 'columns', 'rows'])
        .orderBy('name')
        .execute();
      return tables.map((table) => ({ ...table, ranges: new Map() }));
    },

    async version() {
      // Without the number of tables, a removal would leave the version as it is.
      const { rows } = await sql<{ version: string }>`
        SELECT concat(max(version), ' ', count(*)) AS version FROM described_table
      `.execute(database.query());
      return rows[0]?.version ?? '';
    },
  };
}

function isUsable({ kind }: WarehouseColumn): boolean {
  return kind !== 'other';
}

function shorten({ name, kind, type, description }: WarehouseColumn): WarehouseColumn {
  return { name, kind, type, ...(description && { description: cleanText(description, MAX_DESCRIPTION_LENGTH) }) };
}

/** Removes the tables that were not described for the longest time. */
export async function removeLeastDescribed(
  { database }: Pick<DescribedContext, 'database'>,
  { maxTables = MAX_DESCRIBED }: { readonly maxTables?: number } = {},
): Promise<void> {
  await sql`
    DELETE FROM described_table WHERE name IN (
      SELECT name FROM described_table ORDER BY described_at DESC, name OFFSET ${maxTables}
    )
  `.execute(database.query());
}
