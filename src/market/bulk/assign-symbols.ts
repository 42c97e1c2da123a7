import type { MarketContext } from '../context.ts';
import { findUnsupportedReason } from '../providers/capabilities.ts';
import type { BulkDays, MarketProvider } from '../providers/provider.ts';
import { deniedLicense } from '../providers/route.ts';

/** A provider behind a network whose daily bars are read in bulk into the store. */
export type FilledProvider = MarketProvider & { readonly bulk: BulkDays };

/** Returns whether the daily bars of a provider are read in bulk into the store. */
export function isFilled(provider: MarketProvider): provider is FilledProvider {
  return provider.serves === 'stocks' && provider.requestsPerMinute !== null && provider.bulk !== undefined;
}

/**
 * Returns the active symbols that providers list, with the provider from which each is read: the first one that lists
 * it. A provider whose listing was never read counts as listing every symbol.
 */
export async function assignSymbols(
  market: Pick<MarketContext, 'providers' | 'directory' | 'licenses'>,
): Promise<ReadonlyMap<string, FilledProvider>> {
  const assigned = new Map<string, FilledProvider>();
  const unread: FilledProvider[] = [];
  for (const provider of market.providers.filter(isFilled)) {
    const symbols = (await market.directory?.listSymbols(provider.id)) ?? null;
    if (symbols === null) {
      unread.push(provider);
      continue;
    }
    for (const symbol of symbols) {
      if (assigned.has(symbol)) continue;
      const server = [...unread, provider].find((one) => canServe(market, one, symbol));
      if (server !== undefined) assigned.set(symbol, server);
    }
  }
  return assigned;
}

function canServe(market: Pick<MarketContext, 'licenses'>, provider: MarketProvider, symbol: string): boolean {
  const query = { symbol, frequency: '1D', adjustment: 'split', session: 'regular', end: 0, limit: 1 } as const;
  return (
    provider.canonicalSymbol(symbol) === symbol &&
    findUnsupportedReason(provider, query) === null &&
    deniedLicense(market, provider, symbol) === null
  );
}
