import { newYorkDate } from '../../../calendar/index.ts';
import { ProviderError, readToken } from '../../../platform/index.ts';
import { formatDay, lastBarBefore } from '../stocks/bar-range.ts';

export const ALPACA = 'alpaca';

/** Alpaca's history begins in 2016. Without a start, Alpaca would return only bars of today. */
export const EARLIEST = Date.UTC(2016, 0, 1);
/** The largest number of rows in one page, over all its symbols. */
export const MAX_ROWS = 10_000;
/** Plans without recent data refuse the last 15 minutes; one more allows for a difference between two clocks. */
const RECENT_MINUTES = 16;

/** The settings of the adapter, and what it has learned from replies. */
export interface AlpacaSession {
  readonly url: string;
  readonly tradingUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly feed: string | undefined;
  readonly now: () => number;
  /** Whether the account's plan includes the bars of the last 15 minutes. */
  recentBars: 'unknown' | 'included' | 'refused';
  /** Symbols that Alpaca lists but does not accept in requests for bars. */
  readonly invalidSymbols: Set<string>;
}

/** Returns the last complete bar that can be requested. */
export function lastAvailableBar(
  session: AlpacaSession,
  frequency: '1D' | '1min' | '5min' | '15min' | '30min',
): number {
  // A daily bar of a plan without the last 15 minutes could lack the close, and Alpaca does not mark such a bar.
  const isDelayed = session.recentBars === 'refused' || (frequency === '1D' && session.recentBars === 'unknown');
  return lastBarBefore(frequency, session.now(), isDelayed ? RECENT_MINUTES : 0);
}

/** Returns whether an instant is within the minutes that some plans do not include. */
export function isRecent(session: AlpacaSession, instant: number): boolean {
  return instant > session.now() - RECENT_MINUTES * 60_000;
}

/** Returns whether the plan does not include the last 15 minutes of a request. */
export function isRecentRefused(error: unknown): boolean {
  return error instanceof ProviderError && error.fault === 'FORBIDDEN' && error.replyIncludes('recent SIP data');
}

/** Returns whether a symbol of the request is not accepted. */
export function isSymbolInvalid(error: unknown): error is ProviderError {
  return error instanceof ProviderError && error.fault === 'REJECTED' && error.replyIncludes('invalid symbol');
}

/** Alpaca replies 403 to a wrong key, with another text than to a plan that does not include the data. */
export function toKeyError(error: unknown): unknown {
  const isKeyRejected =
    error instanceof ProviderError && error.fault === 'FORBIDDEN' && error.replyIncludes('"forbidden.');
  return isKeyRejected ? new ProviderError(ALPACA, 'UNAUTHORIZED', 'HTTP 403') : error;
}

/**
 * The continuation of a request. Its other parameters must not change between pages, although the last available bar
 * and the date do.
 */
export interface Continuation {
  readonly last: number;
  readonly asOf: string;
  readonly pageToken: string | null;
}

/**
 * Returns the first page of a request. The date `asOf` selects the company that has the symbol today, with its bars under
 * earlier symbols, and leaves out those of a company that had the symbol before. It does not depend on the requested
 * period: otherwise two periods of one series could be of two companies.
 */
export function firstPage(session: AlpacaSession, last: number): Continuation {
  return { last, asOf: formatDay(newYorkDate(session.now())), pageToken: null };
}

export function formatContinuation({ last, asOf }: Continuation, pageToken: unknown): string | null {
  const token = readToken(ALPACA, pageToken);
  return token === null ? null : `${last} ${asOf} ${token}`;
}

export function parseContinuation(token: string): Continuation {
  const [last = '', asOf = '', ...rest] = token.split(' ');
  return { last: Number(last), asOf, pageToken: rest.join(' ') };
}
