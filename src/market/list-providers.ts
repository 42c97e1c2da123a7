import type { z } from 'zod';
import type { MarketProviderView } from '../contract/index.ts';
import { type Clock, type Database, readProviderStates, systemClock, viewProviderState } from '../platform/index.ts';
import { type ListingState, readListingStates } from './directory/read-directory.ts';
import { listTimeframes } from './providers/capabilities.ts';
import type { MarketProvider } from './providers/provider.ts';

/** A provider that the service has an adapter for. */
export interface KnownProvider {
  readonly provider: MarketProvider;
  /** Whether the service uses it. */
  readonly isConfigured: boolean;
}

export interface ReportContext {
  readonly database: Database;
  readonly clock: Clock;
}

export type ProviderView = z.output<typeof MarketProviderView>;

/** Returns what each provider offers and, with `withStates`, how it has worked so far. */
export async function reportProviders(
  { database, clock }: ReportContext,
  known: readonly KnownProvider[],
  { withStates }: { readonly withStates: boolean },
): Promise<ProviderView[]> {
  if (!withStates) return known.map(viewProvider);
  const states = await readProviderStates(database, clock === systemClock ? undefined : () => clock.now().getTime());
  const listings = await readListingStates(database);
  return known.map((one) => {
    const { id } = one.provider;
    return {
      ...viewProvider(one),
      ...viewProviderState(
        states.find(({ provider }) => provider === id),
        { requestsPerMinute: one.provider.requestsPerMinute, isUsed: one.isConfigured },
      ),
      listing: viewListing(listings.get(id)),
    };
  });
}

function viewProvider({ provider, isConfigured }: KnownProvider): ProviderView {
  const { id, adjustments, sides, sessions, earliest, delayMinutes, license } = provider;
  return {
    id,
    configured: isConfigured,
    intervals: [...listTimeframes(provider)],
    adjustments: [...adjustments],
    sides: [...sides],
    sessions: [...sessions],
    earliest: earliest === null ? null : new Date(earliest).toISOString(),
    delay_minutes: delayMinutes,
    license: { name: license.name, url: license.url },
  };
}

function viewListing(listing: ListingState | undefined): ProviderView['listing'] {
  if (listing === undefined) return null;
  const { entries, refreshed_at: refreshedAt, last_error: error } = listing;
  return { entries, refreshed_at: refreshedAt?.toISOString() ?? null, error };
}
