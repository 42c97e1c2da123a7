import type { MarketContext } from '../context.ts';
import { ProviderError } from '../providers/provider-error.ts';
import { isBulk } from './bulk-provider.ts';

export interface EverySymbol {
  /** In their own spelling, each once, in order. */
  readonly symbols: readonly string[];
  /** Whether every provider of an exchange could say which it has. Some never can. */
  readonly isComplete: boolean;
  /** Providers that could not tell theirs. */
  readonly failures: readonly ProviderError[];
}

/** The symbols of all providers that can be asked for many at once: those of an exchange. */
export async function listEverySymbol(market: MarketContext, signal?: AbortSignal): Promise<EverySymbol> {
  const symbols = new Set<string>();
  const failures: ProviderError[] = [];
  let isComplete = true;
  for (const provider of market.providers) {
    if (provider.kind !== 'exchange') continue;
    if (!isBulk(provider)) {
      isComplete = false;
      continue;
    }
    try {
      for (const symbol of await market.listSymbols(provider, signal)) symbols.add(symbol);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      isComplete = false;
      failures.push(error);
    }
  }
  return { symbols: [...symbols].sort(), isComplete, failures };
}
