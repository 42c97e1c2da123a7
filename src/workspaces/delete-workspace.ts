import type { Account } from '../access/index.ts';
import type { WorkspaceContext } from './context.ts';
import { personalWorkspaceNotDeletable } from './faults.ts';
import { lockMembership, requireMembership } from './memberships.ts';
import type { WorkspaceTables } from './tables.ts';

/**
 * Deletes a workspace with everything in it. In one transaction, it cancels the unfinished forecasts and removes all
 * forecasts, events, files, memberships and invitations.
 *
 * @returns the id of the workspace
 */
export async function deleteWorkspace(
  { database, clock, onWorkspaceRemoved }: WorkspaceContext,
  principal: Account,
  workspaceIdOrSlug: string,
): Promise<string> {
  const { workspaceId } = await requireMembership(database, principal, workspaceIdOrSlug, 'workspace.delete');
  await database.transaction(async (tx) => {
    const { isPersonal } = await lockMembership(tx, principal, workspaceId, 'workspace.delete');
    if (isPersonal) throw personalWorkspaceNotDeletable();
    await onWorkspaceRemoved(tx, workspaceId, clock.now());
    await tx.query<WorkspaceTables>().deleteFrom('workspace').where('id', '=', workspaceId).execute();
  });
  return workspaceId;
}
