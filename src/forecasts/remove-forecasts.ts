import { count, type Transaction } from '../platform/index.ts';
import { releaseSnapshots } from '../snapshots/index.ts';
import { CANCELED } from './cancel-forecast.ts';
import { FORECAST_QUEUE, type JobContext } from './context.ts';
import { failForecast } from './fail-forecast.ts';
import type { JobTables } from './tables.ts';

/**
 * Removes every forecast of a workspace, in the transaction that removes the workspace. Those that wait or run are
 * canceled first, as by their owner: what is reserved for them is released, and their slots are given back. The ledger
 * keeps what forecasts have cost.
 */
export async function removeForecastsIn(
  { queue }: Pick<JobContext, 'queue'>,
  tx: Transaction,
  workspaceId: string,
  now: Date,
): Promise<void> {
  const db = tx.query<JobTables>();
  const unfinished = await db
    .selectFrom('forecast')
    .select(['id', 'job_id'])
    .where('workspace_id', '=', workspaceId)
    .where('status', 'in', ['queued', 'running'])
    // All of them before any slot is given back: a worker that ends one has locked the forecast and waits for the slot.
    // And in the order of the slots: two removals at once that take them in different orders would wait for each other.
    .orderBy('payer')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  for (const { id, job_id } of unfinished) {
    if (!(await failForecast(tx, id, CANCELED, now))) throw new Error(`The forecast ${id} was locked and has ended.`);
    await queue.cancel(tx, FORECAST_QUEUE, job_id);
    count('forecasts_failed_total', { code: CANCELED.code });
  }
  const removed = await db.deleteFrom('forecast').where('workspace_id', '=', workspaceId).returning('id').execute();
  await releaseSnapshots(
    tx,
    removed.map(({ id }) => id),
  );
}
