import { licenseDenied } from '../../access/index.ts';
import { Fault, type MarketSourceName } from '../../contract/index.ts';
import type { BarQuery } from '../bars.ts';
import type { CollectedBars } from './collect-bars.ts';
import type { MarketProvider } from './provider.ts';
import { PROVIDER_FAULTS, ProviderError } from './provider-error.ts';
import { resolveSourceName } from './source-name.ts';

export interface RouteRequest {
  readonly source: MarketSourceName;
  readonly query: BarQuery;
  /** Those that are configured, the preferred one first. */
  readonly providers: readonly MarketProvider[];
  readonly collect: (provider: MarketProvider, query: BarQuery) => Promise<CollectedBars>;
  /** The licence that keeps a provider from serving the query; null: none does. Left out: nobody asks. */
  readonly deniedLicense?: ((provider: MarketProvider, query: BarQuery) => Promise<string | null>) | undefined;
}

export interface RoutedBars extends CollectedBars {
  /** Who served. */
  readonly provider: string;
  /** Whether somebody who should have served before failed. */
  readonly fallbackUsed: boolean;
}

/**
 * Bars from the first provider that can serve the query, or from the one the caller named and nobody else. Throws a
 * `Fault` when there is none; whatever is not a provider's fault passes through.
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
  if (failures.length > 0) {
    // The sentence of the fault, not the error's own message: that has details for the log.
    const reasons = failures.map(({ provider, fault }) => `${provider} ${PROVIDER_FAULTS[fault]}`);
    throw new Fault('PROVIDER_FAILED', `${reasons.join('; ')}.`);
  }
  if (denied !== null) throw licenseDenied(`symbol: ${JSON.stringify(query.symbol)}`, denied);
  throw new Fault('NOT_FOUND', `${sayNames(eligible)} no bars under the symbol ${JSON.stringify(query.symbol)}.`);
}

function eligibleProviders(
  source: MarketSourceName,
  query: BarQuery,
  providers: readonly MarketProvider[],
): readonly MarketProvider[] {
  const name = resolveSourceName(source);
  const asked = name === 'auto' ? providers : providers.filter(({ id }) => id === name);
  if (asked.length === 0) {
    throw new Fault(
      'UNPROCESSABLE',
      name === 'auto'
        ? 'No market data provider is configured.'
        : `source: ${name} is not configured here; auto asks whoever is.`,
    );
  }
  const answers = asked.map((provider) => ({ provider, reason: provider.refuses(query) }));
  const eligible = answers.filter(({ reason }) => reason === null).map(({ provider }) => provider);
  if (eligible.length === 0) {
    const reasons = answers.map(({ provider, reason }) => `${provider.id}: ${reason}`);
    throw new Fault('UNPROCESSABLE', `No provider can serve this. ${reasons.join(' ')}`);
  }
  return eligible;
}

function sayNames(providers: readonly MarketProvider[]): string {
  const names = providers.map(({ id }) => id);
  return names.length === 1 ? `${names[0]} has` : `${names.slice(0, -1).join(', ')} and ${names.at(-1)} have`;
}
