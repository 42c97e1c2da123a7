import { licenseDenied } from '../../access/index.ts';
import type { MarketSourceName } from '../../contract/index.ts';
import { PROVIDER_FAULTS, ProviderError } from '../../platform/index.ts';
import type { BarQuery } from '../bars.ts';
import type { BarsContext, MarketContext } from '../context.ts';
import {
  noBarsForSymbol,
  noProviderConfigured,
  noProviderSupports,
  providerNotConfigured,
  providersFailed,
} from '../faults.ts';
import { findUnsupportedReason } from './capabilities.ts';
import type { MarketProvider } from './provider.ts';

export interface RouteRequest<Served> {
  readonly source: MarketSourceName;
  readonly query: BarQuery;
  /** Reads from one provider. The symbol is in its spelling. */
  readonly read: (provider: MarketProvider, symbol: string) => Promise<Served>;
}

export interface Routed<Served> {
  readonly served: Served;
  readonly provider: MarketProvider;
  /** Whether a preferred provider failed first. */
  readonly fallbackUsed: boolean;
}

/**
 * Reads from the first provider that can serve the query, or only from the provider that the caller named. Throws a
 * `Fault` if none can. Errors other than `ProviderError` pass through.
 */
export async function routeBars<Served>(market: BarsContext, request: RouteRequest<Served>): Promise<Routed<Served>> {
  const { source, query, read } = request;
  const candidates = await findCandidates(market, source, query.symbol);
  const checked = candidates.map((candidate) => ({
    ...candidate,
    reason: candidate.symbol === null ? null : findUnsupportedReason(candidate.provider, query),
  }));
  const eligible = checked.filter(({ reason }) => reason === null);
  if (eligible.length === 0) {
    throw noProviderSupports(checked.map(({ provider, reason }) => `${provider.id}: ${reason}`));
  }
  const failures: ProviderError[] = [];
  let denied: string | null = null;
  for (const { provider, symbol } of eligible) {
    if (symbol === null) continue;
    const license = deniedLicense(market, provider, symbol);
    denied ??= license;
    if (license !== null) continue;
    try {
      return { served: await read(provider, symbol), provider, fallbackUsed: failures.length > 0 };
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      if (error.fault !== 'NOT_FOUND') failures.push(error);
    }
  }
  // The messages of the errors are left out, because they contain details for the log.
  if (failures.length > 0) {
    throw providersFailed(failures.map(({ provider, fault }) => `${provider} ${PROVIDER_FAULTS[fault]}`));
  }
  if (denied !== null) throw licenseDenied(`symbol: ${JSON.stringify(query.symbol)}`, denied);
  throw noBarsForSymbol(
    eligible.map(({ provider }) => provider.id),
    query.symbol,
  );
}

/** A provider that may have a symbol, and the symbol in its spelling; null if it does not have the symbol. */
export interface Candidate {
  readonly provider: MarketProvider;
  readonly symbol: string | null;
}

/**
 * Returns the providers for a symbol, the preferred one first. Without a named source, these are the providers that list
 * the symbol. A provider of stocks whose listing was never read counts as listing every stock, but comes after the
 * providers that are known to list the symbol. The bundled data are used only if none lists it.
 */
export async function findCandidates(
  { providers, directory }: Pick<BarsContext, 'providers' | 'directory'>,
  source: MarketSourceName,
  symbol: string,
): Promise<readonly Candidate[]> {
  const name = resolveSourceName(source);
  await Promise.all(providers.map((provider) => provider.prepare?.()));
  const all = providers.map((provider) => ({ provider, symbol: provider.canonicalSymbol(symbol) }));
  if (name !== 'auto') {
    const named = all.filter(({ provider }) => provider.id === name);
    if (named.length === 0) throw providerNotConfigured('source', name);
    return named;
  }
  if (all.length === 0) throw noProviderConfigured();
  const isLocal = ({ provider }: Candidate) => provider.requestsPerMinute === null && provider.list !== undefined;
  const known: Candidate[] = [];
  const presumed: Candidate[] = [];
  for (const candidate of all) {
    if (candidate.symbol === null || isLocal(candidate)) continue;
    const listed = (await directory?.find(candidate.provider.id, candidate.symbol)) ?? 'unread';
    if (listed === 'absent') continue;
    const isKnown = listed !== 'unread' || candidate.provider.serves === 'currencies';
    (isKnown ? known : presumed).push(candidate);
  }
  const listing = [...known, ...presumed];
  if (listing.length > 0) return listing;
  const unlisted = all.filter((candidate) => !isLocal(candidate)).map(({ provider }) => ({ provider, symbol: null }));
  return [...unlisted, ...all.filter(isLocal)];
}

/** Returns the license of an instrument if it is denied; null if it is allowed. */
export function deniedLicense(
  { licenses }: Pick<MarketContext, 'licenses'>,
  provider: MarketProvider,
  symbol: string,
): string | null {
  const { name } = provider.licenseOf?.(symbol) ?? provider.license;
  return licenses.allows(name) ? null : name;
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
