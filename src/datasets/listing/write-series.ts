import { sql } from 'kysely';
import type { Executor, Transaction } from '../../platform/index.ts';
import type { SeriesRow } from './series-row.ts';

/** Creates the listings of providers that have none yet. */
export async function createListings(executor: Executor, providers: readonly string[]): Promise<void> {
  await sql`
    INSERT INTO economic_listing (provider) SELECT * FROM unnest(${[...providers].sort()}::text[])
    ON CONFLICT DO NOTHING
  `.execute(executor.query());
}

/** How rows are written. */
export interface WriteOptions {
  /** The time at which the provider's search found them; null if they are in its listing. */
  readonly foundAt: Date | null;
  /** Whether rows that a search found stay as they are. Default: false. */
  readonly keepsFound?: boolean;
}

/** Inserts or replaces rows of a provider, and returns the ids of those that were written. */
export async function putSeries(
  tx: Transaction,
  provider: string,
  rows: readonly SeriesRow[],
  { foundAt, keepsFound = false }: WriteOptions,
): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set();
  const { rows: written } = await sql<{ series_id: string }>`
    INSERT INTO economic_series AS s (provider, series_id, title, keywords, frequency, units, first_at, last_at,
      last_update, has_members, is_found, found_at)
    SELECT ${provider}, series_id, title, keywords, frequency, units, first_at, last_at,
      to_timestamp(updated_at / 1000.0), has_members, ${foundAt !== null}::boolean, ${foundAt}::timestamptz
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS given(series_id text, title text, keywords text[],
      frequency text, units text, first_at bigint, last_at bigint, updated_at bigint, has_members boolean)
    ON CONFLICT (provider, series_id) DO UPDATE SET
      title = excluded.title, keywords = excluded.keywords, frequency = excluded.frequency, units = excluded.units,
      first_at = excluded.first_at, last_at = excluded.last_at, last_update = excluded.last_update,
      has_members = excluded.has_members, is_found = excluded.is_found, found_at = excluded.found_at
    WHERE NOT (s.is_found AND ${keepsFound}::boolean)
    RETURNING s.series_id
  `.execute(tx.query());
  return new Set(written.map(({ series_id }) => series_id));
}

/** Removes series that are no longer in the listing of a provider. */
export async function removeListed(tx: Transaction, provider: string, ids: readonly string[]): Promise<void> {
  await sql`
    DELETE FROM economic_series
    WHERE provider = ${provider} AND series_id = ANY(${[...ids]}::text[]) AND NOT is_found
  `.execute(tx.query());
}
