import { previousSession, sessionsBetween } from '../../../src/calendar/index.ts';
import { type BulkDays, type MarketProvider, ProviderError, type RawBar } from '../../../src/market/index.ts';

export type ProviderFault = ProviderError['fault'];

/** A provider of daily bars of many symbols, in memory, whose bars a test adds to as days pass. */
export interface BulkProvider extends MarketProvider {
  readonly bulk: BulkDays;
  readonly bars: Map<string, RawBar[]>;
  /** What it does instead of answering. */
  fault: ProviderFault | null;
  /** The symbols of every question, in order. */
  readonly asked: (readonly string[])[];
}

export function bulkProvider(bars: Readonly<Record<string, readonly RawBar[]>>, id = 'alpaca'): BulkProvider {
  const held = new Map(Object.entries(bars).map(([symbol, rows]) => [symbol, [...rows]]));
  const asked: (readonly string[])[] = [];
  const provider: BulkProvider = {
    id,
    requestsPerMinute: null,
    frequencies: ['1D'],
    kind: 'exchange',
    bars: held,
    fault: null,
    asked,
    refuses: () => null,
    fetchPage: async () => {
      throw new Error('Many are asked for at once.');
    },
    describe: async () => null,
    bulk: {
      mostSymbols: 100,
      symbols: async () => {
        refuseWhenDown();
        return [...held.keys()];
      },
      fetchDays: async ({ symbols, start, end }) => {
        asked.push(symbols);
        refuseWhenDown();
        const within = ({ timestamp }: RawBar) => Number(timestamp) >= start && Number(timestamp) < end;
        const known = symbols.filter((symbol) => held.has(symbol));
        return {
          bars: new Map(known.map((symbol) => [symbol, (held.get(symbol) ?? []).filter(within)])),
          next: null,
        };
      },
    },
  };
  return provider;

  function refuseWhenDown(): void {
    if (provider.fault !== null) throw new ProviderError(id, provider.fault);
  }
}

/** Bars with these closes for the sessions that end with one. The volume is 1,000 on each. */
export function barsEndingAt(session: string, closes: readonly number[]): RawBar[] {
  const last = Date.parse(`${session}T00:00:00Z`);
  let first = last;
  for (let i = 1; i < closes.length; i++) first = previousSession(first);
  return Array.from(sessionsBetween(first, last), (timestamp, i) => barOf(timestamp, closes[i] as number));
}

export function barOf(timestamp: number, close: number): RawBar {
  return { timestamp, open: close, high: close * 1.01, low: close * 0.99, close, volume: 1_000 };
}
