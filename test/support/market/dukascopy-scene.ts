import { DAY_MS, fixedStep, isTradingDay, MINUTE_MS } from '../../../src/calendar/index.ts';
import { createDukascopyProvider } from '../../../src/market/providers/dukascopy/dukascopy-provider.ts';
import type { PageQuery, SeriesKey } from '../../../src/market/providers/provider.ts';
import { createProviderClient } from '../../../src/platform/index.ts';
import { createSeededRandom } from '../platform/seeded-random.ts';
import type { AdapterScene, SceneRow } from './adapter-scenes.ts';
import { decodeFeedFile, type FeedFileBounds } from './decode-feed-file.ts';
import {
  aggregateCandles,
  encodeCandles,
  type FeedCandle,
  type FeedCandles,
  type FeedPeriod,
  startDukascopyServer,
} from './dukascopy-server.ts';

/** Saturday, 2024-03-09, 00:00 UTC: every bar of the week is complete. */
const NOW = Date.UTC(2024, 2, 9);
const SYMBOL = 'EURUSD';
const SERIES: SeriesKey = { symbol: SYMBOL, frequency: '1D', adjustment: 'raw', side: 'bid' };
const FIRST_DAY = Date.UTC(2024, 0, 2);
const FIRST_MINUTE = Date.UTC(2024, 2, 6);
const PERIODS: Readonly<Record<string, FeedPeriod>> = { '1min': 'minute', '1h': 'hour', '1D': 'day' };

/** The scene of Dukascopy: days from January 2024, and every seventh minute of the last three days of trading. */
export const dukascopyScene: AdapterScene = {
  name: 'dukascopy',
  symbol: SYMBOL,
  unknownSymbol: 'GBPUSD',
  unknownFault: 'NOT_FOUND',
  namesSymbol: false,
  namesOlder: false,
  isOrdered: true,
  async start({ now = NOW } = {}) {
    const sides = { bid: createCandles(1.08), ask: createCandles(1.0802) };
    // A listing is valid only with pairs, metals and coins.
    const listing = [{ code: 'XAU-USD', group: 'FX_METALS' } as const, { code: 'BTC-USD', group: 'VCCY' } as const];
    const histories = [{ code: 'EUR-USD', ...sides }];
    const server = await startDukascopyServer({ histories, listing, clock: () => now });
    const clock = { now: () => new Date(now) };
    const provider = createDukascopyProvider({ url: server.url, requestsPerMinute: 60, clock });
    // No file tells where the histories start. The adapter learns it when it asks for a year before.
    const before: PageQuery = { ...SERIES, end: Date.UTC(2023, 0), limit: 1 };
    await provider.fetchPage(before, null, createProviderClient({ provider: provider.id, gate: null }));
    server.requests.length = 0;
    return {
      provider,
      server,
      now,
      secrets: [],
      bars: ({ side, frequency }) => {
        const begun = candlesOf(sides[side === 'ask' ? 'ask' : 'bid'], frequency, now);
        return begun.filter(({ timestamp }) => timestamp + (fixedStep(frequency) as number) <= now);
      },
      encode: ({ frequency }, rows) => {
        const candles = rows as readonly SceneRow[] as readonly FeedCandle[];
        return encodeCandles(candles, { start: fileStart(frequency), period: PERIODS[frequency] as FeedPeriod });
      },
      decode: ({ frequency }, text) => {
        const { timestamp } = JSON.parse(text);
        return decodeFeedFile(Buffer.from(text), boundsOf(frequency, timestamp, now)) ?? [];
      },
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  },
};

/** Returns the bounds of the file that begins at an instant. */
function boundsOf(frequency: SeriesKey['frequency'], start: number, now: number): FeedFileBounds {
  const date = new Date(start);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const isDays = frequency === '1D';
  const end = frequency === '1min' ? start + DAY_MS : isDays ? Date.UTC(year + 1, 0) : Date.UTC(year, month + 1);
  return { start, end, shift: fixedStep(frequency) as number, isCurrent: end > now };
}

/** Returns the start of the current file, which is the first one that is requested. */
function fileStart(frequency: SeriesKey['frequency']): number {
  if (frequency === '1D') return Date.UTC(2024, 0);
  return frequency === '1h' ? Date.UTC(2024, 2) : Date.UTC(2024, 2, 8);
}

function candlesOf(candles: FeedCandles, frequency: SeriesKey['frequency'], now: number): readonly FeedCandle[] {
  const minutes = (candles.minute ?? []).filter(({ timestamp }) => timestamp <= now);
  if (frequency === '1D') return candles.day ?? [];
  return frequency === '1h' ? aggregateCandles(minutes, 'hour') : minutes;
}

function createCandles(price: number): FeedCandles {
  const random = createSeededRandom(1);
  let last = Math.round(price * 1e5);
  const createCandle = (timestamp: number): FeedCandle => {
    const open = last;
    last += Math.floor((random() - 0.5) * 200);
    const units = [open, Math.max(open, last) + 40, Math.min(open, last) - 30, last];
    const [o, h, l, c] = units.map((unit) => unit / 1e5) as [number, number, number, number];
    return { timestamp, open: o, high: h, low: l, close: c, volume: 1 + Math.floor(random() * 100) / 4 };
  };
  const day: FeedCandle[] = [];
  for (let date = FIRST_DAY; date < NOW; date += DAY_MS) {
    if (isTradingDay(date, 'currency')) day.push(createCandle(date));
  }
  const minute: FeedCandle[] = [];
  for (let at = FIRST_MINUTE; at < NOW - 2 * 3_600_000; at += 7 * MINUTE_MS) minute.push(createCandle(at));
  return { day, minute };
}
