import { type Account, decide, hasPermission, isAdministrator } from '../../access/index.ts';
import { type Action, type EventActor, Fault } from '../../contract/index.ts';
import type { Executor, Transaction } from '../../platform/index.ts';
import { findMembership, lockMembership } from '../../workspaces/index.ts';
import { eventNotFound, eventRoleDenied, notEventAuthor, notEventResolver } from '../faults.ts';
import type { EventRow, ScoutTables } from '../tables.ts';

type EventOperation = Extract<Action, 'event.read' | 'event.revise' | 'event.resolve'>;

/** The columns that determine what a caller may do. */
type EventAccess = Pick<EventRow, 'id' | 'author_account_id' | 'workspace_id' | 'visibility'>;

/**
 * Returns the event with this id or slug if the caller may perform the operation on it. An event that the caller cannot
 * see is reported as not found.
 */
export async function findEvent(
  executor: Executor,
  principal: Account,
  idOrSlug: string,
  operation: EventOperation,
): Promise<EventRow> {
  const row = await executor
    .query<ScoutTables>()
    .selectFrom('event_forecast')
    .selectAll()
    .where((where) => where.or([where('id', '=', idOrSlug), where('slug', '=', idOrSlug)]))
    .executeTakeFirst();
  return requireEventAccess(executor, principal, operation, row);
}

/**
 * Returns the event with its row locked, for a transaction that changes it. The workspace is locked and the access
 * check is repeated, so that the caller cannot lose the membership before the transaction ends. As in every other
 * transaction, the workspace is locked before the event.
 *
 * @param found the event that `findEvent` returned
 */
export async function lockEvent(
  tx: Transaction,
  principal: Account,
  found: EventAccess,
  operation: EventOperation,
): Promise<EventRow> {
  if (found.workspace_id !== null) await lockEventWorkspace(tx, principal, found.workspace_id);
  const row = await lockEventRow(tx, found.id);
  return requireEventAccess(tx, principal, operation, row);
}

/**
 * Locks the workspace of an event. Ignores a missing membership, because `requireEventAccess` checks it and throws the
 * right fault.
 */
async function lockEventWorkspace(tx: Transaction, principal: Account, workspaceId: string): Promise<void> {
  try {
    await lockMembership(tx, principal, workspaceId, 'event.read');
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
  }
}

/** @returns undefined if the event was removed in the meantime */
export async function lockEventRow(tx: Transaction, id: string): Promise<EventRow | undefined> {
  return tx
    .query<ScoutTables>()
    .selectFrom('event_forecast')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

/** An id that no workspace has. */
const NO_WORKSPACE = '';

async function requireEventAccess<Row extends EventAccess>(
  executor: Executor,
  principal: Account,
  operation: EventOperation,
  row: Row | undefined,
): Promise<Row> {
  // Queried even without an event, so that the response time does not reveal whether one exists.
  const membership = await findMembership(executor, principal.accountId, row?.workspace_id ?? NO_WORKSPACE);
  if (row === undefined) throw eventNotFound();
  const isOwn = isAuthor(principal, row);
  const canReadAsMember =
    row.workspace_id === null
      ? isOwn
      : membership !== null &&
        (row.visibility !== 'private' || isOwn) &&
        hasPermission(membership, 'forecast.read', row.id);
  if (row.visibility !== 'public' && !canReadAsMember) {
    throw isOwn && row.workspace_id !== null ? eventRoleDenied() : eventNotFound();
  }
  if (operation === 'event.read') return row;
  const isPermitted =
    row.workspace_id === null ? isOwn : decide(principal, operation, { membership, id: row.id }).allowed;
  if (operation === 'event.resolve') {
    // The owner can also resolve events of members that have left the workspace.
    const isOwner = membership?.role === 'owner';
    if (isAdministrator(principal) || ((isOwn || isOwner) && isPermitted)) return row;
    throw isOwn || isOwner ? eventRoleDenied() : notEventResolver();
  }
  if (isPermitted) return row;
  throw row.workspace_id !== null && (isOwn || canReadAsMember) ? eventRoleDenied() : notEventAuthor();
}

function isAuthor({ accountId }: Account, { author_account_id }: Pick<EventRow, 'author_account_id'>): boolean {
  return accountId === author_account_id;
}

/**
 * Returns the capacity in which a caller performs an operation, for the history. The caller must be allowed to perform
 * it.
 */
export function determineActor(principal: Account, row: EventAccess, operation: EventOperation): EventActor {
  if (isAuthor(principal, row)) return 'author';
  return operation === 'event.resolve' && isAdministrator(principal) ? 'administrator' : 'member';
}
