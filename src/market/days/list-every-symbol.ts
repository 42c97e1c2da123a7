import type { MarketContext } from '../context.ts';
import { ProviderError } from '../providers/provider-error.ts';
import { isBulk } from './bulk-provider.ts';

export interface EverySymbol {
  /** In their own spelling, each once, in order. */
  readonly symbols: readonly string[];
  /** Providers that could not tell theirs. */
  readonly failures: readonly ProviderError[];
}

/** The symbols of all providers that can be asked for many at once: those of an exchange. */
export async function listEverySymbol(market: MarketContext, signal?: AbortSignal): Promise<EverySymbol> {
  const symbols = new Set<string>();
  const failures: ProviderError[] = [];
  for (const provider of market.providers) {
    if (!isBulk(provider) || provider.kind !== 'exchange') continue;
    try {
      for (const symbol of await market.listSymbols(provider, signal)) symbols.add(symbol);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      failures.push(error);
    }
  }
  return { symbols: [...symbols].sort(), failures };
}
