import type { z } from 'zod';
import type { MarketProviderView } from '../contract/index.ts';
import {
  budgetCapacity,
  type Clock,
  type Database,
  type ProviderState,
  readProviderStates,
  systemClock,
} from '../platform/index.ts';
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
      ...viewState(
        one,
        states.find(({ provider }) => provider === id),
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

function viewState({ provider, isConfigured }: KnownProvider, state: ProviderState | undefined): Partial<ProviderView> {
  const { requestsPerMinute } = provider;
  const isAsked = isConfigured && requestsPerMinute !== null;
  return {
    state: state?.state ?? 'closed',
    last_success_at: state?.lastSuccessAt?.toISOString() ?? null,
    last_failure:
      state?.lastFailureAt && state.lastFault
        ? { at: state.lastFailureAt.toISOString(), fault: state.lastFault }
        : null,
    // A provider that got no request yet has a full budget.
    requests_left: isAsked ? (state?.requestsLeft ?? Math.floor(budgetCapacity(requestsPerMinute))) : null,
  };
}

function viewListing(listing: ListingState | undefined): ProviderView['listing'] {
  if (listing === undefined) return null;
  const { entries, refreshed_at: refreshedAt, last_error: error } = listing;
  return { entries, refreshed_at: refreshedAt?.toISOString() ?? null, error };
}
