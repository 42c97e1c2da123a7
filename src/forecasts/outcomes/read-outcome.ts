import type { Selectable } from 'kysely';
import type { Executor } from '../../platform/index.ts';
import type { ForecastRow } from '../find-forecast.ts';
import type { ForecastOutcomeRowTable, ForecastOutcomeTable, ForecastTables } from '../tables.ts';

/** A recorded row. */
export type OutcomeRow = Omit<Selectable<ForecastOutcomeRowTable>, 'forecast_id'>;

/** The outcome of a forecast, with the rows that are recorded so far. */
export interface Outcome extends Omit<Selectable<ForecastOutcomeTable>, 'forecast_id' | 'scores'> {
  /** Ordered by step. */
  readonly rows: readonly OutcomeRow[];
}

const OUTCOME_COLUMNS = [
  'status',
  'reason',
  'opened_at',
  'replayed_steps',
  'next_check_at',
  'checked_at',
  'snapshot_id',
  'scale',
  'revised',
  'baseline',
  'metrics',
  'first_outcome_at',
  'completed_at',
] as const;

/** Returns the outcome of a forecast, without checking access; null if the forecast has not completed. */
export async function readOutcome(executor: Executor, forecastId: string): Promise<Outcome | null> {
  const db = executor.query<ForecastTables>();
  const outcome = await db
    .selectFrom('forecast_outcome')
    .select(OUTCOME_COLUMNS)
    .where('forecast_id', '=', forecastId)
    .executeTakeFirst();
  if (outcome === undefined) return null;
  const rows = await db
    .selectFrom('forecast_outcome_row')
    .select(['step', 'timestamp', 'actual', 'replayed', 'recorded_at', 'revised_to'])
    .where('forecast_id', '=', forecastId)
    .orderBy('step')
    .execute();
  return { ...outcome, rows };
}

const FORECAST_COLUMNS = ['id', 'account_id', 'guest_id', 'settings', 'snapshot_id', 'created_at'] as const;

/** A completed forecast with its outcome, as the functions of this folder change it. */
export interface OpenOutcome {
  readonly forecast: Pick<ForecastRow, (typeof FORECAST_COLUMNS)[number]> & {
    readonly result: NonNullable<ForecastRow['result']>;
  };
  readonly outcome: Outcome;
}

/** Returns a completed forecast with its outcome; null if there is none, such as after the forecast was deleted. */
export async function readOpenOutcome(executor: Executor, forecastId: string): Promise<OpenOutcome | null> {
  const forecast = await executor
    .query<ForecastTables>()
    .selectFrom('forecast')
    .select([...FORECAST_COLUMNS, 'result'])
    .where('id', '=', forecastId)
    .where('status', '=', 'completed')
    .executeTakeFirst();
  const outcome = forecast === undefined ? null : await readOutcome(executor, forecastId);
  if (!forecast?.result || outcome === null) return null;
  return { forecast: { ...forecast, result: forecast.result }, outcome };
}
