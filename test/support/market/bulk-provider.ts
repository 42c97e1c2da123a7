import { previousSession, sessionsBetween } from '../../../src/calendar/index.ts';
import type { DaysBySymbols, MarketProvider, RawBar } from '../../../src/market/index.ts';
import { ProviderError } from '../../../src/platform/index.ts';

import { listedStock, STOCKS } from './stocks.ts';

export type ProviderFault = ProviderError['fault'];

/** A provider of daily bars in memory; a test can add bars while it runs. */
export interface BulkProvider extends MarketProvider {
  readonly bulk: DaysBySymbols & { readonly listSymbols: () => Promise<readonly string[]> };
  readonly bars: Map<string, RawBar[]>;
  /** The fault with which every request fails, or null. */
  fault: ProviderFault | null;
  /** The symbols of every query, in order. */
  readonly queries: (readonly string[])[];
}

export function bulkProvider(bars: Readonly<Record<string, readonly RawBar[]>>, id = 'alpaca'): BulkProvider {
  const bySymbol = new Map(Object.entries(bars).map(([symbol, rows]) => [symbol, [...rows]]));
  const queries: (readonly string[])[] = [];
  const provider: BulkProvider = {
    id,
    requestsPerMinute: null,
    ...STOCKS,
    frequencies: ['1D'],
    bars: bySymbol,
    fault: null,
    queries,
    fetchPage: async () => {
      throw new Error('Only bulk queries are expected.');
    },
    async *readListing() {
      yield (await this.bulk.listSymbols()).map(listedStock);
    },
    bulk: {
      by: 'symbols',
      maxSymbols: 100,
      listSymbols: async () => {
        failIfFaulty();
        return [...bySymbol.keys()];
      },
      fetchDays: async ({ symbols, start, end }) => {
        queries.push(symbols);
        failIfFaulty();
        const within = ({ timestamp }: RawBar) => Number(timestamp) >= start && Number(timestamp) < end;
        const known = symbols.filter((symbol) => bySymbol.has(symbol));
        return {
          bars: new Map(known.map((symbol) => [symbol, (bySymbol.get(symbol) ?? []).filter(within)])),
          nextToken: null,
        };
      },
    },
  };
  return provider;

  function failIfFaulty(): void {
    if (provider.fault !== null) throw new ProviderError(id, provider.fault);
  }
}

/** Returns bars with these closes for the sessions up to and including `session`, each with a volume of 1,000. */
export function barsEndingAt(session: string, closes: readonly number[]): RawBar[] {
  const last = Date.parse(`${session}T00:00:00Z`);
  let first = last;
  for (let i = 1; i < closes.length; i++) first = previousSession(first);
  return Array.from(sessionsBetween(first, last), (timestamp, i) => barOf(timestamp, closes[i] as number));
}

export function barOf(timestamp: number, close: number): RawBar {
  return { timestamp, open: close, high: close * 1.01, low: close * 0.99, close, volume: 1_000 };
}
