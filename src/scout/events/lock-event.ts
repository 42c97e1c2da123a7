import type { Account } from '../../access/index.ts';
import { Fault } from '../../contract/index.ts';
import type { Executor, Transaction } from '../../platform/index.ts';
import { lockPlace } from '../../workspaces/index.ts';
import type { EventRow, ScoutTables } from '../tables.ts';
import { allowedEvent, type EventOperation, type EventPlace, noSuchEvent } from './find-event.ts';

/**
 * The event inside a transaction that changes it, with its row locked. The caller's place in its workspace is asked for
 * again, where it cannot be lost before the end: the workspace is locked first, as everywhere.
 *
 * @param found as `findEvent` gave it
 */
export async function lockEvent(
  tx: Transaction,
  principal: Account,
  found: EventPlace,
  operation: EventOperation,
): Promise<EventRow> {
  if (found.workspace_id !== null) await lockWorkspaceOf(tx, principal, found.workspace_id);
  const row = await lockEventRow(tx, found.id);
  return allowedEvent(tx, principal, operation, row);
}

/** Locks the workspace; what the place allows is decided with the event, in words that fit it. */
async function lockWorkspaceOf(tx: Transaction, principal: Account, workspaceId: string): Promise<void> {
  try {
    await lockPlace(tx, principal, workspaceId, 'event.read');
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
  }
}

/** @returns undefined when it was removed in the meantime */
export async function lockEventRow(tx: Transaction, id: string): Promise<EventRow | undefined> {
  return tx
    .query<ScoutTables>()
    .selectFrom('event_forecast')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

/** The event as it is now, for whoever has just changed it. */
export async function readEventRow(executor: Executor, id: string): Promise<EventRow> {
  const row = await executor
    .query<ScoutTables>()
    .selectFrom('event_forecast')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw noSuchEvent();
  return row;
}
