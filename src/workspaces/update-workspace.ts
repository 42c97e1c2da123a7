import type { Account } from '../access/index.ts';
import type { WorkspaceContext } from './context.ts';
import { lockMembership, requireMembership } from './memberships.ts';
import type { WorkspaceTables } from './tables.ts';
import { type MembershipView, viewChangedWorkspace } from './workspace-views.ts';

/** The fields to change. Fields that are undefined stay unchanged. */
export interface WorkspaceChange {
  readonly name?: string | undefined;
  /** The credits that each member other than the owner can use in a month; null removes the limit. */
  readonly memberCredits?: number | null | undefined;
}

/** Changes a workspace. Its slug does not change with its name, so that stored URLs stay valid. */
export async function updateWorkspace(
  { database, clock }: WorkspaceContext,
  principal: Account,
  workspaceIdOrSlug: string,
  { name, memberCredits }: WorkspaceChange,
): Promise<MembershipView> {
  const { workspaceId } = await requireMembership(database, principal, workspaceIdOrSlug, 'workspace.update');
  return database.transaction(async (tx) => {
    await lockMembership(tx, principal, workspaceId, 'workspace.update');
    await tx
      .query<WorkspaceTables>()
      .updateTable('workspace')
      .set({
        updated_at: clock.now(),
        ...(name !== undefined && { name }),
        ...(memberCredits !== undefined && { member_credits: memberCredits }),
      })
      .where('id', '=', workspaceId)
      .execute();
    return viewChangedWorkspace(tx, principal, workspaceId);
  });
}
