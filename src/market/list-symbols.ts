import { openProviderClient, ProviderError } from '../platform/index.ts';
import type { MarketContext } from './context.ts';
import { hasRemoteListing } from './directory/directory.ts';
import { BULK_TOTAL_MS } from './read-days.ts';

export interface SymbolList {
  /** Sorted and without duplicates, in the spelling of their providers. */
  readonly symbols: readonly string[];
  /** Whether every provider of stocks listed its symbols. Some providers cannot. */
  readonly isComplete: boolean;
  /** The errors of the providers that failed to list their symbols. */
  readonly failures: readonly ProviderError[];
}

/**
 * Returns the active symbols of all providers of stocks, as the directory has them. A provider whose listing was never
 * read makes the list incomplete. Providers without a network list their symbols directly.
 */
export async function listAllSymbols(
  market: Pick<MarketContext, 'database' | 'providers' | 'directory'>,
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
    if (hasRemoteListing(provider)) {
      const listed = (await market.directory?.listSymbols(provider.id)) ?? null;
      if (listed === null) isComplete = false;
      for (const symbol of listed ?? []) symbols.add(symbol);
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
