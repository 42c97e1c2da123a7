import { sessionsBetween } from '../../../src/calendar/index.ts';
import type { MarketProvider, RawBar } from '../../../src/market/index.ts';
import { STOCKS } from './stocks.ts';

export interface MemoryProviderOptions {
  readonly id?: string;
  readonly frequencies?: MarketProvider['frequencies'];
  readonly rows: readonly RawBar[];
  /** Bars in one page. */
  readonly page?: number;
  /** Returns the error with which a request fails, or null. */
  readonly fails?: () => Error | null;
  readonly onRequest?: () => void;
}

/** Creates a provider whose bars are in memory. */
export function memoryProvider(options: MemoryProviderOptions): MarketProvider {
  const { id = 'alpaca', frequencies = ['1D', '1min'], rows, page = 1_000 } = options;
  return {
    id,
    requestsPerMinute: null,
    ...STOCKS,
    frequencies,
    async fetchPage({ start = Number.NEGATIVE_INFINITY, end }, token) {
      options.onRequest?.();
      const error = options.fails?.();
      if (error) throw error;
      const inside = rows.filter(({ timestamp }) => Number(timestamp) >= start && Number(timestamp) < end);
      const to = token === null ? inside.length : Number(token);
      const from = Math.max(0, to - page);
      return { bars: inside.slice(from, to), olderToken: from > 0 ? String(from) : null };
    },
  };
}

/** Returns one bar for each session between two dates, rising by one a day. */
export function dailyBars(from: string, to: string): RawBar[] {
  const day = (text: string): number => Date.parse(`${text}T00:00:00Z`);
  return barsAt(sessionsBetween(day(from), day(to)));
}

export function barsAt(timestamps: ArrayLike<number>): RawBar[] {
  return Array.from(timestamps, (timestamp, i) => ({
    timestamp,
    open: 100 + i,
    high: 102 + i,
    low: 99 + i,
    close: 101 + i,
    volume: 1_000 + i,
  }));
}
