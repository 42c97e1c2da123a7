import { count, type Executor, type Transaction } from '../platform/index.ts';
import { releaseSnapshots } from '../snapshots/index.ts';
import { CANCELED } from './cancel-forecast.ts';
import { FORECAST_QUEUE, type ForecastContext } from './context.ts';
import { failForecast } from './forecast-state.ts';
import type { ForecastTables } from './tables.ts';

/** Returns which of these forecasts are in the workspace and are not private forecasts of another account. */
export async function findForecastsInWorkspace(
  executor: Executor,
  workspaceId: string,
  ids: readonly string[],
  accountId: string,
): Promise<string[]> {
  const rows = await executor
    .query<ForecastTables>()
    .selectFrom('forecast')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', ids)
    .where((where) => where.or([where('visibility', '<>', 'private'), where('owner', '=', accountId)]))
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns which of these forecasts are private forecasts of another account. */
export async function findPrivateToOthers(
  executor: Executor,
  accountId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await executor
    .query<ForecastTables>()
    .selectFrom('forecast')
    .select('id')
    .where('id', 'in', ids)
    .where('visibility', '=', 'private')
    .where('owner', '<>', accountId)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Removes every forecast of a workspace, in the transaction that removes the workspace. Unfinished forecasts are
 * canceled first, as if by their owner: their credits and slots are released. The ledger keeps the costs of completed
 * forecasts.
 */
export async function removeWorkspaceForecasts(
  { queue }: Pick<ForecastContext, 'queue'>,
  tx: Transaction,
  workspaceId: string,
  now: Date,
): Promise<void> {
  const db = tx.query<ForecastTables>();
  const unfinished = await db
    .selectFrom('forecast')
    .select(['id', 'job_id'])
    .where('workspace_id', '=', workspaceId)
    .where('status', 'in', ['queued', 'running'])
    // All forecasts are locked before any slot, because a worker that ends a forecast locks the forecast and then the
    // slot. They are locked in the order of their slots, because concurrent removals in different orders would
    // deadlock.
    .orderBy('payer')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  for (const { id, job_id } of unfinished) {
    if (!(await failForecast(tx, id, CANCELED, now))) throw new Error(`The forecast ${id} ended while it was locked.`);
    await queue.cancel(tx, FORECAST_QUEUE, job_id);
    count('forecasts_failed_total', { code: CANCELED.code });
  }
  const removed = await db.deleteFrom('forecast').where('workspace_id', '=', workspaceId).returning('id').execute();
  await releaseSnapshots(
    tx,
    removed.map(({ id }) => id),
  );
}
