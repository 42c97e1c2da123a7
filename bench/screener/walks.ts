import { previousSession, sessionsBetween } from '../../src/calendar/index.ts';
import { createRandom, type Random } from '../../src/engine/numerics/random.ts';
import type { DaysBySymbols, MarketProvider, RawBar } from '../../src/market/index.ts';
import { listedStock, STOCKS } from '../../test/support/market/stocks.ts';

const SESSIONS = 460;

/**
 * Returns a provider of daily random walks, which are generated on request, because thousands of symbols do not fit
 * into memory.
 */
export function createRandomWalkProvider(
  symbols: readonly string[],
  last: number,
): MarketProvider & { readonly bulk: DaysBySymbols } {
  let first = last;
  for (let i = 1; i < SESSIONS; i++) first = previousSession(first);
  const days = sessionsBetween(first, last);
  const indices = new Map(symbols.map((symbol, i) => [symbol, i]));
  const unused = async () => {
    throw new Error('Request many symbols at a time.');
  };
  return {
    id: 'alpaca',
    requestsPerMinute: null,
    ...STOCKS,
    frequencies: ['1D'],
    fetchPage: unused,
    async *readListing() {
      yield symbols.map(listedStock);
    },
    bulk: {
      by: 'symbols',
      maxSymbols: 500,
      fetchDays: async ({ symbols: requested, start, end }) => ({
        bars: new Map(requested.map((symbol) => [symbol, walk(days, indices.get(symbol) ?? 0, start, end)])),
        nextToken: null,
      }),
    },
  };
}

/** Returns an approximately normal number: the sum of three uniform draws, scaled to a standard deviation of one. */
function step({ uniform }: Random): number {
  return 2 * (uniform() + uniform() + uniform() - 1.5);
}

function walk(days: Float64Array, seed: number, start: number, end: number): RawBar[] {
  const random = createRandom(seed + 1);
  const bars: RawBar[] = [];
  let close = 5 + 200 * random.uniform();
  for (const timestamp of days) {
    const open = close * (1 + 0.01 * step(random));
    close = open * Math.exp(0.02 * step(random));
    const high = Math.max(open, close) * (1 + 0.01 * random.uniform());
    const low = Math.min(open, close) * (1 - 0.01 * random.uniform());
    const volume = Math.round(1e6 * Math.exp(step(random)));
    if (timestamp >= start && timestamp < end) bars.push({ timestamp, open, high, low, close, volume });
  }
  return bars;
}
