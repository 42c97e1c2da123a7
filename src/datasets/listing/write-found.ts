import { sql } from 'kysely';
import { DAY_MS } from '../../calendar/index.ts';
import type { Database, Transaction } from '../../platform/index.ts';
import { readGivenSeries } from './read-series.ts';
import { isListedAlike, type SeriesRow } from './series-row.ts';
import { createListings, putSeries } from './write-series.ts';

/** The number of found series that are kept, of all providers together. */
export const MAX_FOUND = 5_000;
/** The exactness of the time at which a series was found, so that the same hits are not written again and again. */
const FOUND_EXACTNESS_MS = DAY_MS;

/**
 * Stores what the searches of providers found, unless it is in their listings, and removes the series that were not
 * found for the longest time. A provider whose found series have changed gets another `found_version`.
 * @returns whether the found series have changed
 */
export async function writeFound(
  database: Database,
  hits: ReadonlyMap<string, readonly SeriesRow[]>,
  now: Date,
): Promise<boolean> {
  const providers = [...hits.keys()].filter((provider) => hits.get(provider)?.length !== 0);
  if (providers.length === 0) return false;
  return database.transaction(async (tx) => {
    await createListings(tx, providers);
    const locked = await lockListings(tx, providers);
    const changed = new Set<string>();
    for (const provider of providers) {
      if (await writeHits(tx, provider, hits.get(provider) ?? [], now)) changed.add(provider);
    }
    if (changed.size === 0) return false;
    for (const provider of await removeOldest(tx, locked)) changed.add(provider);
    await sql`
      UPDATE economic_listing SET found_version = found_version + 1 WHERE provider = ANY(${[...changed]}::text[])
    `.execute(tx.query());
    return true;
  });
}

/**
 * Locks the listings of the given providers and of all others that have found series, in a fixed order, so that
 * concurrent transactions do not wait for each other in a circle. Returns the locked providers.
 */
async function lockListings(tx: Transaction, providers: readonly string[]): Promise<readonly string[]> {
  const { rows } = await sql<{ provider: string }>`
    SELECT provider FROM economic_listing WHERE provider = ANY(${[...providers]}::text[]) OR found_version > 0
    ORDER BY provider FOR UPDATE
  `.execute(tx.query());
  return rows.map(({ provider }) => provider);
}

/** Writes the hits of one provider. Returns whether its found series have changed. */
async function writeHits(tx: Transaction, provider: string, hits: readonly SeriesRow[], now: Date): Promise<boolean> {
  const ids = hits.map(({ series_id }) => series_id);
  const stored = await readGivenSeries(tx, provider, ids);
  let isChanged = false;
  const put = hits.filter((hit) => {
    const earlier = stored.get(hit.series_id);
    if (earlier === undefined) {
      isChanged = true;
      return true;
    }
    if (earlier.found_at === null) return false;
    if (isListedAlike(earlier, hit)) {
      const isRecent = Math.abs(now.getTime() - earlier.found_at) < FOUND_EXACTNESS_MS;
      return !isRecent || earlier.updated_at !== hit.updated_at;
    }
    isChanged = true;
    return true;
  });
  await putSeries(tx, provider, put, { foundAt: now });
  return isChanged;
}

/** Removes the oldest found series beyond the limit. Returns their providers. */
async function removeOldest(tx: Transaction, providers: readonly string[]): Promise<readonly string[]> {
  const { rows } = await sql<{ provider: string }>`
    DELETE FROM economic_series WHERE is_found AND (provider, series_id) IN (
      SELECT provider, series_id FROM economic_series WHERE is_found AND provider = ANY(${[...providers]}::text[])
      ORDER BY found_at DESC, provider, series_id OFFSET ${MAX_FOUND}
    )
    RETURNING provider
  `.execute(tx.query());
  return rows.map(({ provider }) => provider);
}
