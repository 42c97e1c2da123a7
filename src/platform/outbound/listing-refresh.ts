import { HOUR_MS } from '../../calendar/index.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/index.ts';
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
