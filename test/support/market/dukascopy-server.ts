import { startWireServer, type WireRequest, type WireServer } from '../platform/wire-server.ts';

/** A candle of the feed. Its timestamp is the start of its minute, hour or day. */
export interface FeedCandle {
  readonly timestamp: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** Candles of one side, oldest first. Hours and days are made of the minutes unless they are given. */
export interface FeedCandles {
  readonly minute?: readonly FeedCandle[];
  readonly hour?: readonly FeedCandle[];
  readonly day?: readonly FeedCandle[];
}

/** The history of one instrument. A test may add candles to its arrays while the server runs. */
export interface FeedHistory {
  /** A code of the feed, such as EUR-USD. */
  readonly code: string;
  readonly description?: string | null;
  /** The group of the instrument in the listing; FX_MAJORS by default. */
  readonly group?: FeedGroup;
  /** The decimals of its prices; 5 by default. */
  readonly decimals?: number;
  readonly bid: FeedCandles;
  readonly ask?: FeedCandles;
}

export interface DukascopyServerOptions {
  readonly histories: readonly FeedHistory[];
  /** Returns the current time in milliseconds since 1970. */
  readonly clock: () => number;
  /** The reply to a file before the first candle: status 404, or a file without candles. */
  readonly beforeStart?: 'missing' | 'empty';
  /** Further instruments of the listing that have no candles. */
  readonly listing?: readonly Pick<FeedHistory, 'code' | 'description' | 'group'>[];
}

const GROUPS = [
  { id: 3, code: 'FX', parentId: null },
  { id: 4, code: 'CMD', parentId: null },
  { id: 7, code: 'STCK_CFD', parentId: null },
  { id: 9, code: 'VCCY', parentId: null },
  { id: 11, code: 'CMD_ENERGY', parentId: 4 },
  { id: 12, code: 'CMD_METALS', parentId: 4 },
  { id: 17, code: 'FX_CROSSES', parentId: 3 },
  { id: 18, code: 'FX_MAJORS', parentId: 3 },
  { id: 19, code: 'FX_METALS', parentId: 3 },
  { id: 47, code: 'US', parentId: 7 },
] as const;
export type FeedGroup = (typeof GROUPS)[number]['code'];

const SHIFTS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;
export type FeedPeriod = keyof typeof SHIFTS;
const DEFAULT_DECIMALS = 5;

/**
 * Starts a server that speaks the protocol of Dukascopy's JSON feed over real HTTP on this machine: one file of candles
 * per UTC day, month or year, the current one by `?from=`, and the listing.
 */
export function startDukascopyServer(options: DukascopyServerOptions): Promise<WireServer> {
  return startWireServer((request) => {
    const text = answer(request, options);
    return text === null ? { status: 404, body: null } : { status: 200, body: JSON.parse(text) };
  });
}

/** Returns the correct reply to a request; null for status 404. */
function answer({ path, query: { from } }: WireRequest, options: DukascopyServerOptions): string | null {
  const [version, resource, ...rest] = path.split('/').slice(1);
  if (version !== 'v1') return null;
  if (resource === 'instruments') return answerInstruments(rest, options);
  const [period, code, side, ...date] = rest;
  const history = options.histories.find((one) => one.code === code);
  const candles = side === 'BID' ? history?.bid : side === 'ASK' ? history?.ask : undefined;
  if (resource !== 'candles' || history === undefined || candles === undefined || !isPeriod(period)) return null;
  const now = options.clock();
  const file = from === undefined ? fileOf(period, date) : fileAt(period, Number(from));
  if (file === null || file.start > now) return null;
  // The current file has an address without a date, and only that one.
  const isCurrent = file.end > now;
  const isAddressed = isCurrent ? date.length === 0 && Number(from) === file.start : from === undefined;
  if (!isAddressed) return null;
  const all = candlesOf(candles, period, now);
  const first = all[0];
  if ((first === undefined || file.end <= first.timestamp) && options.beforeStart !== 'empty') return null;
  const rows = all.filter(({ timestamp }) => timestamp >= file.start && timestamp < file.end);
  return encodeCandles(rows, { start: file.start, period, decimals: history.decimals });
}

function answerInstruments([code, ...rest]: readonly string[], options: DukascopyServerOptions): string | null {
  const { histories, listing = [], clock } = options;
  if (code === undefined) {
    const instruments = [...histories, ...listing].map((one, place) => ({ id: place + 1, ...describe(one) }));
    return JSON.stringify({ instruments, groups: GROUPS, platformGroups: [], sectors: [], webGroups: [] });
  }
  const history = histories.find((one) => one.code === code);
  if (history === undefined || rest.length > 0) return null;
  const starts = (['minute', 'hour', 'day'] as const).flatMap((period) => {
    const first = candlesOf(history.bid, period, clock())[0];
    return first === undefined ? [] : [{ period: period.toUpperCase(), from: first.timestamp }];
  });
  return JSON.stringify({ ...describe(history), histories: starts, holidays: [], tradeSchedule: [] });
}

function describe({
  code,
  description = null,
  group = 'FX_MAJORS',
}: Pick<FeedHistory, 'code' | 'description' | 'group'>) {
  const groupId = GROUPS.find((one) => one.code === group)?.id;
  return { name: code.replace('-', '/'), code, description, groupId, platformGroupId: null };
}

/** Returns the candles that have begun, and builds hours and days from the minutes that have. */
function candlesOf(candles: FeedCandles, period: FeedPeriod, now: number): readonly FeedCandle[] {
  const given = candles[period];
  const rows = given ?? candles.minute ?? [];
  const begun = rows.filter(({ timestamp }) => timestamp <= now);
  return given === undefined ? aggregateCandles(begun, period) : begun;
}

/** Returns hours or days made of shorter candles, oldest first. */
export function aggregateCandles(candles: readonly FeedCandle[], period: FeedPeriod): FeedCandle[] {
  const longer: FeedCandle[] = [];
  for (const candle of candles) {
    const timestamp = candle.timestamp - (candle.timestamp % SHIFTS[period]);
    const last = longer.at(-1);
    if (last?.timestamp !== timestamp) {
      longer.push({ ...candle, timestamp });
      continue;
    }
    longer[longer.length - 1] = {
      timestamp,
      open: last.open,
      high: Math.max(last.high, candle.high),
      low: Math.min(last.low, candle.low),
      close: candle.close,
      volume: last.volume + candle.volume,
    };
  }
  return longer;
}

interface EncodeOptions {
  /** The start of the file. */
  readonly start: number;
  readonly period: FeedPeriod;
  readonly decimals?: number | undefined;
}

/** Returns the text of a file: the prices of the first candle, and for each candle the differences to the one before. */
export function encodeCandles(
  rows: readonly FeedCandle[],
  { start, period, decimals = DEFAULT_DECIMALS }: EncodeOptions,
): string {
  const shift = SHIFTS[period];
  const unitsOf = (price: number) => Math.round(price * 10 ** decimals);
  const deltas = (field: 'open' | 'high' | 'low' | 'close') =>
    rows.map((row, place) => unitsOf(row[field]) - unitsOf((rows[place - 1] ?? row)[field]));
  const text = JSON.stringify({
    timestamp: start,
    multiplier: 'MULTIPLIER',
    open: rows[0]?.open ?? null,
    high: rows[0]?.high ?? null,
    low: rows[0]?.low ?? null,
    close: rows[0]?.close ?? null,
    shift,
    times: rows.map(({ timestamp }, place) => (timestamp - (rows[place - 1]?.timestamp ?? start)) / shift),
    opens: deltas('open'),
    highs: deltas('high'),
    lows: deltas('low'),
    closes: deltas('close'),
    volumes: rows.map(({ volume }) => volume),
  });
  // The feed writes 0.001 and 1.0E-4, which JSON.stringify would write as 0.0001.
  return text.replace('"MULTIPLIER"', decimals > 3 ? `1.0E-${decimals}` : String(1 / 10 ** decimals));
}

function isPeriod(text: string | undefined): text is FeedPeriod {
  return text !== undefined && Object.hasOwn(SHIFTS, text);
}

interface FeedFile {
  readonly start: number;
  readonly end: number;
}

function fileAt(period: FeedPeriod, instant: number): FeedFile | null {
  if (!Number.isSafeInteger(instant)) return null;
  const date = new Date(instant);
  const parts = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
  return fileOf(period, parts.slice(0, PARTS[period]).map(String));
}

const PARTS = { minute: 3, hour: 2, day: 1 } as const;

/** Returns the file of a date such as 2026/7/10; null unless the date exists and is written without zeros in front. */
function fileOf(period: FeedPeriod, date: readonly string[]): FeedFile | null {
  if (date.length !== PARTS[period] || !date.every((part) => /^[1-9]\d*$/.test(part))) return null;
  const [year = 0, month = 1, day = 1] = date.map(Number);
  const start = Date.UTC(year, month - 1, day);
  const found = new Date(start);
  if (found.getUTCMonth() !== month - 1 || found.getUTCDate() !== day) return null;
  const end = { minute: Date.UTC(year, month - 1, day + 1), hour: Date.UTC(year, month), day: Date.UTC(year + 1, 0) };
  return { start, end: end[period] };
}
