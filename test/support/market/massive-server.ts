import { DAY_MS, HOUR_MS, MINUTE_MS, newYorkDate, newYorkInstant, sessionHours } from '../../../src/calendar/index.ts';
import { startWireServer, type WireReply, type WireRequest, type WireServer } from '../platform/wire-server.ts';
import { aggregateMinutes, findHistory, type HistoryBar, type MarketHistory, visibleBars } from './market-history.ts';

export interface MassiveServerOptions {
  /** Read at every request, so that a test can change them. */
  readonly histories: readonly MarketHistory[];
  /** The current time of the provider in milliseconds. Later bars do not exist yet. */
  readonly clock?: () => number;
  readonly key?: string;
  /** Which bars the account may read: all, those that are 15 minutes old, or those of earlier dates. */
  readonly plan?: 'recent' | 'delayed' | 'end_of_day';
  /** The number of years that the plan includes. Default: all. */
  readonly historyYears?: number;
  /** More requests in one minute of the clock are refused. Default: no limit. */
  readonly requestsPerMinute?: number;
  /** The largest number of base aggregates from which a page is built, and of tickers in a page. */
  readonly pageRows?: number;
}

const MAX_LIMIT = 50_000;
const MAX_TICKERS = 1_000;
const MICS = { NASDAQ: 'XNAS', NYSE: 'XNYS', AMEX: 'XASE', ARCA: 'ARCX', OTC: 'OTCM' } as const;
const REQUEST_ID = '6a7e466379af0a71039d60cc78e72282';

/** A reply other than 200. */
class Refusal extends Error {
  readonly reply: WireReply;

  constructor(status: number, message: string) {
    super(message);
    const body =
      status === 403
        ? { status: 'NOT_AUTHORIZED', request_id: REQUEST_ID, message }
        : { status: 'ERROR', request_id: REQUEST_ID, error: message };
    this.reply = { status, body };
  }
}

/**
 * Starts a server that speaks the protocol of Massive's aggregates and tickers, and refuses what Massive refuses.
 *
 * @example await using server = await startMassiveServer({ histories: [createHistory({ symbol: 'AAPL', from, to })] });
 */
export async function startMassiveServer(options: MassiveServerOptions): Promise<WireServer> {
  const { clock = Date.now, requestsPerMinute = Number.POSITIVE_INFINITY } = options;
  let window = { minute: 0, requests: 0 };
  return startWireServer((request) => {
    const minute = Math.floor(clock() / MINUTE_MS);
    window = { minute, requests: window.minute === minute ? window.requests + 1 : 1 };
    try {
      if (window.requests > requestsPerMinute) {
        throw new Refusal(429, "You've exceeded the maximum requests per minute.");
      }
      return { status: 200, body: answer(options, request, clock()) };
    } catch (error) {
      if (error instanceof Refusal) return error.reply;
      throw error;
    }
  });
}

function answer(options: MassiveServerOptions, request: WireRequest, now: number): unknown {
  const { headers, path, query } = request;
  // Massive also accepts the key as a parameter, where it would be logged.
  if ('apiKey' in query) throw new Refusal(401, 'The key belongs in a header.');
  const isKnown = options.key === undefined ? headers.authorization : headers.authorization === `Bearer ${options.key}`;
  if (!isKnown) throw new Refusal(401, 'Unknown API Key');
  const range = /^\/v2\/aggs\/ticker\/([^/]+)\/range\/(\d+)\/(minute|hour|day)\/([^/]+)\/([^/]+)$/.exec(path);
  if (range !== null)
    return readRange(options, request, range.slice(1) as [string, string, string, string, string], now);
  const date = /^\/v2\/aggs\/grouped\/locale\/us\/market\/stocks\/([^/]+)$/.exec(path)?.[1];
  if (date !== undefined) return readDate(options, request, date, now);
  if (path === '/v3/reference/tickers') return listTickers(options, request);
  throw new Refusal(404, 'Not Found');
}

const TIMESPANS: Readonly<Record<string, number>> = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS };

function readRange(
  options: MassiveServerOptions,
  { query }: WireRequest,
  [encoded, multiplier, timespan, from, to]: readonly [string, string, string, string, string],
  now: number,
): unknown {
  checkParameters(query, ['adjusted', 'sort', 'limit', 'cursor']);
  const cursor = new URLSearchParams(
    query.cursor === undefined ? '' : Buffer.from(query.cursor, 'base64url').toString(),
  );
  const sort = cursor.get('sort') ?? query.sort ?? 'asc';
  const limit = Number(cursor.get('limit') ?? query.limit ?? 5_000);
  if (sort !== 'asc' && sort !== 'desc') throw new Refusal(400, 'The parameter `sort` is invalid');
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT)
    throw new Refusal(400, 'The parameter `limit` is invalid');
  const isAdjusted = parseAdjusted(query.adjusted);
  const symbol = decodeURIComponent(encoded);
  const [first, last] = [parseBound(from, 'first'), parseBound(to, 'last')];
  if (last < first) throw new Refusal(400, "The parameter 'to' cannot be a time that occurs before 'from'");
  checkPlan(options, first, last, now);

  const isDaily = timespan === 'day';
  const history = findHistory(options.histories, symbol, newYorkDate(now));
  const base = baseBars(options, history, { isDaily, isAdjusted, now, from: first, to: last }).filter(
    ({ timestamp }) => timestamp >= first && timestamp <= last,
  );
  if (sort === 'desc') base.reverse();
  const used = base.slice(0, Math.min(limit, options.pageRows ?? MAX_LIMIT));
  const step = Number(multiplier) * (TIMESPANS[timespan] as number);
  // A bar at the limit is built from a part of its minutes, and the next page has the other part.
  const bars = isDaily
    ? used
    : aggregateMinutes(
        used.toSorted((a, b) => a.timestamp - b.timestamp),
        step,
      );
  if (!isDaily && sort === 'desc') bars.reverse();
  const results = bars.map((bar) => wireBar(bar));
  const lastUsed = used.at(-1)?.timestamp;
  const rest = sort === 'desc' ? `${first}/${(lastUsed as number) - 1}` : `${(lastUsed as number) + 1}/${last}`;
  return {
    ticker: symbol,
    queryCount: used.length,
    resultsCount: results.length,
    adjusted: isAdjusted,
    ...(results.length > 0 && { results }),
    status: options.plan === 'delayed' ? 'DELAYED' : 'OK',
    request_id: REQUEST_ID,
    count: results.length,
    // As documented: the position is in the path, and the cursor contains the limit and the order.
    ...(used.length < base.length && {
      next_url: `https://api.massive.com/v2/aggs/ticker/${encoded}/range/${multiplier}/${timespan}/${rest}?cursor=${Buffer.from(`limit=${limit}&sort=${sort}`).toString('base64url')}`,
    }),
  };
}

interface BaseSelection {
  readonly isDaily: boolean;
  readonly isAdjusted: boolean;
  readonly now: number;
  readonly from: number;
  readonly to: number;
}

/** Returns the minutes or days of a company; the timestamp of a day is midnight in New York. */
function baseBars(
  { plan }: MassiveServerOptions,
  history: MarketHistory | null,
  { isDaily, isAdjusted, now, from, to }: BaseSelection,
): HistoryBar[] {
  if (history === null) return [];
  const known = plan === 'delayed' ? now - 15 * MINUTE_MS : now;
  const adjustment = isAdjusted ? 'split' : 'raw';
  const bars = visibleBars(history, { step: isDaily ? DAY_MS : MINUTE_MS, adjustment, now: known, from, to });
  return isDaily ? bars.map((bar) => ({ ...bar, timestamp: newYorkInstant(bar.timestamp, 0) })) : bars;
}

function wireBar({ timestamp, open, high, low, close, volume }: HistoryBar): Record<string, unknown> {
  return { v: volume, vw: (high + low) / 2, o: open, c: close, h: high, l: low, t: timestamp, n: 10 };
}

function readDate(options: MassiveServerOptions, { query }: WireRequest, date: string, now: number): unknown {
  checkParameters(query, ['adjusted', 'include_otc']);
  if (!isDate(date)) throw new Refusal(400, 'The path parameter `date` is invalid');
  const day = Date.parse(`${date}T00:00:00Z`);
  checkPlan(options, newYorkInstant(day, 0), newYorkInstant(day, 0), now);
  const isAdjusted = parseAdjusted(query.adjusted);
  const bySymbol = Map.groupBy(options.histories, ({ symbol }) => symbol);
  const selection = { isDaily: true, isAdjusted, now, from: day, to: day };
  const results = [...bySymbol].flatMap(([symbol, owners]) => {
    const bars = baseBars(options, findHistory(owners, symbol, newYorkDate(now)), selection);
    const bar = bars.find(({ timestamp }) => timestamp === newYorkInstant(day, 0));
    return bar === undefined ? [] : [{ T: symbol, ...wireBar(bar), t: sessionHours(day).close }];
  });
  return {
    queryCount: results.length,
    resultsCount: results.length,
    adjusted: isAdjusted,
    ...(results.length > 0 && { results }),
    status: options.plan === 'delayed' ? 'DELAYED' : 'OK',
    request_id: REQUEST_ID,
    count: results.length,
  };
}

function listTickers({ histories, pageRows = MAX_TICKERS }: MassiveServerOptions, { query }: WireRequest): unknown {
  checkParameters(query, ['market', 'active', 'limit', 'sort', 'order', 'cursor']);
  const { market, active, limit = '100', sort, cursor } = query;
  const isValid = market === 'stocks' && (active === 'true' || active === 'false') && sort === 'ticker';
  if (!isValid || !/^\d+$/.test(limit) || Number(limit) > MAX_TICKERS) throw new Refusal(400, 'invalid parameters');
  const after = cursor === undefined ? '' : Buffer.from(cursor, 'base64url').toString();
  const wanted = histories
    .filter(({ status, symbol }) => (status === 'delisted') === (active === 'false') && symbol > after)
    .toSorted((a, b) => (a.symbol < b.symbol ? -1 : 1));
  const page = wanted.slice(0, Math.min(Number(limit), pageRows));
  const results = page.map(({ symbol, name, exchange = 'NASDAQ', ownedUntil }) => ({
    ticker: symbol,
    name: name ?? `${symbol} Inc. Common Stock`,
    market: 'stocks',
    locale: 'us',
    primary_exchange: MICS[exchange],
    type: 'CS',
    active: active === 'true',
    currency_name: 'usd',
    ...(active === 'false' && { delisted_utc: new Date(ownedUntil ?? 0).toISOString() }),
  }));
  const next = Buffer.from(page.at(-1)?.symbol ?? '').toString('base64url');
  return {
    ...(results.length > 0 && { results }),
    status: 'OK',
    request_id: REQUEST_ID,
    count: results.length,
    ...(page.length < wanted.length && { next_url: `https://api.massive.com/v3/reference/tickers?cursor=${next}` }),
  };
}

function checkParameters(query: Readonly<Record<string, string>>, known: readonly string[]): void {
  const unknown = Object.keys(query).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Refusal(400, `The parameter \`${unknown}\` is unknown`);
}

function checkPlan({ plan, historyYears }: MassiveServerOptions, first: number, last: number, now: number): void {
  if (plan === 'end_of_day' && last >= newYorkInstant(newYorkDate(now), 0)) {
    throw new Refusal(403, "Attempted to request today's data before end of day. Please upgrade your plan.");
  }
  const isTooOld = historyYears !== undefined && first < now - historyYears * 365 * DAY_MS;
  if (isTooOld || first > now) {
    throw new Refusal(403, "Your plan doesn't include this data timeframe. Please upgrade your plan.");
  }
}

function parseAdjusted(text: string | undefined): boolean {
  if (text !== undefined && text !== 'true' && text !== 'false') throw new Refusal(400, '`adjusted` is invalid');
  return text !== 'false';
}

/** Returns the first or the last instant of a date, or the instant of milliseconds. */
function parseBound(text: string, side: 'first' | 'last'): number {
  if (/^\d{12,13}$/.test(text)) return Number(text);
  if (!isDate(text)) throw new Refusal(400, 'Could not parse the time range');
  const date = Date.parse(`${text}T00:00:00Z`);
  return side === 'first' ? newYorkInstant(date, 0) : newYorkInstant(date + DAY_MS, 0) - 1;
}

function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));
}
