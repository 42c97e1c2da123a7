import { type RawBuilder, sql } from 'kysely';
import { DAY_MS } from '../../calendar/index.ts';
import type { Clock, Executor } from '../../platform/index.ts';
import type { SessionDate } from '../evaluate/metrics-source.ts';
import type { ScreenerTables } from '../tables.ts';
import { formatSession } from './session-dates.ts';

/** Returns the latest evaluated session, if any. */
export async function latestSession(executor: Executor): Promise<SessionDate | null> {
  const row = await executor
    .query<ScreenerTables>()
    .selectFrom('screener_run')
    .select('session')
    .where('state', '=', 'completed')
    .orderBy('session', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.session ?? null;
}

/**
 * Selects the latest evaluated session before another one. A match is new if the filter did not match the symbol in that
 * session; if there is no such session, every match is new.
 */
export function previousRun(session: SessionDate): RawBuilder<SessionDate | null> {
  return sql`(SELECT max(session) FROM screener_run WHERE session < ${session}::date AND state = 'completed')`;
}

/** How many days metrics and results are kept. */
const RETENTION_DAYS = 100;

/**
 * Removes the metrics and results of old sessions. The age counts from the evaluation, so that a past session that was
 * run on request is kept as long as any other. The latest session is kept for previews, and the rows of `screener_run`,
 * one per session, are also kept.
 */
export async function removeOldMetrics({ database, clock }: { database: Executor; clock: Clock }): Promise<void> {
  const cutoff = new Date(clock.now().getTime() - RETENTION_DAYS * DAY_MS);
  const db = database.query<ScreenerTables>();
  const latest = await latestSession(database);
  if (latest === null) return;
  const recent = db.selectFrom('screener_run').select('session').where('checked_at', '>=', cutoff);
  // Results are removed first, because their values are in the metrics.
  for (const table of ['screener_result', 'daily_metrics'] as const) {
    await db
      .deleteFrom(table)
      .where('session', '<', formatSession(cutoff.getTime()))
      .where('session', '<>', latest)
      .where('session', 'not in', recent)
      .execute();
  }
}
