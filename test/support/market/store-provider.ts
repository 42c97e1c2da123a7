import type { SeriesKind } from '../../../src/calendar/index.ts';
import type { MarketProvider, RawBar } from '../../../src/market/index.ts';
import type { PageQuery } from '../../../src/market/providers/provider.ts';
import type { StoredBars } from '../../../src/market/store/answer-window.ts';
import { readSeries } from '../../../src/market/store/read-series.ts';
import { type Database, ProviderError } from '../../../src/platform/index.ts';
import { dailyBars } from './memory-provider.ts';
import { STOCKS } from './stocks.ts';

/** A provider in memory whose bars, faults and delay a test changes while it runs. */
export interface StoreProvider extends MarketProvider {
  rows: RawBar[];
  delayMinutes: number;
  /** Bars in one page. */
  pageRows: number;
  maxPagesPerRead?: number;
  fault: ProviderError['fault'] | null;
  /** The query of every request, in order. */
  readonly requests: PageQuery[];
  /** Called before each reply. */
  onRequest: (query: PageQuery) => void | Promise<void>;
  /** Returns the number of requests since the last call. */
  takeRequests(): number;
}

export function storeProvider(rows: readonly RawBar[], kind: SeriesKind = 'exchange'): StoreProvider {
  let taken = 0;
  const provider: StoreProvider = {
    id: 'alpaca',
    requestsPerMinute: null,
    ...STOCKS,
    frequencies: ['1min', '30min', '1D'],
    kindOf: () => kind,
    rows: [...rows],
    delayMinutes: 0,
    pageRows: 10_000,
    fault: null,
    requests: [],
    onRequest: () => {},
    takeRequests() {
      const count = provider.requests.length - taken;
      taken = provider.requests.length;
      return count;
    },
    async fetchPage(query, token) {
      provider.requests.push(query);
      await provider.onRequest(query);
      if (provider.fault !== null) throw new ProviderError(provider.id, provider.fault);
      const { start = Number.NEGATIVE_INFINITY, end, limit } = query;
      const inside = provider.rows.filter(({ timestamp }) => Number(timestamp) >= start && Number(timestamp) < end);
      const to = token === null ? inside.length : Number(token);
      const from = Math.max(0, to - Math.min(limit, provider.pageRows));
      return { bars: inside.slice(from, to), olderToken: from > 0 ? String(from) : null };
    },
  };
  return provider;
}

export interface ReadOptions {
  readonly frequency?: PageQuery['frequency'];
  readonly adjustment?: PageQuery['adjustment'];
  readonly symbol?: string;
  readonly start?: number | string;
  readonly end?: number | string;
  readonly limit?: number;
  readonly at?: number | string;
  readonly signal?: AbortSignal;
}

/** A store with a clock that a test sets. */
export interface StoreScene {
  readonly context: Parameters<typeof readSeries>[0] & { storeBytes: number };
  readonly provider: StoreProvider;
  /** Messages of the log. */
  readonly logged: string[];
  setTime(time: string): void;
  read(options?: ReadOptions): Promise<StoredBars>;
  /** Reads, and returns the number of requests that were sent to the provider. */
  countRequests(options?: ReadOptions): Promise<number>;
}

const instant = (time: number | string): number => (typeof time === 'number' ? time : Date.parse(time));

export function storeScene(database: Database, provider: StoreProvider, time: string): StoreScene {
  let now = instant(time);
  const logged: string[] = [];
  const log = { warn: (_fields: object, message: string) => logged.push(message) } as never;
  const context = { database, clock: { now: () => new Date(now) }, storeBytes: 2 ** 30, log };
  const read = ({ start, end = now, at = now, ...options }: ReadOptions = {}) => {
    const { symbol = 'ACME', frequency = '1D', adjustment = 'raw', limit = 100, signal } = options;
    return readSeries(
      context,
      provider,
      { symbol, frequency, adjustment, side: 'trade' },
      { ...(start === undefined ? {} : { start: instant(start) }), end: instant(end), at: instant(at), limit, signal },
    );
  };
  return {
    context,
    provider,
    logged,
    setTime: (next) => {
      now = instant(next);
    },
    read,
    countRequests: async (options) => {
      provider.takeRequests();
      await read(options);
      return provider.takeRequests();
    },
  };
}

/** Returns the dates or, within a day, the times of bars. */
export function timesOf({ bars }: StoredBars): string[] {
  return Array.from(bars.timestamps, (time) => new Date(time).toISOString().slice(0, 16).replace('T00:00', ''));
}

/** Returns the bar at a time. */
export function barAt(time: string | number, close = 100): RawBar {
  return { timestamp: instant(time), open: close, high: close * 1.01, low: close * 0.99, close, volume: 1_000 };
}

/** A Wednesday on which the session has closed. The days up to 2024-11-22 are settled. */
export const CLOSE = '2024-11-27T21:00:00Z';

/** Returns the scene of a series of days from 2020 to 2024. */
export function daysScene(database: Database, time = CLOSE) {
  return storeScene(database, storeProvider(dailyBars('2020-01-02', '2024-12-31')), time);
}

/** Returns the rows with other prices for the bars before a date. */
export function scaled(rows: readonly RawBar[], factor: number, before: string): RawBar[] {
  return rows.map((row) => {
    if (Number(row.timestamp) >= Date.parse(before)) return row;
    const { timestamp, volume } = row;
    const [open, high, low, close] = [row.open, row.high, row.low, row.close].map((price) => Number(price) * factor);
    return { timestamp, open, high, low, close, volume };
  });
}
