import { previousSession, sessionsBetween } from '../../calendar/index.ts';
import { type DaysRead, type MarketContext, readDays } from '../../market/index.ts';
import { metricsRow, SESSIONS_READ } from '../metrics/index.ts';
import type { DailyMetricsTable } from '../tables.ts';
import { sessionDate } from './session-dates.ts';

const DAY = 86_400_000;

/** What some symbols came to. */
export interface ClosesRead {
  readonly rows: readonly DailyMetricsTable[];
  /** Symbols that were traded in the session before, or of which nobody could say, and whose close has not come. */
  readonly late: readonly string[];
  readonly providers: readonly string[];
}

export interface ClosesWanted {
  readonly symbols: readonly string[];
  readonly session: number;
  /** Now, in milliseconds. */
  readonly at: number;
  readonly signal?: AbortSignal | undefined;
}

/** The metrics of symbols at a session, some of them at a time. */
export async function* readCloses(
  market: MarketContext,
  { symbols, session, at, signal }: ClosesWanted,
): AsyncGenerator<ClosesRead> {
  const wanted = { symbols, start: firstRead(session), end: session + DAY, at, signal };
  for await (const some of readDays(market, wanted)) yield closesOf(some, session);
}

function closesOf(some: readonly DaysRead[], session: number): ClosesRead {
  const rows: DailyMetricsTable[] = [];
  const late: string[] = [];
  const providers = new Set<string>();
  for (const read of some) {
    const { symbol, provider, bars } = read;
    const row = bars === null ? null : metricsRow(bars, session);
    if (row !== null) {
      rows.push({ session: sessionDate(session), symbol, ...row });
      if (provider !== null) providers.add(provider);
    } else if (isExpected(read, session)) late.push(symbol);
  }
  return { rows, late, providers: [...providers] };
}

function isExpected({ bars, failure }: DaysRead, session: number): boolean {
  return failure !== null || bars?.timestamps.at(-1) === previousSession(session);
}

/** So many sessions back as a row is made from. */
function firstRead(session: number): number {
  // Two calendar days for each session are more than enough, and holidays do not matter.
  const sessions = sessionsBetween(session - 2 * SESSIONS_READ * DAY, session);
  return sessions.at(-SESSIONS_READ) ?? session;
}
