import { type Account, decide } from '../access/index.ts';
import { type Action, Fault } from '../contract/index.ts';
import type { Executor, Transaction } from '../platform/index.ts';
import { type FoundMembership, findMembership } from './find-membership.ts';
import type { WorkspaceTables } from './tables.ts';

/** The same words whether there is no such workspace, no place in it, or a place that does not allow this. */
export function workspaceDenied(): Fault {
  return new Fault('WORKSPACE_DENIED', 'The workspace does not exist, or your place in it does not allow this.');
}

/**
 * The caller's place in the workspace with this id or slug, if it allows the action. One statement for everybody.
 *
 * @param id of the file or forecast that the action is about
 */
export async function requirePlace(
  executor: Executor,
  principal: Account,
  workspaceIdOrSlug: string,
  action: Action,
  id?: string,
): Promise<FoundMembership> {
  const membership = await findMembership(executor, principal.accountId, workspaceIdOrSlug);
  return requireAllowed(principal, membership, action, id);
}

/** The same for a place that was looked up before: null where the caller has none. */
export function requireAllowed(
  principal: Account,
  membership: FoundMembership | null,
  action: Action,
  id?: string,
): FoundMembership {
  const resource = { membership, ...(id !== undefined && { id }) };
  if (membership === null || !decide(principal, action, resource).allowed) throw workspaceDenied();
  return membership;
}

/**
 * The same inside a transaction that changes something in the workspace, its people included. All of these begin here
 * and take turns: what is decided holds until the end of the transaction, whoever is removed or given another role in
 * the meantime, and since the workspace is always locked first, none waits for another in a circle.
 *
 * @param workspaceId its id, not its slug
 */
export async function lockPlace(
  tx: Transaction,
  principal: Account,
  workspaceId: string,
  action: Action,
  id?: string,
): Promise<FoundMembership> {
  await lockWorkspace(tx, workspaceId);
  // A statement of its own: it must see what was committed while the lock was waited for.
  return requirePlace(tx, principal, workspaceId, action, id);
}

/** @returns false when there is none */
export async function lockWorkspace(tx: Transaction, workspaceId: string): Promise<boolean> {
  const row = await tx
    .query<WorkspaceTables>()
    .selectFrom('workspace')
    .select('id')
    .where('id', '=', workspaceId)
    // Rows that merely refer to the workspace can be added meanwhile; a removal waits.
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}
