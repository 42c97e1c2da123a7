import type { Account } from '../access/index.ts';
import type { WorkspaceContext } from './context.ts';
import { lockMembership, requireMembership } from './memberships.ts';
import type { WorkspaceTables } from './tables.ts';
import { type MembershipView, viewChangedWorkspace } from './workspace-views.ts';

/** Renames a workspace. Its slug does not change, so that stored URLs stay valid. */
export async function renameWorkspace(
  { database, clock }: WorkspaceContext,
  principal: Account,
  workspaceIdOrSlug: string,
  { name }: { readonly name: string },
): Promise<MembershipView> {
  const { workspaceId } = await requireMembership(database, principal, workspaceIdOrSlug, 'workspace.update');
  return database.transaction(async (tx) => {
    await lockMembership(tx, principal, workspaceId, 'workspace.update');
    await tx
      .query<WorkspaceTables>()
      .updateTable('workspace')
      .set({ name, updated_at: clock.now() })
      .where('id', '=', workspaceId)
      .execute();
    return viewChangedWorkspace(tx, principal, workspaceId);
  });
}
