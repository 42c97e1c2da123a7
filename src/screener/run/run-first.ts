import { DAY_MS, latestClosedSession, MINUTE_MS, SESSIONS_KNOWN_FROM } from '../../calendar/index.ts';
import { listAllSymbols, readDays } from '../../market/index.ts';
import type { ScreenerRunContext } from '../context.ts';
import type { SessionDate } from '../evaluate/metrics-source.ts';
import { runSession } from './run-session.ts';
import { firstRecentSession, formatSession, isSessionDate } from './session-dates.ts';
import { latestSession } from './stored-sessions.ts';
import { symbolsWithMetrics } from './universe.ts';

/**
 * Runs the latest session of bars that end long ago, such as the bundled ones, if no session was ever evaluated. A new
 * installation without live bars thus has metrics for previews. Sends no emails. Does nothing if a provider needs a
 * network, because the daily run then gets its closes soon, and the session would cost requests.
 */
export async function runFirstSession(context: ScreenerRunContext, signal?: AbortSignal): Promise<void> {
  const { database, market, log } = context;
  const stocks = market.providers.filter(({ serves }) => serves === 'stocks');
  if (stocks.some(({ requestsPerMinute }) => requestsPerMinute !== null)) return;
  if ((await latestSession(database)) !== null) return;
  try {
    const session = await findLastSession(context, signal);
    if (session !== null) await runSession(context, session, { isPast: true, includeMissed: true, signal });
  } catch (error) {
    signal?.throwIfAborted();
    // The next scheduled job tries again.
    log.error({ err: error }, 'screener run of the last session with bars failed');
  }
}

/**
 * Returns the session of which the providers have the most bars, the latest of several; null if there is none, or if a bar
 * is recent, because the daily run then waits for the next closes.
 */
async function findLastSession(
  { database, market, clock, lagMinutes }: ScreenerRunContext,
  signal: AbortSignal | undefined,
): Promise<SessionDate | null> {
  const at = clock.now().getTime();
  const due = latestClosedSession(at, lagMinutes * MINUTE_MS);
  // Bars that are not old have arrived, so nothing needs to be read to know it.
  if ((await symbolsWithMetrics(database, formatSession(due))).length > 0) return null;
  const { symbols } = await listAllSymbols(market, signal);
  const request = { symbols, start: SESSIONS_KNOWN_FROM, end: due + DAY_MS, at, signal };
  const counts = new Map<SessionDate, number>();
  for await (const batch of readDays(market, request)) {
    for (const { bars } of batch) {
      if ((bars?.timestamps.at(-1) ?? 0) >= firstRecentSession(due)) return null;
      for (const time of bars?.timestamps ?? []) {
        const session = formatSession(time);
        counts.set(session, (counts.get(session) ?? 0) + 1);
      }
    }
  }
  const most = Math.max(...counts.values());
  return (
    [...counts.keys()]
      .filter((session) => counts.get(session) === most && isSessionDate(session))
      .sort()
      .at(-1) ?? null
  );
}
