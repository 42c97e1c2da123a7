import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import {
  type Database,
  type Executor,
  jsonb,
  splitRows,
  type Transaction,
  whileAtVersion,
} from '../../platform/index.ts';
import type { Dimension } from '../providers/provider.ts';
import type { CollectedListing } from './collect-entries.ts';
import { readSeries } from './read-series.ts';
import { isListedAlike, type SeriesRow } from './series-row.ts';
import type { EconomicListingTables } from './tables.ts';
import { putSeries, removeListed } from './write-series.ts';

/** The changes that turn the stored listing into the collected one. */
interface ListingChanges {
  readonly put: readonly SeriesRow[];
  readonly removed: readonly string[];
  /** Rows of which only the last update differs. Readers of the list do not see it. */
  readonly updated: readonly SeriesRow[];
}

export interface StoredListing {
  readonly version: number;
  readonly members: Dimension | null;
}

/**
 * Replaces the stored listing of a provider, if it still has the given version. A reader sees either the earlier or the
 * new listing. Only the difference is written. Series that a search found stay, or become a part of the listing.
 * @returns false if another process has replaced the listing since
 */
export async function writeListing(
  database: Database,
  provider: string,
  before: StoredListing,
  { series, members }: CollectedListing,
  { now, signal }: { readonly now: Date; readonly signal?: AbortSignal | undefined },
): Promise<boolean> {
  const { version } = before;
  const expected = { provider, version };
  const entries = series.size;
  const changes = await findChanges(database, provider, series);
  const isFirst = version === 0;
  const areMembersChanged = !areMembersEqual(before.members, members);
  const isChanged = isFirst || areMembersChanged || changes.put.length > 0 || changes.removed.length > 0;
  const lateRows = isFirst ? [] : [...changes.put];
  const lateRemoved = isFirst ? [] : changes.removed;

  // Readers ignore the rows of a listing without a version, so the first listing is not written in one transaction, for
  // which all other statements would have to wait. An interrupted attempt leaves rows that the next one uses.
  for (const rows of splitRows([...changes.updated, ...(isFirst ? changes.put : [])])) {
    signal?.throwIfAborted();
    const write = (tx: Transaction) => putSeries(tx, provider, rows, { foundAt: null, keepsFound: true });
    const written = await whileAtVersion(database, 'economic_listing', expected, write);
    if (written === null) return false;
    // The search still needs the found rows, until the listing has been written completely.
    lateRows.push(...rows.filter(({ series_id }) => !written.has(series_id)));
    await setImmediate();
  }
  for (const ids of isFirst ? splitRows(changes.removed) : []) {
    signal?.throwIfAborted();
    const remove = (tx: Transaction) => removeListed(tx, provider, ids);
    if ((await whileAtVersion(database, 'economic_listing', expected, remove)) === null) return false;
    await setImmediate();
  }

  const result = await whileAtVersion(database, 'economic_listing', expected, async (tx) => {
    const found = await countFound(tx, provider);
    for (const rows of splitRows(lateRows)) {
      await putSeries(tx, provider, rows, { foundAt: null });
      await setImmediate();
    }
    for (const ids of splitRows(lateRemoved)) {
      await removeListed(tx, provider, ids);
      await setImmediate();
    }
    const isFoundChanged = (await countFound(tx, provider)) !== found;
    await tx
      .query<EconomicListingTables>()
      .updateTable('economic_listing')
      .set(({ eb }) => ({
        version: isChanged ? version + 1 : version,
        found_version: eb('found_version', '+', isFoundChanged ? 1 : 0),
        entries,
        refreshed_at: now,
        tried_at: now,
        last_error: null,
        ...(areMembersChanged && { members: members === null ? null : jsonb(members) }),
      }))
      .where('provider', '=', provider)
      .execute();
  });
  return result !== null;
}

/** Compares the stored rows with the collected ones, and removes those that are equal. */
async function findChanges(
  executor: Executor,
  provider: string,
  series: Map<string, SeriesRow>,
): Promise<ListingChanges> {
  const removed: string[] = [];
  const updated: SeriesRow[] = [];
  for await (const row of readSeries(executor, provider, 'listed')) {
    const listed = series.get(row.series_id);
    if (listed === undefined) {
      removed.push(row.series_id);
    } else if (isListedAlike(row, listed)) {
      series.delete(row.series_id);
      if (row.updated_at !== listed.updated_at) updated.push(listed);
    }
  }
  return { put: [...series.values()], removed, updated };
}

/** Compares members whose objects may have their fields in another order. */
function areMembersEqual(a: Dimension | null, b: Dimension | null): boolean {
  if (a === null || b === null) return a === b;
  return (
    a.field === b.field &&
    a.label === b.label &&
    a.values.length === b.values.length &&
    a.values.every(({ value, label }, i) => value === b.values[i]?.value && label === b.values[i]?.label)
  );
}

async function countFound(tx: Transaction, provider: string): Promise<number> {
  const { rows } = await sql<{ found: number }>`
    SELECT count(*)::int AS found FROM economic_series WHERE provider = ${provider} AND is_found
  `.execute(tx.query());
  return rows[0]?.found ?? 0;
}
