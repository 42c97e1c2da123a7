import type { SessionDate } from '../evaluate/index.ts';
import type { ScreenerTables } from '../tables.ts';
import type { ScreenerRunContext } from './context.ts';
import { latestSession } from './latest-session.ts';
import { runSession } from './run-session.ts';
import { dueSession, sessionDate } from './session-dates.ts';

/**
 * Runs the latest session whose final close is known. One before it that still waits is tried a last time: what has not
 * come by now will not be waited for. Sessions that nobody looked at while they were the latest are left alone.
 */
export async function runDue(context: ScreenerRunContext, signal?: AbortSignal): Promise<void> {
  const due = sessionDate(dueSession(context.clock.now().getTime(), context.lagMinutes * 60_000));
  for (const session of await unfinishedBefore(context, due))
    await runSession(context, session, { isLast: true, signal });
  // By a clock that was set back an earlier session may seem to be due.
  const latest = await latestSession(context.database);
  if (latest === null || latest < due) await runSession(context, due, { isLast: false, signal });
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
