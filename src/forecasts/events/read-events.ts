import type { Executor } from '../../platform/index.ts';
import type { ForecastEventTable, JobTables } from '../tables.ts';

/** Something that happened to a forecast. */
export interface ForecastEvent {
  /** Counts up from 1 within the forecast, without holes. */
  readonly id: number;
  readonly kind: ForecastEventTable['kind'];
  readonly data: object;
  readonly createdAt: Date;
}

/** The events of a forecast that come after the one numbered `after`, in order. */
export function readEvents(
  executor: Executor,
  forecastId: string,
  after: number,
  limit: number,
): Promise<ForecastEvent[]> {
  return executor
    .query<JobTables>()
    .selectFrom('forecast_event')
    .select(['number as id', 'kind', 'data', 'created_at as createdAt'])
    .where('forecast_id', '=', forecastId)
    .where('number', '>', after)
    .orderBy('number')
    .limit(limit)
    .execute();
}

/** Whether nothing can happen to a forecast after this. */
export function isLastKind(kind: ForecastEventTable['kind']): boolean {
  return kind === 'completed' || kind === 'failed';
}
