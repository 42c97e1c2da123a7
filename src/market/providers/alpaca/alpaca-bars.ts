import { newYorkInstant } from '../../../calendar/index.ts';
import { malformed, type ProviderClient, ProviderError, readRecord } from '../../../platform/index.ts';
import type { BarPage, PageQuery } from '../provider.ts';
import { type BarRange, barRange, barStep } from '../stocks/bar-range.ts';
import { readRows } from './alpaca-rows.ts';
import {
  ALPACA,
  type AlpacaSession,
  type Continuation,
  EARLIEST,
  firstPage,
  formatContinuation,
  isRecent,
  isRecentRefused,
  isSymbolInvalid,
  lastAvailableBar,
  MAX_ROWS,
  parseContinuation,
  toKeyError,
} from './alpaca-session.ts';

export const TIMEFRAMES = { '1min': '1Min', '5min': '5Min', '15min': '15Min', '30min': '30Min', '1D': '1Day' } as const;
type AlpacaFrequency = keyof typeof TIMEFRAMES;

const NO_BARS: BarPage = { bars: [], olderToken: null };

/** Returns one page of the bars of a symbol, the latest first. */
export async function fetchBars(
  session: AlpacaSession,
  query: PageQuery,
  token: string | null,
  http: ProviderClient,
): Promise<BarPage> {
  const { first, last: requestedLast } = barRange(query, EARLIEST);
  const fetchUntil = (last: number) => {
    const page = token === null ? firstPage(session, last) : parseContinuation(token);
    return page.last < first ? NO_BARS : requestPage(session, query, { first, last: page.last }, page, http);
  };
  const frequency = query.frequency as AlpacaFrequency;
  const last = Math.min(requestedLast, lastAvailableBar(session, frequency));
  try {
    return await fetchUntil(last);
  } catch (error) {
    if (isSymbolInvalid(error)) throw new ProviderError(ALPACA, 'NOT_FOUND', `HTTP ${error.status}`);
    if (!isRecentRefused(error)) throw toKeyError(error);
    session.recentBars = 'refused';
    const earlier = Math.min(requestedLast, lastAvailableBar(session, frequency));
    if (token !== null || earlier >= last) throw error;
    return fetchUntil(earlier);
  }
}

async function requestPage(
  session: AlpacaSession,
  { symbol, frequency, adjustment, limit }: PageQuery,
  range: BarRange,
  page: Continuation,
  http: ProviderClient,
): Promise<BarPage> {
  const isDaily = frequency === '1D';
  const parameters = new URLSearchParams({
    timeframe: TIMEFRAMES[frequency as AlpacaFrequency],
    ...formatBounds(range, isDaily ? null : barStep(frequency)),
    limit: String(Math.min(MAX_ROWS, limit)),
    adjustment,
    sort: 'desc',
    ...sharedParameters(session, page),
  });
  const url = `${session.url}/v2/stocks/${encodeURIComponent(symbol)}/bars?${parameters}`;
  const accept = (value: unknown): BarPage => {
    const reply = readRecord(ALPACA, value);
    if (reply.symbol !== symbol) throw malformed(ALPACA, 'bars of another symbol');
    return { bars: readRows(reply.bars, isDaily), olderToken: formatContinuation(page, reply.next_page_token) };
  };
  const accepted = await http.getJson(url, { headers: session.headers, accept });
  if (!isDaily && session.recentBars === 'unknown' && isRecent(session, range.last + barStep(frequency))) {
    session.recentBars = 'included';
  }
  return accepted;
}

/**
 * Formats the bounds of a request, which are inclusive. A daily bar begins at midnight in New York.
 *
 * @param step the length of a bar; null for daily bars
 */
export function formatBounds({ first, last }: BarRange, step: number | null): { start: string; end: string } {
  if (step !== null) return { start: formatInstant(first), end: formatInstant(last + step - 1) };
  return { start: formatInstant(newYorkInstant(first, 0)), end: formatInstant(newYorkInstant(last, 0)) };
}

/** Returns the parameters that requests for one and for many symbols share. */
export function sharedParameters({ feed }: AlpacaSession, { asOf, pageToken }: Continuation): Record<string, string> {
  return {
    asof: asOf,
    ...(feed !== undefined && { feed }),
    ...(pageToken !== null && { page_token: pageToken }),
  };
}

function formatInstant(instant: number): string {
  return new Date(instant).toISOString().replace('.000Z', 'Z');
}
