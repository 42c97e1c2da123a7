import {
  type Clock,
  type Database,
  type ProviderStateView,
  readProviderStates,
  systemClock,
  viewProviderState,
} from '../platform/index.ts';
import { readListingStates } from './listing/read-series.ts';
import type { EconomicAdapter } from './providers/provider.ts';

/** An adapter of the service, and whether the service uses it. */
export interface KnownAdapter {
  readonly adapter: EconomicAdapter;
  readonly isConfigured: boolean;
}

/** A provider of economic series as operators see it. */
export interface EconomicProviderView extends ProviderStateView {
  readonly id: string;
  readonly configured: boolean;
  readonly vintages: boolean;
  readonly license: EconomicAdapter['license'];
  readonly listing: {
    readonly entries: number;
    readonly refreshed_at: string | null;
    readonly error: string | null;
  } | null;
}

/** Returns how each provider of economic series has worked so far, and the state of its listing. */
export async function reportEconomicProviders(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  known: readonly KnownAdapter[],
): Promise<EconomicProviderView[]> {
  const states = await readProviderStates(database, clock === systemClock ? undefined : () => clock.now().getTime());
  const listings = await readListingStates(database);
  return known.map(({ adapter: { id, license, requestsPerMinute, vintageTimeZone }, isConfigured }) => {
    const listing = listings.get(id);
    return {
      id,
      configured: isConfigured,
      vintages: vintageTimeZone !== undefined,
      license,
      ...viewProviderState(
        states.find(({ provider }) => provider === id),
        { requestsPerMinute, isUsed: isConfigured },
      ),
      listing: listing
        ? {
            entries: listing.entries,
            refreshed_at: listing.refreshed_at?.toISOString() ?? null,
            error: listing.last_error,
          }
        : null,
    };
  });
}
