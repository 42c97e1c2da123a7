import { DAY_MS } from '../../../calendar/index.ts';
import { malformed, type ProviderClient, readRecord } from '../../../platform/index.ts';
import type { DaysPage, DaysQuery, RawBar } from '../provider.ts';
import { formatBounds, sharedParameters, TIMEFRAMES } from './alpaca-bars.ts';
import { readRows } from './alpaca-rows.ts';
import {
  ALPACA,
  type AlpacaSession,
  EARLIEST,
  firstPage,
  formatContinuation,
  isSymbolInvalid,
  lastAvailableBar,
  MAX_ROWS,
  parseContinuation,
  toKeyError,
} from './alpaca-session.ts';

/** Keeps the address of a request within 2 KiB, and a page of 200 symbols has 50 days of each. */
export const MAX_SYMBOLS = 200;

/** Returns one page of the daily bars of many symbols. */
export async function fetchDays(
  session: AlpacaSession,
  query: DaysQuery,
  token: string | null,
  http: ProviderClient,
): Promise<DaysPage> {
  const first = Math.ceil(Math.max(query.start, EARLIEST) / DAY_MS) * DAY_MS;
  const last = Math.min(Math.ceil(query.end / DAY_MS) * DAY_MS - DAY_MS, lastAvailableBar(session, '1D'));
  const page = token === null ? firstPage(session, last) : parseContinuation(token);
  const symbols = query.symbols.filter((symbol) => !session.invalidSymbols.has(symbol));
  if (symbols.length === 0 || page.last < first) return { bars: new Map(), nextToken: null };
  const parameters = new URLSearchParams({
    symbols: symbols.join(','),
    timeframe: TIMEFRAMES['1D'],
    ...formatBounds({ first, last: page.last }, null),
    limit: String(MAX_ROWS),
    adjustment: query.adjustment,
    sort: 'asc',
    ...sharedParameters(session, page),
  });
  const accept = (value: unknown): DaysPage => {
    const reply = readRecord(ALPACA, value);
    return {
      bars: readBarsBySymbol(reply.bars, new Set(symbols)),
      nextToken: formatContinuation(page, reply.next_page_token),
    };
  };
  try {
    return await http.getJson(`${session.url}/v2/stocks/bars?${parameters}`, { headers: session.headers, accept });
  } catch (error) {
    if (!isSymbolInvalid(error)) throw toKeyError(error);
    // One such symbol makes Alpaca refuse all others of the request.
    const invalid = symbols.filter((symbol) => error.replyIncludes(`: ${symbol}"`));
    if (invalid.length === 0) throw error;
    for (const symbol of invalid) session.invalidSymbols.add(symbol);
    return fetchDays(session, query, token, http);
  }
}

function readBarsBySymbol(bars: unknown, requested: ReadonlySet<string>): ReadonlyMap<string, readonly RawBar[]> {
  const bySymbol = new Map<string, readonly RawBar[]>();
  for (const [symbol, rows] of Object.entries(bars === null || bars === undefined ? {} : readRecord(ALPACA, bars))) {
    // If the reply has a symbol that was not requested, it may also assign bars to the wrong symbols.
    if (!requested.has(symbol)) throw malformed(ALPACA, 'bars of another symbol');
    bySymbol.set(symbol, readRows(rows, true));
  }
  return bySymbol;
}
