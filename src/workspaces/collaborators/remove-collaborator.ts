import type { Account } from '../../access/index.ts';
import type { Transaction } from '../../platform/index.ts';
import type { WorkspaceContext } from '../context.ts';
import { collaboratorNotFound } from '../faults.ts';
import { endInvitation } from '../invitations/end-invitation.ts';
import { findMembership, lockMembership, requirePermission } from '../memberships.ts';
import type { WorkspaceTables } from '../tables.ts';
import { type CollaboratorKey, refuseOwnerChange } from './update-collaborator.ts';

/**
 * Removes a member or withdraws an invitation, effective with the next request in every process. The account and its keys stay
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
    const invitation = { id: collaboratorId, workspace_id: workspaceId, kind: 'invitation' } as const;
    if (await endInvitation(tx, invitation, clock.now())) return;
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
