import { licenseDenied } from '../../access/index.ts';
import type { MarketSourceName } from '../../contract/index.ts';
import type { BarQuery } from '../bars.ts';
import type { MarketContext } from '../context.ts';
import {
  noBarsForSymbol,
  noProviderConfigured,
  noProviderSupports,
  providerNotConfigured,
  providersFailed,
} from '../faults.ts';
import type { CollectedBars } from './collect-bars.ts';
import type { MarketProvider } from './provider.ts';
import { PROVIDER_FAULTS, ProviderError } from './provider-error.ts';

export interface RouteRequest {
  readonly source: MarketSourceName;
  readonly query: BarQuery;
  /** The configured providers, the preferred one first. */
  readonly providers: readonly MarketProvider[];
  readonly collect: (provider: MarketProvider, query: BarQuery) => Promise<CollectedBars>;
  /** Returns the denied license of a provider's bars, or null. Omitted when no license is denied. */
  readonly deniedLicense?: ((provider: MarketProvider, query: BarQuery) => Promise<string | null>) | undefined;
}

export interface RoutedBars extends CollectedBars {
  /** The provider that served the bars. */
  readonly provider: string;
  /** Whether a preferred provider failed first. */
  readonly fallbackUsed: boolean;
}

/**
 * Returns bars from the first provider that can serve the query, or only from the provider that the caller named.
 * Throws a `Fault` if none can. Errors other than `ProviderError` pass through.
 */
export async function routeBars(request: RouteRequest): Promise<RoutedBars> {
  const { source, query, providers, collect, deniedLicense } = request;
  const eligible = eligibleProviders(source, query, providers);
  const failures: ProviderError[] = [];
  let denied: string | null = null;
  for (const provider of eligible) {
    try {
      const license = (await deniedLicense?.(provider, query)) ?? null;
      denied ??= license;
      if (license !== null) continue;
      const collected = await collect(provider, query);
      return { ...collected, provider: provider.id, fallbackUsed: failures.length > 0 };
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      if (error.fault !== 'UNKNOWN_SYMBOL') failures.push(error);
    }
  }
  // The messages of the errors are left out, because they contain details for the log.
  if (failures.length > 0) {
    throw providersFailed(failures.map(({ provider, fault }) => `${provider} ${PROVIDER_FAULTS[fault]}`));
  }
  if (denied !== null) throw licenseDenied(`symbol: ${JSON.stringify(query.symbol)}`, denied);
  throw noBarsForSymbol(
    eligible.map(({ id }) => id),
    query.symbol,
  );
}

function eligibleProviders(
  source: MarketSourceName,
  query: BarQuery,
  providers: readonly MarketProvider[],
): readonly MarketProvider[] {
  const name = resolveSourceName(source);
  const candidates = name === 'auto' ? providers : providers.filter(({ id }) => id === name);
  if (candidates.length === 0) {
    throw name === 'auto' ? noProviderConfigured() : providerNotConfigured('source', name);
  }
  const checked = candidates.map((provider) => ({ provider, reason: provider.unsupportedReason(query) }));
  const eligible = checked.filter(({ reason }) => reason === null).map(({ provider }) => provider);
  if (eligible.length > 0) return eligible;
  throw noProviderSupports(checked.map(({ provider, reason }) => `${provider.id}: ${reason}`));
}

/**
 * Returns the license of an instrument if it is denied; null if it is allowed or the provider does not have the symbol.
 */
export async function deniedLicense(
  { licenses }: Pick<MarketContext, 'licenses'>,
  provider: MarketProvider,
  symbol: string,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const description = await provider.describe(symbol, signal);
  if (description === null || licenses.allows(description.license.name)) return null;
  return description.license.name;
}

/** Further names by which callers can choose a provider, besides its id. */
const ALIASES: Partial<Record<MarketSourceName, string>> = {
  provider_a: 'alpaca',
  provider_b: 'massive',
  provider_c: 'dukascopy',
};

/** Returns the id of the provider that a caller named, or `auto`. */
export function resolveSourceName(source: MarketSourceName): string {
  return ALIASES[source] ?? source;
}
