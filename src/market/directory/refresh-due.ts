import { HOUR_MS, MINUTE_MS } from '../../calendar/index.ts';
import type { Queue, QueueDefinition } from '../../platform/index.ts';
import type { MarketProvider } from '../providers/provider.ts';
import { type Directory, hasRemoteListing } from './directory.ts';
import type { ListingState } from './read-directory.ts';
import type { RefreshContext } from './refresh-listing.ts';

/** Jobs are not retried, because the next scheduled job makes up for a failed one. */
export const LISTINGS_QUEUE: QueueDefinition = {
  name: 'market-listings',
  retryLimit: 0,
  policy: 'singleton',
  expireInSeconds: 4 * 3_600,
};

export interface ListingsContext extends RefreshContext {
  /** The configured providers. */
  readonly providers: readonly MarketProvider[];
  readonly directory: Pick<Directory, 'refresh' | 'readStates'>;
  /** Returns whether the listing of a provider may be read. Some are read only after the provider has served bars. */
  readonly isListingWanted: (provider: MarketProvider) => Promise<boolean>;
}

const LISTING_LIFETIME_MS = 24 * HOUR_MS;
/** How long a failed attempt is not repeated: shorter if the provider has no listing yet. */
const RETRY_UNREAD_MS = 10 * MINUTE_MS;
const RETRY_READ_MS = HOUR_MS;

/**
 * Starts refreshing the listings of the providers. Every ten minutes a job reads those that are a day old or were never
 * read; the first job runs soon after the start.
 */
export async function startListingRefreshes(context: ListingsContext, queue: Queue): Promise<void> {
  await queue.work(LISTINGS_QUEUE.name, {}, ({ signal }) => refreshDueListings(context, signal));
  await queue.schedule(LISTINGS_QUEUE.name, '*/10 * * * *');
  if ((await findDueProviders(context)).length > 0) await queue.enqueue(context.database, LISTINGS_QUEUE.name, {});
}

/** Refreshes the listings that are due, one after the other. The failure of one does not affect the others. */
export async function refreshDueListings(context: ListingsContext, signal?: AbortSignal): Promise<void> {
  const { directory, log, isListingWanted } = context;
  for (const provider of await findDueProviders(context)) {
    try {
      if (await isListingWanted(provider)) await directory.refresh(provider.id, signal);
    } catch (error) {
      signal?.throwIfAborted();
      log.error({ err: error, provider: provider.id }, 'refreshing the listing of a provider failed');
    }
  }
}

async function findDueProviders({ providers, directory, clock }: ListingsContext): Promise<readonly MarketProvider[]> {
  const listed = providers.filter(hasRemoteListing);
  if (listed.length === 0) return [];
  const states = await directory.readStates();
  const now = clock.now().getTime();
  return listed.filter(({ id }) => isDue(states.get(id), now));
}

function isDue(state: ListingState | undefined, now: number): boolean {
  if (state === undefined) return true;
  const refreshedAt = state.refreshed_at?.getTime() ?? null;
  const triedAt = state.tried_at?.getTime() ?? Number.NEGATIVE_INFINITY;
  if (refreshedAt === null) return now - triedAt >= RETRY_UNREAD_MS;
  // The clock may have been set back since the last refresh.
  const isOld = now - refreshedAt >= LISTING_LIFETIME_MS || refreshedAt > now + HOUR_MS;
  const hasFailed = state.last_error !== null;
  return isOld && !(hasFailed && now >= triedAt && now - triedAt < RETRY_READ_MS);
}
