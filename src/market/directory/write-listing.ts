import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Database, type Executor, splitRows, type Transaction, whileAtVersion } from '../../platform/index.ts';
import type { ListedInstrument } from '../providers/provider.ts';
import type { CollectedListing } from './collect-listing.ts';
import { readInstruments } from './read-directory.ts';
import type { DirectoryTables, MarketInstrumentTable } from './tables.ts';

/** The changes that turn the stored listing into the collected one. */
interface ListingChanges {
  readonly put: readonly ListedInstrument[];
  readonly removed: readonly string[];
}

/**
 * Replaces the stored listing of a provider, if it still has the given version. A reader sees either the earlier or the
 * new listing. Only the difference is written.
 * @returns false if another process has replaced the listing since
 */
export async function writeListing(
  database: Database,
  provider: string,
  { version, now, signal }: { readonly version: number; readonly now: Date; readonly signal?: AbortSignal | undefined },
  listing: CollectedListing,
): Promise<boolean> {
  const entries = listing.instruments.size;
  const expected = { provider, version };
  let changes = await findChanges(database, provider, listing.instruments);
  if (version === 0) {
    // Readers ignore the rows of a listing without a version, so the first listing is not written in one transaction,
    // for which all other statements would have to wait. An interrupted attempt leaves rows that the next one uses.
    for (const part of splitChanges(changes)) {
      signal?.throwIfAborted();
      const apply = (tx: Transaction) => applyChanges(tx, provider, part);
      if ((await whileAtVersion(database, 'market_listing', expected, apply)) === null) return false;
      await setImmediate();
    }
    changes = { put: [], removed: [] };
  }
  const isChanged = version === 0 || changes.put.length > 0 || changes.removed.length > 0;
  const result = await whileAtVersion(database, 'market_listing', expected, async (tx) => {
    for (const part of splitChanges(changes)) {
      await applyChanges(tx, provider, part);
      // Statements of PGlite follow each other without a turn of the event loop.
      await setImmediate();
    }
    await tx
      .query<DirectoryTables>()
      .updateTable('market_listing')
      .set({
        version: isChanged ? version + 1 : version,
        entries,
        active: listing.active,
        refreshed_at: now,
        tried_at: now,
        last_error: null,
      })
      .where('provider', '=', provider)
      .execute();
  });
  return result !== null;
}

/** Compares the stored rows with the collected instruments, and removes those that are equal. */
async function findChanges(
  executor: Executor,
  provider: string,
  instruments: Map<string, ListedInstrument>,
): Promise<ListingChanges> {
  const removed: string[] = [];
  for await (const row of readInstruments(executor, [provider])) {
    const listed = instruments.get(row.symbol);
    if (listed === undefined) removed.push(row.symbol);
    else if (isSame(row, listed)) instruments.delete(row.symbol);
  }
  return { put: [...instruments.values()], removed };
}

function isSame(row: MarketInstrumentTable, listed: ListedInstrument): boolean {
  return (
    row.name === listed.name &&
    row.status === listed.status &&
    row.exchange === listed.exchange &&
    row.units === listed.units &&
    row.class === listed.class &&
    row.aliases.length === listed.aliases.length &&
    row.aliases.every((alias, i) => alias === listed.aliases[i])
  );
}

function* splitChanges({ put, removed }: ListingChanges): Generator<ListingChanges> {
  for (const rows of splitRows(put)) yield { put: rows, removed: [] };
  for (const symbols of splitRows(removed)) yield { put: [], removed: symbols };
}

async function applyChanges(tx: Transaction, provider: string, { put, removed }: ListingChanges): Promise<void> {
  if (put.length > 0) {
    await sql`
      INSERT INTO market_instrument (symbol, provider, name, aliases, exchange, class, units, status)
      SELECT symbol, ${provider}, name, aliases, exchange, class, units, status
      FROM json_to_recordset(${JSON.stringify(put)}::json)
        AS given(symbol text, name text, aliases text[], exchange text, class text, units text, status text)
      ON CONFLICT (symbol, provider) DO UPDATE SET
        name = excluded.name, aliases = excluded.aliases, exchange = excluded.exchange,
        class = excluded.class, units = excluded.units, status = excluded.status
    `.execute(tx.query());
  }
  if (removed.length > 0) {
    await sql`
      DELETE FROM market_instrument WHERE provider = ${provider} AND symbol = ANY(${[...removed]}::text[])
    `.execute(tx.query());
  }
}
