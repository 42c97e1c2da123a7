import { previousSession } from '../../calendar/index.ts';
import type { SessionDate } from '../evaluate/index.ts';
import type { ScreenerTables } from '../tables.ts';
import type { ScreenerRunContext } from './context.ts';
import { latestSession } from './latest-session.ts';
import { runSession } from './run-session.ts';
import { dueSession, sessionDate } from './session-dates.ts';

/** Sessions that are made up for after nobody looked at them in time: a week of them. */
const MADE_UP_FOR = 5;

/**
 * Runs the latest session whose final close is known, and before it those since the last run that nobody has ended, because
 * closes had not come or no worker was there: what has not come by now will not be waited for.
 */
export async function runDue(context: ScreenerRunContext, signal?: AbortSignal): Promise<void> {
  const { database, clock, lagMinutes } = context;
  const day = dueSession(clock.now().getTime(), lagMinutes * 60_000);
  const due = sessionDate(day);
  const latest = await latestSession(database);
  const unfinished = await unfinishedBefore(context, due);
  const wentBy = latest === null ? [] : sessionsWithin(latest, day);
  for (const session of [...new Set([...unfinished, ...wentBy])].sort())
    await runSession(context, session, { isLast: true, signal });
  // By a clock that was set back an earlier session may seem to be due.
  if (latest === null || latest < due) await runSession(context, due, { isLast: false, signal });
}

/** The last sessions between two, neither of them included. */
function sessionsWithin(after: SessionDate, before: number): SessionDate[] {
  const sessions: SessionDate[] = [];
  for (let day = previousSession(before); sessions.length < MADE_UP_FOR; day = previousSession(day)) {
    const session = sessionDate(day);
    if (session <= after) break;
    sessions.push(session);
  }
  return sessions;
}

async function unfinishedBefore({ database }: ScreenerRunContext, session: SessionDate): Promise<SessionDate[]> {
  const rows = await database
    .query<ScreenerTables>()
    .selectFrom('screener_run')
    .select('session')
    .where('session', '<', session)
    .where('state', 'in', ['waiting', 'running'])
    .orderBy('session')
    .execute();
  return rows.map((row) => row.session);
}
