import type { Account } from '../access/index.ts';
import { Fault } from '../contract/index.ts';
import type { WorkspaceContext } from './context.ts';
import { lockPlace, requirePlace } from './place.ts';
import type { WorkspaceTables } from './tables.ts';

/**
 * Removes a workspace with everything in it: running forecasts are canceled first, then forecasts, files, places and
 * invitations go, all in one transaction.
 *
 * @returns its id
 */
export async function deleteWorkspace(
  { database, clock, onWorkspaceRemoved }: WorkspaceContext,
  principal: Account,
  workspaceIdOrSlug: string,
): Promise<string> {
  const { workspaceId } = await requirePlace(database, principal, workspaceIdOrSlug, 'workspace.delete');
  await database.transaction(async (tx) => {
    const { isPersonal } = await lockPlace(tx, principal, workspaceId, 'workspace.delete');
    if (isPersonal) {
      throw new Fault('CONFLICT', 'This is your personal workspace. It stays as long as your account does.');
    }
    await onWorkspaceRemoved(tx, workspaceId, clock.now());
    await tx.query<WorkspaceTables>().deleteFrom('workspace').where('id', '=', workspaceId).execute();
  });
  return workspaceId;
}
