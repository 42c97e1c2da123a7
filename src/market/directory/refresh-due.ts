import {
  type ListingContext,
  type Queue,
  type QueueDefinition,
  refreshDue,
  type ScheduledListings,
  scheduleListings,
} from '../../platform/index.ts';
import type { MarketProvider } from '../providers/provider.ts';
import { type Directory, hasRemoteListing } from './directory.ts';

/** Jobs are not retried, because the next scheduled job makes up for a failed one. */
export const LISTINGS_QUEUE: QueueDefinition = {
  name: 'market-listings',
  retryLimit: 0,
  policy: 'singleton',
  expireInSeconds: 4 * 3_600,
};

export interface ListingsContext extends ListingContext {
  /** The configured providers. */
  readonly providers: readonly MarketProvider[];
  readonly directory: Pick<Directory, 'refresh' | 'readStates'>;
  /** Returns whether the listing of a provider may be read. Some are read only after the provider has served bars. */
  readonly isListingWanted: (provider: MarketProvider) => Promise<boolean>;
}

/** Starts refreshing the listings of the providers. */
export async function startListingRefreshes(context: ListingsContext, queue: Queue): Promise<void> {
  await scheduleListings(scheduledListings(context), queue, LISTINGS_QUEUE.name);
}

/** Refreshes the listings that are due. */
export async function refreshDueListings(context: ListingsContext, signal?: AbortSignal): Promise<void> {
  await refreshDue(scheduledListings(context), signal);
}

function scheduledListings({ directory, providers, ...context }: ListingsContext): ScheduledListings<MarketProvider> {
  const { refresh, readStates } = directory;
  return { ...context, providers: providers.filter(hasRemoteListing), refresh, readStates };
}
