import { sql } from 'kysely';
import type { Clock, Executor } from '../../platform/index.ts';
import type { ForecastSettings } from '../settings.ts';
import type { JobTables } from '../tables.ts';

/** A forecast that this attempt has, and no other any more. */
export interface TakenForecast {
  readonly id: string;
  readonly attempt: number;
  readonly settings: ForecastSettings;
  readonly snapshot_id: string;
  readonly reproduces: string | null;
  readonly checkpoints: Record<string, string>;
  readonly created_at: Date;
}

/** Takes a forecast that has not ended, from whoever had it before; null: it has ended. */
export async function takeForecast(executor: Executor, clock: Clock, id: string): Promise<TakenForecast | null> {
  const taken = await executor
    .query<JobTables>()
    .updateTable('forecast')
    .set({
      status: 'running',
      attempt: sql<number>`attempt + 1`,
      started_at: sql<Date>`coalesce(started_at, ${clock.now()})`,
    })
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .returning(['id', 'attempt', 'settings', 'snapshot_id', 'reproduces', 'checkpoints', 'created_at'])
    .executeTakeFirst();
  return taken ?? null;
}
