import { DAY_MS, fixedStep, newYorkInstant } from '../../../src/calendar/index.ts';
import { createAlpacaProvider } from '../../../src/market/providers/alpaca/alpaca-provider.ts';
import { createMassiveProvider } from '../../../src/market/providers/massive/massive-provider.ts';
import type { MarketProvider, SeriesKey } from '../../../src/market/providers/provider.ts';
import type { ProviderFault } from '../../../src/platform/index.ts';
import type { WireServer } from '../platform/wire-server.ts';
import { startAlpacaServer } from './alpaca-server.ts';
import { dukascopyScene } from './dukascopy-scene.ts';
import { createHistory, type HistoryBar, type MarketHistory, parseDay, visibleBars } from './market-history.ts';
import { startMassiveServer } from './massive-server.ts';

// One scene for each adapter: its provider, connected to a server that speaks its protocol. The contract suite and the
// mutated replies run over all of them.

/** A bar whose numbers a faulty provider may have replaced. */
export type SceneRow = Readonly<Record<keyof HistoryBar, unknown>>;

export interface EncodeOptions {
  /** The symbol that the reply names. Default: the requested one. */
  readonly symbol?: string;
  /** Whether the reply states that there are older bars. */
  readonly hasOlder?: boolean;
}

export interface SceneOptions {
  /** The current time. Default: after the last bar of the history. */
  readonly now?: number;
  /** The largest number of rows in a page. */
  readonly pageRows?: number;
}

export interface RunningScene extends AsyncDisposable {
  readonly provider: MarketProvider;
  readonly server: WireServer;
  readonly now: number;
  /** Keys that must appear in no log, error or span. */
  readonly secrets: readonly string[];
  /** Returns the complete bars of the server's history, oldest first. They are computed without the adapter. */
  bars(key: SeriesKey): HistoryBar[];
  /** Returns the text of a reply with these rows, in this order. */
  encode(key: SeriesKey, rows: readonly SceneRow[], options?: EncodeOptions): string;
  /**
   * Returns all rows that a reply contains, valid or not; none for a reply outside the protocol. It is a second parser,
   * written to be compared with the adapter's.
   */
  decode(key: SeriesKey, text: string): SceneRow[];
}

export interface AdapterScene {
  readonly name: string;
  readonly symbol: string;
  /** A symbol that the provider's protocol allows but the server does not have. */
  readonly unknownSymbol: string;
  /** The fault for an unknown symbol; null if the protocol has no bars for it. */
  readonly unknownFault: ProviderFault | null;
  /** Whether a reply names its symbol, so that a reply for another symbol can be recognized. */
  readonly namesSymbol: boolean;
  /** Whether a reply states that there are older bars, so that pages can form a loop. */
  readonly namesOlder: boolean;
  /**
   * Whether rows are written as differences to the row before. Then rows in another order and rows twice make the reply
   * malformed, because every later row depends on them.
   */
  readonly isOrdered: boolean;
  start(options?: SceneOptions): Promise<RunningScene>;
}

/** Friday, 2024-03-15, 18:00 in New York: after the close and its delay, and in the week after the clocks changed. */
const NOW = Date.UTC(2024, 2, 15, 22);
const SYMBOL = 'ACME';
const UNKNOWN = 'NONE';

/** Returns the history of the scenes of stocks: a split, a dividend, and minutes of the last three sessions. */
function stockHistory(): MarketHistory {
  return createHistory({
    symbol: SYMBOL,
    name: 'Acme Corporation',
    exchange: 'NYSE',
    from: '2024-01-02',
    to: '2024-03-15',
    minutesFrom: '2024-03-13',
    splits: [{ date: parseDay('2024-02-15'), ratio: 4 }],
    dividends: [{ date: parseDay('2024-02-01'), amount: 1 }],
  });
}

/** Returns the bars of a history that were complete at an instant. */
function completeBars(history: MarketHistory, { frequency, adjustment }: SeriesKey, now: number): HistoryBar[] {
  const step = fixedStep(frequency) as number;
  const bars = visibleBars(history, { step, adjustment, now });
  if (frequency !== '1D') return bars.filter(({ timestamp }) => timestamp + step <= now);
  return bars.filter(({ timestamp }) => newYorkInstant(timestamp, 16 * 60) <= now);
}

/** Returns the instant with which both providers of stocks send a bar. */
function wireInstant({ frequency }: SeriesKey, timestamp: unknown): number {
  const isDay = frequency === '1D' && (timestamp as number) % DAY_MS === 0;
  return isDay ? newYorkInstant(timestamp as number, 0) : (timestamp as number);
}

const NEW_YORK = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/New_York',
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** Returns the rows of a list in a reply of a provider of stocks. */
function decodeRows({ frequency }: SeriesKey, list: unknown, readInstant: (time: unknown) => number): SceneRow[] {
  if (!Array.isArray(list)) return [];
  return list.map(({ t, o: open, h: high, l: low, c: close, v: volume }) => {
    const instant = readInstant(t);
    const [date, time] = Math.abs(instant) < 8e15 ? NEW_YORK.format(instant).split(' ') : [];
    const isMidnight = time === '00:00:00' && instant % 1_000 === 0;
    const session = isMidnight ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
    return { timestamp: frequency === '1D' ? session : instant, open, high, low, close, volume };
  });
}

const alpaca: AdapterScene = {
  name: 'alpaca',
  symbol: SYMBOL,
  unknownSymbol: UNKNOWN,
  unknownFault: null,
  namesSymbol: true,
  namesOlder: true,
  isOrdered: false,
  async start({ now = NOW, pageRows } = {}) {
    const history = stockHistory();
    const [keyId, secret] = ['key-id-of-alpaca', 'secret-of-alpaca'];
    const clock = () => now;
    const server = await startAlpacaServer({
      histories: [history],
      clock,
      keyId,
      secret,
      ...(pageRows && { pageRows }),
    });
    const provider = createAlpacaProvider({
      keyId,
      secret,
      url: server.url,
      tradingUrl: server.url,
      requestsPerMinute: 200,
      clock: { now: () => new Date(now) },
    });
    return {
      provider,
      server,
      now,
      secrets: [keyId, secret],
      bars: (key) => completeBars(history, key, now),
      encode: (key, rows, { symbol = key.symbol, hasOlder = false } = {}) =>
        JSON.stringify({
          symbol,
          bars: rows.map(({ timestamp, open: o, high: h, low: l, close: c, volume: v }) => ({
            t: new Date(wireInstant(key, timestamp)).toISOString().replace('.000Z', 'Z'),
            ...{ o, h, l, c, v, n: 10, vw: o },
          })),
          next_page_token: hasOlder ? 'b2xkZXI' : null,
        }),
      decode: (key, text) =>
        decodeRows(key, JSON.parse(text).bars, (time) => {
          const isInstant = typeof time === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(time);
          const instant = isInstant ? Date.parse(time) : Number.NaN;
          const isReal = !Number.isNaN(instant) && new Date(instant).toISOString().replace('.000Z', 'Z') === time;
          return isReal ? instant : Number.NaN;
        }),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  },
};

const massive: AdapterScene = {
  name: 'massive',
  symbol: SYMBOL,
  unknownSymbol: UNKNOWN,
  unknownFault: null,
  namesSymbol: true,
  namesOlder: true,
  isOrdered: false,
  async start({ now = NOW, pageRows } = {}) {
    const history = stockHistory();
    const key = 'key-of-massive';
    const server = await startMassiveServer({
      histories: [history],
      clock: () => now,
      key,
      ...(pageRows && { pageRows }),
    });
    const provider = createMassiveProvider({
      key,
      url: server.url,
      requestsPerMinute: 500,
      clock: { now: () => new Date(now) },
    });
    return {
      provider,
      server,
      now,
      secrets: [key],
      bars: (series) => completeBars(history, series, now),
      encode: (series, rows, { symbol = series.symbol, hasOlder = false } = {}) =>
        JSON.stringify({
          ticker: symbol,
          adjusted: series.adjustment !== 'raw',
          queryCount: rows.length,
          resultsCount: rows.length,
          results: rows.map(({ timestamp, open: o, high: h, low: l, close: c, volume: v }) => {
            return { t: wireInstant(series, timestamp), o, h, l, c, v, n: 10, vw: o };
          }),
          status: 'OK',
          request_id: '6a7e466379af0a71039d60cc78e72282',
          ...(hasOlder && { next_url: 'https://api.massive.com/v2/aggs?cursor=b2xkZXI' }),
        }),
      decode: (series, text) =>
        decodeRows(series, JSON.parse(text).results, (time) => (typeof time === 'number' ? time : Number.NaN)),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  },
};

export const ADAPTER_SCENES: readonly AdapterScene[] = [alpaca, massive, dukascopyScene];

/** Returns the series of a scene with the defaults of its provider. */
export function seriesOf(
  { symbol }: Pick<AdapterScene, 'symbol'>,
  { provider }: RunningScene,
  key: Partial<SeriesKey> = {},
): SeriesKey {
  return { symbol, frequency: '1D', adjustment: 'raw', side: provider.sides[0], ...key };
}
