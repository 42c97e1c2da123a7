import {
  type ListingContext,
  type Queue,
  type QueueDefinition,
  refreshDue,
  type ScheduledListings,
  scheduleListings,
} from '../../platform/index.ts';
import type { EconomicAdapter } from '../providers/provider.ts';
import type { EconomicListing } from './economic-listing.ts';

/** The name is stored in the database. Jobs are not retried, because the next scheduled job makes up for a failed one. */
export const ECONOMIC_LISTINGS_QUEUE: QueueDefinition = {
  name: 'economic-listings',
  retryLimit: 0,
  policy: 'singleton',
  expireInSeconds: 6 * 3_600,
};

export interface EconomicListingsContext extends ListingContext {
  /** The configured providers. */
  readonly adapters: readonly EconomicAdapter[];
  readonly listing: Pick<EconomicListing, 'refresh' | 'readStates'>;
}

/** Starts refreshing the listings of the economic providers. */
export async function startEconomicListings(context: EconomicListingsContext, queue: Queue): Promise<void> {
  await scheduleListings(scheduledListings(context), queue, ECONOMIC_LISTINGS_QUEUE.name);
}

/** Refreshes the listings that are due. */
export async function refreshEconomicListings(context: EconomicListingsContext, signal?: AbortSignal): Promise<void> {
  await refreshDue(scheduledListings(context), signal);
}

function scheduledListings(context: EconomicListingsContext): ScheduledListings<EconomicAdapter> {
  const { adapters, listing, ...parts } = context;
  return { ...parts, providers: adapters, refresh: listing.refresh, readStates: listing.readStates };
}
