import { type RawBuilder, sql } from 'kysely';
import { count, type Transaction } from '../platform/index.ts';
import { releaseSnapshots } from '../snapshots/index.ts';
import { removeFromScopes } from '../workspaces/index.ts';
import { CANCELED } from './cancel-forecast.ts';
import type { ForecastContext } from './context.ts';
import { queueOf } from './forecast-queues.ts';
import { failForecast } from './forecast-state.ts';
import { foldCharges } from './metering/fold-charges.ts';
import { removeMemberCharges } from './metering/member-credits.ts';
import type { ForecastTables } from './tables.ts';

type QueueContext = Pick<ForecastContext, 'queue'>;

/** The number of removed forecasts, and how many forecasts were canceled first. */
export interface RemovedForecasts {
  readonly forecasts: number;
  readonly canceled: number;
}

/**
 * Removes every forecast of a workspace, in the transaction that removes the workspace. Unfinished forecasts are
 * canceled first, as if by their owner: their credits and slots are released. The ledger keeps the costs of completed
 * forecasts.
 */
export async function removeWorkspaceForecasts(
  context: QueueContext,
  tx: Transaction,
  workspaceId: string,
  now: Date,
): Promise<RemovedForecasts> {
  const isInWorkspace = sql<boolean>`workspace_id = ${workspaceId}`;
  const canceled = await cancelAll(context, tx, isInWorkspace, now);
  return { forecasts: (await removeAll(context, tx, isInWorkspace)).length, canceled };
}

/**
 * Removes the forecasts of an account, in the transaction that removes the account, after its own workspaces. Forecasts
 * that it shared in workspaces of others stay there, as when a member leaves, and belong to the owners of the
 * workspaces. Unfinished forecasts that it created or pays for are canceled first. The ledger keeps the costs of
 * completed forecasts. Lock the workspaces first. A forecast that a request creates in the meantime stays; check for it
 * once the account is locked.
 */
export async function removeAccountForecasts(
  context: QueueContext,
  tx: Transaction,
  accountId: string,
  now: Date,
): Promise<RemovedForecasts & { readonly handedOver: number }> {
  const canceled = await cancelAll(context, tx, sql`(owner = ${accountId} OR payer = ${accountId})`, now);
  const { rows: kept } = await sql`
    UPDATE forecast SET owner = workspace.owner_account_id, account_id = workspace.owner_account_id
    FROM workspace
    WHERE workspace.id = forecast.workspace_id AND forecast.owner = ${accountId} AND forecast.visibility <> 'private'
      AND forecast.status IN ('completed', 'failed')
    RETURNING forecast.id`.execute(tx.query());
  const removed = await removeAll(context, tx, sql`owner = ${accountId} AND status IN ('completed', 'failed')`);
  await removeFromAllScopes(tx, removed);
  const db = tx.query<ForecastTables>();
  await db.deleteFrom('idempotency_key').where('owner', '=', accountId).execute();
  await db.deleteFrom('admission').where('owner', '=', accountId).execute();
  await db.deleteFrom('unpaid_cpu').where('payer', '=', accountId).execute();
  await db.deleteFrom('usage_day').where('account_id', '=', accountId).execute();
  return { forecasts: removed.length, canceled, handedOver: kept.length };
}

/**
 * Removes the forecasts that meet a condition, also from the scopes of workspaces. Unfinished
 * ones are canceled first. Lock the workspaces first.
 */
export async function removeForecasts(
  context: QueueContext,
  tx: Transaction,
  condition: RawBuilder<boolean>,
  now: Date,
): Promise<RemovedForecasts> {
  const canceled = await cancelAll(context, tx, condition, now);
  const removed = await removeAll(context, tx, condition);
  await removeFromAllScopes(tx, removed);
  return { forecasts: removed.length, canceled };
}

/** Removes forecasts from the scopes of their workspaces. */
async function removeFromAllScopes(
  tx: Transaction,
  removed: readonly { readonly id: string; readonly workspace_id: string | null }[],
): Promise<void> {
  for (const [workspaceId, forecasts] of Map.groupBy(removed, ({ workspace_id }) => workspace_id)) {
    if (workspaceId === null) continue;
    await removeFromScopes(
      tx,
      workspaceId,
      'forecasts',
      forecasts.map(({ id }) => id),
    );
  }
}

/** Cancels the unfinished forecasts that meet a condition. Returns their number. */
export async function cancelAll(
  { queue }: QueueContext,
  tx: Transaction,
  condition: RawBuilder<boolean>,
  now: Date,
): Promise<number> {
  const unfinished = await tx
    .query<ForecastTables>()
    .selectFrom('forecast')
    .select(['id', 'job_id', 'queue'])
    .where(condition)
    .where('status', 'in', ['queued', 'running'])
    // All forecasts are locked before any slot, because a worker that ends a forecast locks the forecast and then the
    // slot. They are locked in the order of their slots, because concurrent removals in different orders would
    // deadlock.
    .orderBy('payer')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  for (const { id, job_id, queue: name } of unfinished) {
    if (!(await failForecast(tx, id, CANCELED, now))) throw new Error(`The forecast ${id} ended while it was locked.`);
    await queue.cancel(tx, queueOf({ queue: name }), job_id);
    count('forecasts_failed_total', { code: CANCELED.code });
  }
  return unfinished.length;
}

/**
 * Removes the finished forecasts that meet a condition with their queue entries, folds their charges and releases their
 * snapshots.
 */
async function removeAll({ queue }: QueueContext, tx: Transaction, condition: RawBuilder<boolean>) {
  const removed = await tx
    .query<ForecastTables>()
    .deleteFrom('forecast')
    .where(condition)
    .returning(['id', 'job_id', 'queue', 'workspace_id', 'status'])
    .execute();
  if (removed.length === 0) return removed;
  const ids = removed.map(({ id }) => id);
  await foldCharges(tx, ids);
  const released = removed.filter(({ status }) => status === 'failed').map(({ id }) => id);
  await removeMemberCharges(tx, released);
  await releaseSnapshots(tx, ids);
  for (const [name, jobs] of Map.groupBy(removed, queueOf)) {
    await queue.remove(
      tx,
      name,
      jobs.map(({ job_id }) => job_id),
    );
  }
  return removed;
}
