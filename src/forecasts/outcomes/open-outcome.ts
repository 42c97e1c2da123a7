import { sql } from 'kysely';
import type { ForecastResult } from '../../engine/index.ts';
import type { Executor, Transaction } from '../../platform/index.ts';
import type { ForecastSettings, ForecastTables } from '../tables.ts';
import { countReplayedSteps, isCollected, stepTimesOf } from './outcome-times.ts';

/** A forecast that has just completed. */
interface CompletedForecast {
  readonly id: string;
  readonly settings: ForecastSettings;
  readonly reproduces: string | null;
  readonly created_at: Date;
  readonly result: Pick<ForecastResult, 'predictions'>;
}

/** Opens the outcome of a forecast, in the transaction that completes the forecast. */
export async function openOutcome(tx: Transaction, forecast: CompletedForecast, now: Date): Promise<void> {
  const { id, settings, result } = forecast;
  const steps = stepTimesOf(settings, result);
  const first = steps[0]?.finalAt;
  const isDue = isCollected(settings) && first !== undefined;
  await tx
    .query<ForecastTables>()
    .insertInto('forecast_outcome')
    .values({
      forecast_id: id,
      status: 'waiting',
      opened_at: now,
      replayed_steps: countReplayedSteps(steps, forecast),
      next_check_at: isDue ? new Date(Math.max(first, now.getTime())) : null,
    })
    .onConflict((conflict) => conflict.column('forecast_id').doNothing())
    .execute();
}

/**
 * Opens the outcomes of completed forecasts that have none, or of one forecast: a process of the version before outcomes can have completed
 * them while the database was already migrated. Their first check determines the rest.
 */
export async function openMissingOutcomes(executor: Executor, forecastId: string | null = null): Promise<void> {
  await sql`
    INSERT INTO forecast_outcome (forecast_id, status, next_check_at)
    SELECT id, 'waiting', CASE WHEN settings -> 'source' ->> 'type' <> 'workspace_csv' THEN finished_at END
    FROM forecast
    WHERE status = 'completed' ${forecastId === null ? sql`` : sql`AND id = ${forecastId}`}
      AND NOT EXISTS (SELECT 1 FROM forecast_outcome WHERE forecast_outcome.forecast_id = forecast.id)
    ON CONFLICT DO NOTHING`.execute(executor.query());
}
