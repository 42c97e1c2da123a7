import type { Clock, Executor } from '../../platform/index.ts';
import type { ScreenerTables } from '../tables.ts';
import { latestSession } from './latest-session.ts';
import { sessionDate } from './session-dates.ts';

/** How long the numbers of a session, and what matched in it, can be looked up. */
const DAYS_KEPT = 100;
const DAY = 86_400_000;

/**
 * Metrics and results of old sessions. Counted from when a session was evaluated, so that one that was replayed from
 * long ago stays as long as any other. Those of the latest stay: previews look at it. So do the rows of `screener_run`,
 * one a day.
 */
export async function removeOldMetrics({ database, clock }: { database: Executor; clock: Clock }): Promise<void> {
  const before = new Date(clock.now().getTime() - DAYS_KEPT * DAY);
  const db = database.query<ScreenerTables>();
  const latest = await latestSession(database);
  if (latest === null) return;
  const recent = db.selectFrom('screener_run').select('session').where('checked_at', '>=', before);
  // Results first: their values are the metrics'.
  for (const table of ['screener_result', 'daily_metrics'] as const) {
    await db
      .deleteFrom(table)
      .where('session', '<', sessionDate(before.getTime()))
      .where('session', '<>', latest)
      .where('session', 'not in', recent)
      .execute();
  }
}
