import type { Executor } from '../../platform/index.ts';
import type { SessionDate } from '../evaluate/metrics-source.ts';
import type { ScreenerTables } from '../tables.ts';

/** The latest session that was evaluated; null: none yet. */
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
