import type { Account } from '../../access/index.ts';
import type { Transaction } from '../../platform/index.ts';
import type { WorkspaceContext } from '../context.ts';
import { collaboratorNotFound } from '../faults.ts';
import { findMembership, lockMembership, requirePermission } from '../memberships.ts';
import type { WorkspaceTables } from '../tables.ts';
import { type CollaboratorKey, refuseOwnerChange } from './update-collaborator.ts';

/**
 * Removes a member or an invitation, effective with the next request in every process. The account and its keys stay
 * valid, and its files and forecasts stay in the workspace. Members may remove themselves.
 *
 * @returns the id of the workspace
 */
export async function removeCollaborator(
  { database, clock }: WorkspaceContext,
  principal: Account,
  workspaceIdOrSlug: string,
  collaboratorId: string,
): Promise<string> {
  const own = await findMembership(database, principal.accountId, workspaceIdOrSlug);
  const action = own?.collaboratorId === collaboratorId ? 'members.leave' : 'members.manage';
  const { workspaceId } = requirePermission(principal, own, action);
  await database.transaction(async (tx) => {
    await lockMembership(tx, principal, workspaceId, action);
    const key = { workspaceId, collaboratorId };
    if (await removeMember(tx, key)) return;
    if (await endInvitation(tx, key, clock.now())) return;
    await refuseOwnerChange(tx, key);
    throw collaboratorNotFound();
  });
  return workspaceId;
}

async function removeMember(tx: Transaction, { workspaceId, collaboratorId }: CollaboratorKey): Promise<boolean> {
  const removed = await tx
    .query<WorkspaceTables>()
    .deleteFrom('workspace_member')
    .where('id', '=', collaboratorId)
    .where('workspace_id', '=', workspaceId)
    .where('role', '<>', 'owner')
    .returning('id')
    .executeTakeFirst();
  return removed !== undefined;
}

/** Ends an open invitation, so that its link stops working. Returns false if there is none. */
async function endInvitation(
  tx: Transaction,
  { workspaceId, collaboratorId }: CollaboratorKey,
  now: Date,
): Promise<boolean> {
  const ended = await tx
    .query<WorkspaceTables>()
    .updateTable('workspace_invitation')
    .set({ ended_at: now, secret_hash: null })
    .where('id', '=', collaboratorId)
    .where('workspace_id', '=', workspaceId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('id')
    .executeTakeFirst();
  return ended !== undefined;
}
