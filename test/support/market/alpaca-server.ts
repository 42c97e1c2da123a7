import { DAY_MS, MINUTE_MS, newYorkDate, newYorkInstant } from '../../../src/calendar/index.ts';
import { startWireServer, type WireReply, type WireRequest, type WireServer } from '../platform/wire-server.ts';
import {
  findHistory,
  type HistoryBar,
  type MarketHistory,
  visibleBars,
  type WireAdjustment,
} from './market-history.ts';

export interface AlpacaServerOptions {
  /** Read at every request, so that a test can change them. */
  readonly histories: readonly MarketHistory[];
  /** The current time of the provider in milliseconds. Later bars do not exist yet. */
  readonly clock?: () => number;
  readonly keyId?: string;
  readonly secret?: string;
  /** Whether the account may read the last 15 minutes of consolidated data. */
  readonly plan?: 'recent' | 'delayed';
  /** More requests in one minute of the clock are refused. Default: no limit. */
  readonly requestsPerMinute?: number;
  /** The largest number of rows in a page. */
  readonly pageRows?: number;
}

const TIMEFRAMES: Readonly<Record<string, number>> = {
  '1Min': MINUTE_MS,
  '5Min': 5 * MINUTE_MS,
  '15Min': 15 * MINUTE_MS,
  '30Min': 30 * MINUTE_MS,
  '1Hour': 60 * MINUTE_MS,
  '1Day': DAY_MS,
};
const MAX_LIMIT = 10_000;
const BAR_PARAMETERS = [
  'symbols',
  'timeframe',
  'start',
  'end',
  'limit',
  'adjustment',
  'asof',
  'feed',
  'currency',
  'page_token',
  'sort',
];

/** A reply other than 200. */
class Refusal extends Error {
  readonly reply: WireReply;

  constructor(status: number, message: string, headers?: Record<string, string>) {
    super(message);
    this.reply = { status, body: { message }, ...(headers && { headers }) };
  }
}

/**
 * Starts a server that speaks the protocol of Alpaca's market data and assets, and refuses what Alpaca refuses.
 *
 * @example
 * await using server = await startAlpacaServer({ histories: [createHistory({ symbol: 'AAPL', from, to })] });
 * server.script.push(sendJson({ message: 'too many requests.' }, 429));
 */
export async function startAlpacaServer(options: AlpacaServerOptions): Promise<WireServer> {
  const { clock = Date.now, requestsPerMinute = Number.POSITIVE_INFINITY } = options;
  let window = { minute: 0, requests: 0 };
  return startWireServer((request) => {
    const minute = Math.floor(clock() / MINUTE_MS);
    window = { minute, requests: window.minute === minute ? window.requests + 1 : 1 };
    const limit = Math.min(requestsPerMinute, 200);
    const headers = {
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': String(Math.max(0, limit - window.requests)),
      'x-ratelimit-reset': String((minute + 1) * 60),
    };
    try {
      if (window.requests > requestsPerMinute) throw new Refusal(429, 'too many requests.');
      return { status: 200, body: answer(options, request, clock()), headers };
    } catch (error) {
      if (error instanceof Refusal) return { ...error.reply, headers };
      throw error;
    }
  });
}

function answer(options: AlpacaServerOptions, request: WireRequest, now: number): unknown {
  checkKeys(options, request);
  if (request.path === '/v2/assets') return listAssets(options, request);
  const symbol = /^\/v2\/stocks\/([^/]+)\/bars$/.exec(request.path)?.[1];
  if (symbol !== undefined) return readBars(options, request, decodeURIComponent(symbol), now);
  if (request.path === '/v2/stocks/bars') return readManyBars(options, request, now);
  throw new Refusal(404, 'endpoint not found.');
}

function checkKeys({ keyId, secret }: AlpacaServerOptions, { headers }: WireRequest): void {
  const [sentId, sentSecret] = [headers['apca-api-key-id'], headers['apca-api-secret-key']];
  if (sentId === undefined || sentSecret === undefined) throw new Refusal(401, 'authorization required.');
  const isWrong = (keyId !== undefined && sentId !== keyId) || (secret !== undefined && sentSecret !== secret);
  if (isWrong) throw new Refusal(403, 'forbidden.');
}

interface BarsRequest {
  readonly timeframe: string;
  readonly step: number;
  readonly start: number;
  readonly end: number;
  readonly limit: number;
  readonly adjustment: WireAdjustment;
  readonly isDescending: boolean;
  readonly feed: string;
  readonly asOf: number;
  readonly pageToken: string | undefined;
}

function parseBarsRequest(
  { plan = 'recent', pageRows }: AlpacaServerOptions,
  { query }: WireRequest,
  now: number,
): BarsRequest {
  for (const name of Object.keys(query)) {
    if (!BAR_PARAMETERS.includes(name)) throw new Refusal(422, `unexpected parameter: ${name}`);
  }
  const { timeframe = '', adjustment = 'raw', sort = 'asc', feed = 'sip', limit = '1000', asof } = query;
  const step = TIMEFRAMES[timeframe];
  if (step === undefined) throw new Refusal(422, `invalid timeframe: ${timeframe}`);
  if (!['raw', 'split', 'dividend', 'all'].includes(adjustment)) throw new Refusal(422, 'invalid adjustment');
  if (sort !== 'asc' && sort !== 'desc') throw new Refusal(422, 'invalid sort');
  if (!/^\d+$/.test(limit) || Number(limit) < 1 || Number(limit) > MAX_LIMIT) throw new Refusal(422, 'invalid limit');
  if (!['sip', 'iex', 'otc', 'boats'].includes(feed)) throw new Refusal(422, `invalid feed: ${feed}`);
  if (feed === 'otc' || feed === 'boats') throw new Refusal(403, `subscription does not permit querying ${feed} data`);
  if (asof !== undefined && asof !== '-' && !/^\d{4}-\d\d-\d\d$/.test(asof)) throw new Refusal(422, 'invalid asof');
  const today = newYorkDate(now);
  const start = parseInstant(query.start, 'start') ?? newYorkInstant(today, 0);
  const recent = now - 15 * MINUTE_MS;
  const isRestricted = plan === 'delayed' && feed === 'sip';
  const end = parseInstant(query.end, 'end') ?? (isRestricted ? recent : now);
  if (end < start) throw new Refusal(422, 'end should not be before start');
  if (isRestricted && end > recent) throw new Refusal(403, 'subscription does not permit querying recent SIP data');
  return {
    timeframe,
    step,
    start,
    end,
    limit: Math.min(Number(limit), pageRows ?? MAX_LIMIT),
    adjustment: adjustment as WireAdjustment,
    isDescending: sort === 'desc',
    feed,
    asOf: asof === undefined || asof === '-' ? today : Date.parse(`${asof}T00:00:00Z`),
    pageToken: query.page_token,
  };
}

function parseInstant(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined;
  const isValid = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d))?$/.test(text);
  const instant = isValid ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(instant)) throw new Refusal(422, `invalid ${name}`);
  return instant;
}

interface WireRow {
  readonly symbol: string;
  readonly instant: number;
  readonly row: unknown;
}

/** Returns the rows of a symbol within the bounds of a request, oldest first. */
function rowsOf(
  { histories, plan }: AlpacaServerOptions,
  symbol: string,
  request: BarsRequest,
  now: number,
): WireRow[] {
  const history = findHistory(histories, symbol, request.asOf);
  if (history === null) return [];
  const { step, adjustment, start, end, feed } = request;
  // Bars of a delayed plan are built from the trades that it includes.
  const known = plan === 'delayed' && feed === 'sip' ? now - 15 * MINUTE_MS : now;
  return visibleBars(history, { step, adjustment, now: known, from: start, to: end }).flatMap((bar) => {
    const instant = step === DAY_MS ? newYorkInstant(bar.timestamp, 0) : bar.timestamp;
    if (instant < start || instant > end) return [];
    return [{ symbol, instant, row: wireBar(bar, instant, feed) }];
  });
}

function wireBar({ open, high, low, close, volume }: HistoryBar, instant: number, feed: string): unknown {
  return {
    t: new Date(instant).toISOString().replace('.000Z', 'Z'),
    o: open,
    h: high,
    l: low,
    c: close,
    // One exchange has a small part of the consolidated volume.
    v: feed === 'iex' ? Math.floor(volume * 0.035) : volume,
    n: 10,
    vw: (high + low) / 2,
  };
}

function readBars(options: AlpacaServerOptions, wire: WireRequest, symbol: string, now: number): unknown {
  const request = parseBarsRequest(options, wire, now);
  checkSymbol(symbol);
  const { page, nextToken } = selectPage(rowsOf(options, symbol, request, now), request);
  const bars = page.map(({ row }) => row);
  return { symbol, bars: bars.length === 0 ? null : bars, next_page_token: nextToken };
}

function readManyBars(options: AlpacaServerOptions, wire: WireRequest, now: number): unknown {
  const request = parseBarsRequest(options, wire, now);
  const symbols = (wire.query.symbols ?? '').split(',');
  for (const symbol of symbols) checkSymbol(symbol);
  const rows = symbols.toSorted().flatMap((symbol) => {
    const ofSymbol = rowsOf(options, symbol, request, now);
    return request.isDescending ? ofSymbol.reverse() : ofSymbol;
  });
  const { page, nextToken } = selectPage(rows, request);
  const bars = Object.fromEntries(
    [...Map.groupBy(page, ({ symbol }) => symbol)].map(([symbol, ofSymbol]) => [
      symbol,
      ofSymbol.map(({ row }) => row),
    ]),
  );
  return { bars, next_page_token: nextToken };
}

function checkSymbol(symbol: string): void {
  if (!/^[A-Z]{1,5}(\.[A-Z]{1,3})?$/.test(symbol)) throw new Refusal(400, `invalid symbol: ${symbol}`);
}

/** Returns the rows of a page and the token of the next one, which names the last row of this one. */
function selectPage(
  rows: readonly WireRow[],
  { isDescending, limit, pageToken, timeframe }: BarsRequest,
): { readonly page: readonly WireRow[]; readonly nextToken: string | null } {
  const isSingle = new Set(rows.map(({ symbol }) => symbol)).size <= 1;
  const ordered = isDescending && isSingle ? rows.toReversed() : rows;
  let from = 0;
  if (pageToken !== undefined) {
    const last = Buffer.from(pageToken, 'base64url').toString();
    from = ordered.findIndex((row) => tokenOf(row, timeframe) === last) + 1;
    if (from === 0) throw new Refusal(422, 'invalid page_token');
  }
  const page = ordered.slice(from, from + limit);
  const last = page.at(-1);
  const hasMore = from + limit < ordered.length && last !== undefined;
  return { page, nextToken: hasMore ? Buffer.from(tokenOf(last, timeframe)).toString('base64url') : null };
}

function tokenOf({ symbol, instant }: WireRow, timeframe: string): string {
  return `${symbol}|${timeframe}|${new Date(instant).toISOString()}`;
}

function listAssets({ histories }: AlpacaServerOptions, { query }: WireRequest): unknown {
  const { status, asset_class: assetClass, ...rest } = query;
  const isValid = status === 'active' || status === 'inactive';
  if (!isValid || assetClass !== 'us_equity' || Object.keys(rest).length > 0) throw new Refusal(422, 'invalid query');
  return histories
    .filter((history) => (history.status === 'delisted') === (status === 'inactive'))
    .map(({ symbol, name, exchange }, i) => ({
      id: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
      class: 'us_equity',
      exchange: exchange ?? 'NASDAQ',
      symbol,
      name: name ?? `${symbol} Inc. Common Stock`,
      status,
      tradable: status === 'active',
    }));
}
