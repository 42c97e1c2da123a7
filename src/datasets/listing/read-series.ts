import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Executor, READ_ROWS } from '../../platform/index.ts';
import type { Dimension } from '../providers/provider.ts';
import type { SeriesRow } from './series-row.ts';
import type { EconomicListingTable, EconomicListingTables } from './tables.ts';

/** The versions of a provider's listing and of the series that its search found. */
export type Versions = Pick<EconomicListingTable, 'version' | 'found_version'>;

/** Returns the versions by provider. A provider that was never requested has none. */
export async function readVersions(
  executor: Executor,
  providers: readonly string[],
): Promise<ReadonlyMap<string, Versions>> {
  const rows = await executor
    .query<EconomicListingTables>()
    .selectFrom('economic_listing')
    .select(['provider', 'version', 'found_version'])
    .where('provider', 'in', providers.length === 0 ? [''] : [...providers])
    .orderBy('provider')
    .execute();
  return new Map(
    rows.map(({ provider, version, found_version }) => [
      provider,
      { version: Number(version), found_version: Number(found_version) },
    ]),
  );
}

/** The state of a provider's listing. */
export type ListingState = Pick<
  EconomicListingTable,
  'provider' | 'entries' | 'refreshed_at' | 'tried_at' | 'last_error'
>;

/** Returns the states of the listings by provider. A provider that was never requested has none. */
export async function readListingStates(executor: Executor): Promise<ReadonlyMap<string, ListingState>> {
  const rows = await executor
    .query<EconomicListingTables>()
    .selectFrom('economic_listing')
    .select(['provider', 'entries', 'refreshed_at', 'tried_at', 'last_error'])
    .execute();
  return new Map(rows.map((state) => [state.provider, state]));
}

export async function readMembers(executor: Executor, provider: string): Promise<Dimension | null> {
  const row = await executor
    .query<EconomicListingTables>()
    .selectFrom('economic_listing')
    .select('members')
    .where('provider', '=', provider)
    .executeTakeFirst();
  return row?.members ?? null;
}

/** Returns the instant of the last change of a series, in ISO 8601; null if it is not stored. */
export async function readLastUpdate(executor: Executor, provider: string, seriesId: string): Promise<string | null> {
  const row = await executor
    .query<EconomicListingTables>()
    .selectFrom('economic_series')
    .select('last_update')
    .where('provider', '=', provider)
    .where('series_id', '=', seriesId)
    .executeTakeFirst();
  return row?.last_update?.toISOString() ?? null;
}

/** A row, and the time at which a search found it; null for a series in the listing. */
export interface StoredSeries extends SeriesRow {
  readonly provider: string;
  readonly found_at: number | null;
}

/** Yields the series of a provider in the order of their ids: those in its listing, or those that its search found. */
export async function* readSeries(
  executor: Executor,
  provider: string,
  kind: 'listed' | 'found',
): AsyncGenerator<StoredSeries> {
  const isFound = kind === 'found';
  let last = '';
  for (;;) {
    // With other conditions and without statistics about the table, the planner would sort all rows for each page.
    const page = await readRows(
      executor,
      sql`(provider, series_id) > (${provider}, ${last}) ${isFound ? sql`AND is_found` : sql``}
        ORDER BY provider, series_id LIMIT ${READ_ROWS}`,
    );
    for (const row of page) {
      if (row.provider !== provider) return;
      if (isFound === (row.found_at !== null)) yield row;
    }
    const end = page.at(-1);
    if (end === undefined || page.length < READ_ROWS) return;
    last = end.series_id;
    await setImmediate();
  }
}

/** Returns the stored ones of the given series, in the listing or found, by their ids. */
export async function readGivenSeries(
  executor: Executor,
  provider: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredSeries>> {
  const rows = await readRows(executor, sql`provider = ${provider} AND series_id = ANY(${[...ids]}::text[])`);
  return new Map(rows.map((row) => [row.series_id, row]));
}

type RowValues = [
  string,
  string,
  string,
  string[],
  SeriesRow['frequency'],
  string,
  number | null,
  number | null,
  number | null,
  boolean,
  number | null,
];

/** Reads rows as one JSON text, which takes half the time of separate rows. */
async function readRows(executor: Executor, condition: ReturnType<typeof sql>): Promise<StoredSeries[]> {
  const { rows } = await sql<{ page: string | null }>`
    SELECT json_agg(json_build_array(provider, series_id, title, keywords, frequency, units, first_at, last_at,
      (extract(epoch FROM last_update) * 1000)::bigint, has_members, (extract(epoch FROM found_at) * 1000)::bigint
    ))::text AS page
    FROM (SELECT * FROM economic_series WHERE ${condition}) AS page
  `.execute(executor.query());
  const values: RowValues[] = JSON.parse(rows[0]?.page ?? '[]');
  return values.map(
    ([
      provider,
      series_id,
      title,
      keywords,
      frequency,
      units,
      first_at,
      last_at,
      updated_at,
      has_members,
      found_at,
    ]) => ({
      provider,
      series_id,
      title,
      keywords,
      frequency,
      units,
      first_at,
      last_at,
      updated_at,
      has_members,
      found_at,
    }),
  );
}
