import { sql } from 'kysely';
import type { ForecastResult } from '../../engine/index.ts';
import type { Executor, Transaction } from '../../platform/index.ts';
import type { ForecastSettings, ForecastTables } from '../tables.ts';
import { countReplayedSteps, firstReadTime, isCollected, MAX_DELAY_MS, stepTimesOf } from './outcome-times.ts';

/** A forecast that has just completed. */
interface CompletedForecast {
  readonly id: string;
  readonly settings: ForecastSettings;
  readonly is_copy: boolean;
  readonly created_at: Date;
  readonly result: Pick<ForecastResult, 'predictions'>;
}

/** Opens the outcome of a forecast, in the transaction that completes the forecast. */
export async function openOutcome(tx: Transaction, forecast: CompletedForecast, now: Date): Promise<void> {
  const { id, settings, result } = forecast;
  const steps = stepTimesOf(settings, result);
  const first = isCollected(settings) ? firstReadTime(settings, steps) : null;
  await tx
    .query<ForecastTables>()
    .insertInto('forecast_outcome')
    .values({
      forecast_id: id,
      status: 'waiting',
      opened_at: now,
      replayed_steps: countReplayedSteps(steps, forecast),
      next_check_at: first === null ? null : new Date(Math.max(first, now.getTime())),
    })
    .onConflict((conflict) => conflict.column('forecast_id').doNothing())
    .execute();
}

/**
 * Opens the outcomes of completed forecasts that have none, or of one forecast: a process of the version before outcomes
 * can have completed them while the database was already migrated. Their first check determines the rest. Old forecasts
 * of tables whose reads are billed are not checked, as in the migration.
 */
export async function openMissingOutcomes(
  executor: Executor,
  now: Date,
  forecastId: string | null = null,
): Promise<void> {
  const old = new Date(now.getTime() - MAX_DELAY_MS);
  const isTooOld = sql`(
    settings -> 'source' ->> 'type' = 'warehouse_table' AND settings -> 'source' ->> 'table' NOT LIKE 'local.%'
    AND finished_at < ${old}) IS TRUE`;
  await sql`
    INSERT INTO forecast_outcome (forecast_id, opened_at, status, reason, next_check_at)
    SELECT id, ${now},
      CASE WHEN ${isTooOld} THEN 'unavailable' ELSE 'waiting' END,
      CASE WHEN ${isTooOld} THEN ${TOO_OLD} END,
      CASE WHEN settings -> 'source' ->> 'type' <> 'workspace_csv' AND NOT (${isTooOld}) THEN finished_at END
    FROM forecast
    WHERE status = 'completed' ${forecastId === null ? sql`` : sql`AND id = ${forecastId}`}
      AND NOT EXISTS (SELECT 1 FROM forecast_outcome WHERE forecast_outcome.forecast_id = forecast.id)
    ON CONFLICT DO NOTHING`.execute(executor.query());
}

const TOO_OLD =
  'Reads of this table are billed. The forecast completed more than 90 days before outcomes were collected.';
