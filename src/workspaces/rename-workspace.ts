import type { Account } from '../access/index.ts';
import type { WorkspaceContext } from './context.ts';
import type { MembershipView } from './membership-view.ts';
import { lockPlace, requirePlace } from './place.ts';
import { viewChanged } from './read-workspace.ts';
import type { WorkspaceTables } from './tables.ts';

/** Gives a workspace another name. Its slug stays: it is in addresses that people have kept. */
export async function renameWorkspace(
  { database, clock }: WorkspaceContext,
  principal: Account,
  workspaceIdOrSlug: string,
  { name }: { readonly name: string },
): Promise<MembershipView> {
  const { workspaceId } = await requirePlace(database, principal, workspaceIdOrSlug, 'workspace.update');
  return database.transaction(async (tx) => {
    await lockPlace(tx, principal, workspaceId, 'workspace.update');
    await tx
      .query<WorkspaceTables>()
      .updateTable('workspace')
      .set({ name, updated_at: clock.now() })
      .where('id', '=', workspaceId)
      .execute();
    return viewChanged(tx, principal, workspaceId);
  });
}
