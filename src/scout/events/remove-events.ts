import { type RawBuilder, sql } from 'kysely';
import type { Executor, Transaction } from '../../platform/index.ts';
import { releaseSnapshots } from '../../snapshots/index.ts';
import type { ScoutTables } from '../tables.ts';

/** Removes all events of a workspace in the transaction that removes the workspace. Returns their number. */
export function removeWorkspaceEvents(tx: Transaction, workspaceId: string): Promise<number> {
  return removeAll(tx, sql`workspace_id = ${workspaceId}`);
}

/** Returns how many events a workspace has, and how many of them are not resolved yet. */
export function countWorkspaceEvents(
  executor: Executor,
  workspaceId: string,
): Promise<{ readonly events: number; readonly pendingEvents: number }> {
  return executor
    .query<ScoutTables>()
    .selectFrom('event_forecast')
    .select([
      sql<number>`count(*)`.as('events'),
      sql<number>`count(*) FILTER (WHERE status = 'pending')`.as('pendingEvents'),
    ])
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow();
}

/**
 * Removes the events of an author, in the transaction that removes the account, after its own workspaces. Events that it
 * shared in workspaces of others stay there, like its forecasts, and belong to the owners of the workspaces. Revisions
 * and history entries are never changed, so they keep the id of the account. Lock the workspaces first.
 */
export async function removeAccountEvents(
  tx: Transaction,
  accountId: string,
): Promise<{ readonly events: number; readonly handedOver: number }> {
  // The requested slug is cleared, because the owner of the workspace may have requested it for another event.
  const { rows: kept } = await sql`
    UPDATE event_forecast SET author_account_id = workspace.owner_account_id, asked_slug = NULL
    FROM workspace
    WHERE workspace.id = event_forecast.workspace_id AND event_forecast.author_account_id = ${accountId}
      AND event_forecast.visibility <> 'private'
    RETURNING event_forecast.id`.execute(tx.query());
  const events = await removeAll(tx, sql`author_account_id = ${accountId}`);
  return { events, handedOver: kept.length };
}

async function removeAll(tx: Transaction, condition: RawBuilder<boolean>): Promise<number> {
  const removed = await tx.query<ScoutTables>().deleteFrom('event_forecast').where(condition).returning('id').execute();
  await releaseSnapshots(
    tx,
    removed.map(({ id }) => id),
  );
  return removed.length;
}
