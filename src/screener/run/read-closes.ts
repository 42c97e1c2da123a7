import { sessionsBetween } from '../../calendar/index.ts';
import { type DaysRead, type MarketContext, readDays } from '../../market/index.ts';
import { metricsRow, SESSIONS_READ } from '../metrics/metrics-row.ts';
import type { DailyMetricsTable } from '../tables.ts';
import { firstLately, sessionDate } from './session-dates.ts';
import type { Universe } from './universe.ts';

const DAY = 86_400_000;

/** A symbol whose close has not come, and should have, as far as one can tell. */
export interface Absent {
  readonly symbol: string;
  /** Whether it was traded lately, as its bars or the last runs say. */
  readonly isTraded: boolean;
  /** Whether a provider that should have told did not. */
  readonly hasFailed: boolean;
}

/** What some symbols came to. */
export interface ClosesRead {
  readonly rows: readonly DailyMetricsTable[];
  readonly absent: readonly Absent[];
  readonly providers: readonly string[];
}

export interface ClosesWanted {
  readonly symbols: readonly string[];
  readonly session: number;
  readonly universe: Pick<Universe, 'isKnown' | 'isShared' | 'isTrusted'>;
  /** Now, in milliseconds. */
  readonly at: number;
  readonly signal?: AbortSignal | undefined;
}

/** The metrics of symbols at a session, some of them at a time. */
export async function* readCloses(
  market: MarketContext,
  { symbols, session, universe, at, signal }: ClosesWanted,
): AsyncGenerator<ClosesRead> {
  const wanted = { symbols, start: firstRead(session), end: session + DAY, at, signal };
  for await (const some of readDays(market, wanted)) yield closesOf(some, session, universe);
}

function closesOf(some: readonly DaysRead[], session: number, universe: ClosesWanted['universe']): ClosesRead {
  const rows: DailyMetricsTable[] = [];
  const absent: Absent[] = [];
  const providers = new Set<string>();
  for (const read of some) {
    const { symbol, provider, bars } = read;
    const row = bars === null ? null : metricsRow(bars, session);
    if (row !== null) {
      rows.push({ session: sessionDate(session), symbol, shared: universe.isShared(symbol), ...row });
      if (provider !== null) providers.add(provider);
    } else {
      const isTraded = universe.isKnown(symbol) || (bars?.timestamps.at(-1) ?? 0) >= firstLately(session);
      const hasFailed = isProvidersFault(read, universe);
      if (isTraded || hasFailed) absent.push({ symbol, isTraded, hasFailed });
    }
  }
  return { rows, absent, providers: [...providers] };
}

/** What cannot be read is the symbol's own fault where nothing but a filter says that there is such a symbol. */
function isProvidersFault({ symbol, failure }: DaysRead, { isTrusted }: ClosesWanted['universe']): boolean {
  return failure !== null && (failure.fault !== 'MALFORMED' || isTrusted(symbol));
}

/** So many sessions back as a row is made from. */
function firstRead(session: number): number {
  // Two calendar days for each session are more than enough, and holidays do not matter.
  const sessions = sessionsBetween(session - 2 * SESSIONS_READ * DAY, session);
  return sessions.at(-SESSIONS_READ) ?? session;
}
