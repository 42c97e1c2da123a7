import { DAY_MS, sessionsBetween } from '../../calendar/index.ts';
import { type MarketContext, readDays, type SymbolDays } from '../../market/index.ts';
import { computeMetricsRow, MAX_SESSIONS_READ } from '../metrics/compute-metrics.ts';
import type { DailyMetricsTable } from '../tables.ts';
import { firstRecentSession, formatSession } from './session-dates.ts';
import type { Universe } from './universe.ts';

/** A symbol whose close has not arrived. */
export interface AbsentClose {
  readonly symbol: string;
  /** Whether the symbol was traded recently, according to its bars or recent runs. */
  readonly isTraded: boolean;
  /** Whether a provider failed to serve the symbol, or has not served it yet. */
  readonly hasFailed: boolean;
}

/** The metrics of a batch of symbols, and the symbols without a close. */
interface ClosesBatch {
  readonly rows: readonly DailyMetricsTable[];
  readonly absent: readonly AbsentClose[];
  readonly providers: readonly string[];
}

interface ClosesRequest {
  readonly symbols: readonly string[];
  readonly session: number;
  readonly universe: Pick<Universe, 'hasRecentMetrics' | 'isShared' | 'isTrusted'>;
  /** The current time in milliseconds. */
  readonly at: number;
  readonly signal?: AbortSignal | undefined;
}

/** Computes the metrics of symbols at a session, batch by batch. */
export async function* readCloses(
  market: MarketContext,
  { symbols, session, universe, at, signal }: ClosesRequest,
): AsyncGenerator<ClosesBatch> {
  const request = { symbols, start: firstSessionRead(session), end: session + DAY_MS, at, signal };
  for await (const days of readDays(market, request)) yield toBatch(days, session, universe);
}

function toBatch(days: readonly SymbolDays[], session: number, universe: ClosesRequest['universe']): ClosesBatch {
  const rows: DailyMetricsTable[] = [];
  const absent: AbsentClose[] = [];
  const providers = new Set<string>();
  for (const symbolDays of days) {
    const { symbol, provider, bars } = symbolDays;
    const row = bars === null ? null : computeMetricsRow(bars, session);
    if (row !== null) {
      rows.push({ session: formatSession(session), symbol, shared: universe.isShared(symbol), ...row });
      if (provider !== null) providers.add(provider);
    } else {
      const isTraded =
        universe.hasRecentMetrics(symbol) || (bars?.timestamps.at(-1) ?? 0) >= firstRecentSession(session);
      const hasFailed = symbolDays.isPending || hasProviderFailed(symbolDays, universe);
      if (isTraded || hasFailed) absent.push({ symbol, isTraded, hasFailed });
    }
  }
  return { rows, absent, providers: [...providers] };
}

/**
 * Returns whether a provider failed. An invalid reply and a rejected request do not count as failures if only filters
 * list the symbol, because the symbol may not exist.
 */
function hasProviderFailed({ symbol, failure }: SymbolDays, { isTrusted }: ClosesRequest['universe']): boolean {
  return failure !== null && (!['MALFORMED', 'REJECTED'].includes(failure.fault) || isTrusted(symbol));
}

/** Returns the first session whose bar is used for the metrics. */
function firstSessionRead(session: number): number {
  // Two calendar days per session are more than enough, holidays included.
  const sessions = sessionsBetween(session - 2 * MAX_SESSIONS_READ * DAY_MS, session);
  return sessions.at(-MAX_SESSIONS_READ) ?? session;
}
