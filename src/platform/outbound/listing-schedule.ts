import { HOUR_MS, MINUTE_MS } from '../../calendar/index.ts';
import type { Queue } from '../queue/index.ts';
import type { ListingContext } from './listing-refresh.ts';

/** When the listing of a provider was last read. */
export interface ListingTimes {
  /** The time of the last complete reading. */
  readonly refreshed_at: Date | null;
  /** The time of the last attempt, whether it succeeded or not. */
  readonly tried_at: Date | null;
  /** The fault of the last attempt; null if it succeeded. */
  readonly last_error: string | null;
}

/** The listings that a queue refreshes. */
export interface ScheduledListings<Provider extends { readonly id: string }> extends ListingContext {
  /** The providers that have a listing. */
  readonly providers: readonly Provider[];
  readonly refresh: (provider: string, signal?: AbortSignal) => Promise<unknown>;
  /** Returns the times by provider. A provider whose listing was never requested has none. */
  readonly readStates: () => Promise<ReadonlyMap<string, ListingTimes>>;
  /** Returns whether the listing of a provider may be read. Default: every listing may. */
  readonly isListingWanted?: (provider: Provider) => Promise<boolean>;
}

const LISTING_LIFETIME_MS = 24 * HOUR_MS;
/** How long a failed attempt is not repeated: shorter if the provider has no listing yet. */
const RETRY_UNREAD_MS = 10 * MINUTE_MS;
const RETRY_READ_MS = HOUR_MS;

/**
 * Starts refreshing listings. Every ten minutes a job reads those that are a day old or were never read; the first job
 * runs soon after the start.
 */
export async function scheduleListings<Provider extends { readonly id: string }>(
  listings: ScheduledListings<Provider>,
  queue: Queue,
  queueName: string,
): Promise<void> {
  await queue.work(queueName, {}, ({ signal }) => refreshDue(listings, signal));
  await queue.schedule(queueName, '*/10 * * * *');
  if ((await findDueProviders(listings)).length > 0) await queue.enqueue(listings.database, queueName, {});
}

/** Refreshes the listings that are due, one after the other. The failure of one does not affect the others. */
export async function refreshDue<Provider extends { readonly id: string }>(
  listings: ScheduledListings<Provider>,
  signal?: AbortSignal,
): Promise<void> {
  const { refresh, log, isListingWanted = async () => true } = listings;
  for (const provider of await findDueProviders(listings)) {
    try {
      if (await isListingWanted(provider)) await refresh(provider.id, signal);
    } catch (error) {
      signal?.throwIfAborted();
      log.error({ err: error, provider: provider.id }, 'refreshing the listing of a provider failed');
    }
  }
}

async function findDueProviders<Provider extends { readonly id: string }>({
  providers,
  readStates,
  clock,
}: ScheduledListings<Provider>): Promise<readonly Provider[]> {
  if (providers.length === 0) return [];
  const states = await readStates();
  const now = clock.now().getTime();
  return providers.filter(({ id }) => isDue(states.get(id), now));
}

function isDue(times: ListingTimes | undefined, now: number): boolean {
  if (times === undefined) return true;
  const refreshedAt = times.refreshed_at?.getTime() ?? null;
  const triedAt = times.tried_at?.getTime() ?? Number.NEGATIVE_INFINITY;
  if (refreshedAt === null) return now - triedAt >= RETRY_UNREAD_MS;
  // The clock may have been set back since the last refresh.
  const isOld = now - refreshedAt >= LISTING_LIFETIME_MS || refreshedAt > now + HOUR_MS;
  const hasFailed = times.last_error !== null;
  return isOld && !(hasFailed && now >= triedAt && now - triedAt < RETRY_READ_MS);
}
