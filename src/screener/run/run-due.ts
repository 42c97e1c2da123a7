import { previousSession } from '../../calendar/index.ts';
import type { SessionDate } from '../evaluate/index.ts';
import type { ScreenerTables } from '../tables.ts';
import { claimRun } from './claim.ts';
import type { ScreenerRunContext } from './context.ts';
import { missRun } from './end-run.ts';
import { latestSession } from './latest-session.ts';
import { runSession } from './run-session.ts';
import { dueSession, firstLately, LATELY, sessionDate, sessionDay } from './session-dates.ts';

/**
 * Runs the latest session whose final close is known, and before it those since the last run that nobody has ended, because
 * closes had not come or no worker was there: what has not come by now will not be waited for.
 */
export async function runDue(context: ScreenerRunContext, signal?: AbortSignal): Promise<void> {
  const { database, log } = context;
  const due = latestDue(context);
  const day = sessionDay(due);
  const latest = await latestSession(database);
  const unfinished = await unfinishedBefore(context, due);
  const wentBy = latest === null ? [] : sessionsWithin(latest, day);
  for (const session of [...new Set([...unfinished, ...wentBy])].sort()) {
    // What is wrong with one that is over must not keep all later ones from being run.
    await runSession(context, session, { isLast: true, signal }).catch((error) => {
      signal?.throwIfAborted();
      log.error({ err: error, session }, 'screener run of an earlier session failed');
      return session < sessionDate(firstLately(day)) ? giveUp(context, session) : undefined;
    });
  }
  // By a clock that was set back an earlier session may seem to be due.
  if (latest === null || latest < due) await runSession(context, due, { isLast: false, signal });
}

/** The latest session whose final close is known. */
export function latestDue({ clock, lagMinutes }: Pick<ScreenerRunContext, 'clock' | 'lagMinutes'>): SessionDate {
  return sessionDate(dueSession(clock.now().getTime(), lagMinutes * 60_000));
}

/** The last sessions between two, neither of them included. */
function sessionsWithin(after: SessionDate, before: number): SessionDate[] {
  const sessions: SessionDate[] = [];
  for (let day = previousSession(before); sessions.length < LATELY; day = previousSession(day)) {
    const session = sessionDate(day);
    if (session <= after) break;
    sessions.push(session);
  }
  return sessions;
}

async function giveUp({ database, clock }: ScreenerRunContext, session: SessionDate): Promise<void> {
  const claim = await claimRun(database, clock, session);
  if (claim) await missRun(database, clock, claim, { missing: [], providers: [] });
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
