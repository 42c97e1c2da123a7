import { sql } from 'kysely';
import { HOUR_MS } from '../../calendar/index.ts';
import type { Clock } from '../clock.ts';
import type { Database, Transaction } from '../database/index.ts';
import type { Log } from '../log.ts';
import { openProviderClient, type ProviderClient } from './provider-client.ts';
import { ProviderError, type ProviderFault } from './provider-error.ts';

// What the refresh of a listing is for every kind of provider.

export interface ListingContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
}

/** `superseded`: another process stored a listing of this provider meanwhile. */
export type RefreshOutcome = 'refreshed' | 'failed' | 'superseded';

/** The faults of a listing besides those of its provider. */
export type ListingFault = ProviderFault | 'TOO_SMALL' | 'UNEXPECTED';

/** The time limit for reading a listing. One of 40,000 instruments has 40 pages, and some budgets allow 5 a minute. */
const LISTING_TOTAL_MS = HOUR_MS;
/** A listing with a smaller share of the entries before is refused. Real listings do not shrink like this. */
const MIN_SHARE = 0.5;

/** Reads a listing to its end. Logs and returns the fault if that fails. */
export async function tryListing<Listing>(
  { database, clock, log }: ListingContext,
  provider: { readonly id: string; readonly requestsPerMinute: number | null },
  read: (http: ProviderClient) => Promise<Listing>,
  signal?: AbortSignal,
): Promise<{ readonly listing: Listing } | { readonly fault: ListingFault }> {
  try {
    const listing = await read(
      openProviderClient({ database, clock }, provider, { signal, totalMs: LISTING_TOTAL_MS }),
    );
    signal?.throwIfAborted();
    return { listing };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ProviderError) {
      // Without a stack: on a machine without a network, every listing fails every ten minutes.
      const { provider: id, fault, message: reason } = error;
      log.warn({ provider: id, fault, reason }, 'reading the listing of a provider failed; it is tried again later');
      return { fault };
    }
    log.error({ err: error, provider: provider.id }, 'reading the listing of a provider failed unexpectedly');
    return { fault: 'UNEXPECTED' };
  }
}

/** Returns whether a listing with so many entries is refused, because it is empty or was far larger before. */
export function isTooSmall(entries: number, earlier: number): boolean {
  return entries === 0 || entries < earlier * MIN_SHARE;
}

/** The table of a domain that has one row for the listing of each provider. */
export type ListingTable = 'market_listing' | 'economic_listing';

/** Records that reading a listing failed. What is stored of it stays. */
export async function recordListingFailure(
  { database, clock }: ListingContext,
  table: ListingTable,
  provider: string,
  fault: ListingFault,
): Promise<RefreshOutcome> {
  await sql`
    UPDATE ${sql.table(table)} SET tried_at = ${clock.now()}, last_error = ${fault} WHERE provider = ${provider}
  `.execute(database.query());
  return 'failed';
}

/** Runs the work in a transaction that locks the listing. Returns null if the listing has another version. */
export function whileAtVersion<Result>(
  database: Database,
  table: ListingTable,
  { provider, version }: { readonly provider: string; readonly version: number },
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result | null> {
  return database.transaction(async (tx) => {
    const { rows } = await sql<{ version: number }>`
      SELECT version FROM ${sql.table(table)} WHERE provider = ${provider} FOR UPDATE
    `.execute(tx.query());
    return Number(rows[0]?.version) === version ? work(tx) : null;
  });
}
