// Serves the daily bars of many symbols by the protocols of Alpaca and Massive, in a process of its own, so that its work
// is not measured. The servers of the tests are too slow for thousands of symbols, because they build every page from
// whole histories.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DAY_MS, newYorkInstant, sessionHours, sessionsBetween } from '../../src/calendar/index.ts';

const [, , count = '8000'] = process.argv;

/** @example symbolOf(27) // 'SAABB' */
function symbolOf(i: number): string {
  const letters = [17_576, 676, 26, 1].map((size) => 65 + (Math.floor(i / size) % 26));
  return `S${String.fromCharCode(...letters)}`;
}

const symbols = Array.from({ length: Number(count) }, (_, i) => symbolOf(i));
const places = new Map(symbols.map((symbol, i) => [symbol, i]));

/** Returns a price in cents that depends on the symbol and the day only. */
function priceOf(place: number, day: number): number {
  return 5_000 + place + Math.round(800 * Math.sin(place + day / DAY_MS / 9) + 50 * Math.sin(place * day));
}

function barOf(place: number, day: number) {
  const [open, close] = [priceOf(place, day - DAY_MS), priceOf(place, day)];
  const [o, c, h, l] = [
    open / 100,
    close / 100,
    (Math.max(open, close) + 10) / 100,
    (Math.min(open, close) - 10) / 100,
  ];
  const v = 1_000 + Math.abs(Math.round(1e6 * Math.sin(place * 31 + day / DAY_MS)));
  return { o, h, l, c, v, n: 10, vw: c };
}

function answerBars(query: URLSearchParams): unknown {
  const requested = (query.get('symbols') ?? '').split(',').sort();
  const parse = (name: string) => Date.parse(query.get(name) ?? '');
  const day = (instant: number) => Math.floor(instant / DAY_MS) * DAY_MS;
  const days = sessionsBetween(day(parse('start')) - DAY_MS, day(parse('end'))).filter((session) => {
    const instant = newYorkInstant(session, 0);
    return instant >= parse('start') && instant <= parse('end');
  });
  const from = Number(query.get('page_token') ?? 0);
  const to = Math.min(from + Number(query.get('limit')), requested.length * days.length);
  const bars: Record<string, unknown[]> = {};
  for (let row = from; row < to; row++) {
    const symbol = requested[Math.floor(row / days.length)] as string;
    const session = days[row % days.length] as number;
    bars[symbol] ??= [];
    const t = new Date(newYorkInstant(session, 0)).toISOString().replace('.000Z', 'Z');
    bars[symbol].push({ t, ...barOf(places.get(symbol) as number, session) });
  }
  return { bars, next_page_token: to < requested.length * days.length ? String(to) : null };
}

function answerDate(date: string): unknown {
  const day = Date.parse(`${date}T00:00:00Z`);
  const results = symbols.map((symbol, place) => ({ T: symbol, t: sessionHours(day).close, ...barOf(place, day) }));
  return { status: 'OK', adjusted: true, queryCount: results.length, resultsCount: results.length, results };
}

function answer({ pathname, searchParams: query }: URL): unknown {
  if (pathname === '/v2/stocks/bars') return answerBars(query);
  const date = /^\/v2\/aggs\/grouped\/locale\/us\/market\/stocks\/(.+)$/.exec(pathname)?.[1];
  if (date !== undefined) return answerDate(date);
  if (pathname === '/v2/assets') {
    if (query.get('status') !== 'active') return [];
    return symbols.map((symbol) => ({ class: 'us_equity', exchange: 'NYSE', symbol, name: symbol, status: 'active' }));
  }
  if (pathname === '/v3/reference/tickers') {
    const from = Number(query.get('cursor') ?? 0);
    const page = query.get('active') === 'true' ? symbols.slice(from, from + 1_000) : [];
    const results = page.map((ticker) => ({
      ticker,
      name: ticker,
      market: 'stocks',
      type: 'CS',
      active: true,
      primary_exchange: 'XNYS',
      currency_name: 'usd',
    }));
    const hasMore = page.length > 0 && from + 1_000 < symbols.length;
    return { status: 'OK', results, ...(hasMore && { next_url: `https://api.massive.com/?cursor=${from + 1_000}` }) };
  }
  return null;
}

const counted = { requests: 0, bytes: 0 };
const server = createServer((request, response) => {
  const body = JSON.stringify(answer(new URL(request.url ?? '/', 'http://loopback')));
  counted.requests += 1;
  counted.bytes += body.length;
  response.writeHead(body === 'null' ? 404 : 200, { 'content-type': 'application/json' }).end(body);
});
process.on('message', () => process.send?.({ ...counted }));
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
