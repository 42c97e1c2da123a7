import { openProviderClient, ProviderError } from '../platform/index.ts';
import type { MarketContext } from './context.ts';
import { BULK_TOTAL_MS } from './read-days.ts';

export interface SymbolList {
  /** Sorted and without duplicates, in the spelling of their providers. */
  readonly symbols: readonly string[];
  /** Whether every provider of stocks listed its symbols. Some providers cannot. */
  readonly isComplete: boolean;
  /** The errors of the providers that failed to list their symbols. */
  readonly failures: readonly ProviderError[];
}

/** Returns the symbols of all providers of stocks that can list them. */
export async function listAllSymbols(
  market: Pick<MarketContext, 'database' | 'providers'>,
  signal?: AbortSignal,
): Promise<SymbolList> {
  const symbols = new Set<string>();
  const failures: ProviderError[] = [];
  let isComplete = true;
  for (const provider of market.providers) {
    if (provider.serves !== 'stocks') continue;
    if (provider.readListing === undefined) {
      isComplete = false;
      continue;
    }
    const http = openProviderClient(market, provider, { signal, totalMs: BULK_TOTAL_MS });
    try {
      for await (const batch of provider.readListing(http)) {
        for (const { symbol, status } of batch) if (status === 'active') symbols.add(symbol);
      }
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      isComplete = false;
      failures.push(error);
    }
  }
  return { symbols: [...symbols].sort(), isComplete, failures };
}
