import type { Account, Guest } from '../access/index.ts';
import { count, type Transaction } from '../platform/index.ts';
import { lockWorkspace } from '../workspaces/index.ts';
import type { ForecastContext } from './context.ts';
import { forecastNotFound } from './faults.ts';
import {
  type ForecastFacts,
  type ForecastRow,
  findForecastFacts,
  isPrivateToAnother,
  requireAccess,
  selectByIdOrSlug,
} from './find-forecast.ts';
import { queueOf } from './forecast-queues.ts';
import { failForecast } from './forecast-state.ts';
import type { ForecastFailure } from './tables.ts';

export const CANCELED: ForecastFailure = {
  code: 'FORECAST_CANCELED',
  message: 'The forecast was canceled.',
  retryable: false,
};

/**
 * Cancels the forecast with this id or slug, if the caller may cancel it. The owner of a workspace names a private
 * forecast of another member by its id, because it must not learn the slug, which is derived from the title.
 *
 * @returns the forecast after the cancellation, even if the caller has lost its membership since
 */
export async function cancelForecast(
  context: ForecastContext,
  principal: Account | Guest,
  idOrSlug: string,
): Promise<ForecastRow> {
  const facts = await findForecastFacts(context, principal, idOrSlug, 'forecast.cancel');
  if (isPrivateToAnother(principal, facts) && facts.id !== idOrSlug) throw forecastNotFound();
  await cancelUnfinished(context, facts, principal);
  const row = await selectByIdOrSlug(context, facts.id).selectAll().executeTakeFirst();
  if (row === undefined) throw forecastNotFound();
  return row;
}

/**
 * Cancels an unfinished forecast; a finished one does not change. A worker that runs the forecast detects the
 * cancellation and stops.
 *
 * @param principal the caller, whose access is checked again because a membership may have ended since the forecast was
 * read. If omitted, access is not checked
 */
export async function cancelUnfinished(
  context: ForecastContext,
  forecast: ForecastFacts | Pick<ForecastFacts, 'id' | 'job_id' | 'queue'>,
  principal?: Account | Guest,
): Promise<void> {
  const isCanceled = await context.database.transaction(async (tx) => {
    if (principal && 'workspace_id' in forecast) await lockAccess(tx, principal, forecast);
    if (!(await failForecast(tx, forecast.id, CANCELED, context.clock.now()))) return false;
    await context.queue.cancel(tx, queueOf(forecast), forecast.job_id);
    return true;
  });
  if (isCanceled) count('forecasts_failed_total', { code: CANCELED.code });
}

/** Checks the caller's membership again and locks it, so that it cannot end before the transaction. */
async function lockAccess(tx: Transaction, principal: Account | Guest, forecast: ForecastFacts): Promise<void> {
  const { workspace_id } = forecast;
  if (workspace_id === null || principal.kind === 'guest') return;
  await lockWorkspace(tx, workspace_id);
  await requireAccess(tx, principal, 'forecast.cancel', forecast);
}
