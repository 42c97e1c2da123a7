import type { Account, Guest } from '../access/index.ts';
import { count, type Transaction } from '../platform/index.ts';
import { lockWorkspace } from '../workspaces/index.ts';
import { FORECAST_QUEUE, type JobContext } from './context.ts';
import { failForecast } from './fail-forecast.ts';
import { allowed, type ForecastFacts, type ForecastRow, findForecastFacts, named, notThere } from './find-forecast.ts';
import type { ForecastFailure } from './tables.ts';

export const CANCELED: ForecastFailure = {
  code: 'FORECAST_CANCELED',
  message: 'The forecast was canceled.',
  retryable: false,
};

/**
 * Cancels the forecast with this id or slug, if the caller may.
 *
 * @returns it as it is then: who has canceled it is told so, whatever has become of its place in the meantime
 */
export async function cancelNamed(
  context: JobContext,
  principal: Account | Guest,
  idOrSlug: string,
): Promise<ForecastRow> {
  const facts = await findForecastFacts(context, principal, idOrSlug, 'forecast.cancel');
  await cancelForecast(context, facts, principal);
  const row = await named(context, facts.id).selectAll().executeTakeFirst();
  if (row === undefined) throw notThere();
  return row;
}

/**
 * Cancels a forecast that has not ended; one that has stays as it is. A worker that runs it notices by itself.
 *
 * @param by whose place in the forecast's workspace is asked for again: it may have been lost since it was found
 */
export async function cancelForecast(
  context: JobContext,
  forecast: ForecastFacts | Pick<ForecastFacts, 'id' | 'job_id'>,
  by?: Account | Guest,
): Promise<void> {
  const isCanceled = await context.database.transaction(async (tx) => {
    if (by && 'workspace_id' in forecast) await keepPlace(tx, by, forecast);
    if (!(await failForecast(tx, forecast.id, CANCELED, context.clock.now()))) return false;
    await context.queue.cancel(tx, FORECAST_QUEUE, forecast.job_id);
    return true;
  });
  if (isCanceled) count('forecasts_failed_total', { code: CANCELED.code });
}

/** From here to the end of the transaction the place cannot be lost. Who has lost it is refused as its next request is. */
async function keepPlace(tx: Transaction, principal: Account | Guest, forecast: ForecastFacts): Promise<void> {
  const { workspace_id } = forecast;
  if (workspace_id === null || principal.kind === 'guest') return;
  await lockWorkspace(tx, workspace_id);
  await allowed(tx, principal, 'forecast.cancel', forecast);
}
