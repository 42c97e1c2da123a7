import { FORECAST_QUEUE, type JobContext } from './context.ts';
import { failForecast } from './fail-forecast.ts';
import type { ForecastFailure } from './tables.ts';

export const CANCELED: ForecastFailure = {
  code: 'FORECAST_CANCELED',
  message: 'The forecast was canceled.',
  retryable: false,
};

/** Cancels a forecast that has not ended; one that has stays as it is. A worker that runs it notices by itself. */
export async function cancelForecast(context: JobContext, forecast: { id: string; job_id: string }): Promise<void> {
  await context.database.transaction(async (tx) => {
    if (!(await failForecast(tx, forecast.id, CANCELED, context.clock.now()))) return;
    await context.queue.cancel(tx, FORECAST_QUEUE, forecast.job_id);
  });
}
