import type { Account } from '../access/index.ts';
import type { Transaction } from '../platform/index.ts';
import type { RemovedContents, WorkspaceContext } from './context.ts';
import type { CsvTables } from './csv/tables.ts';
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
  context: WorkspaceContext,
  principal: Account,
  workspaceIdOrSlug: string,
): Promise<string> {
  const { database } = context;
  const { workspaceId } = await requireMembership(database, principal, workspaceIdOrSlug, 'workspace.delete');
  await database.transaction(async (tx) => {
    const { isPersonal } = await lockMembership(tx, principal, workspaceId, 'workspace.delete');
    if (isPersonal) throw personalWorkspaceNotDeletable();
    await removeWorkspace(context, tx, workspaceId);
  });
  return workspaceId;
}

/** Removes a workspace with everything in it. Lock the workspace first. Returns the numbers of what was in it. */
export async function removeWorkspace(
  { clock, onWorkspaceRemoved }: Pick<WorkspaceContext, 'clock' | 'onWorkspaceRemoved'>,
  tx: Transaction,
  workspaceId: string,
): Promise<RemovedContents & { readonly files: number }> {
  const contents = await onWorkspaceRemoved(tx, workspaceId, clock.now());
  const files = await tx
    .query<CsvTables>()
    .deleteFrom('csv_file')
    .where('workspace_id', '=', workspaceId)
    .returning('ready_at')
    .execute();
  await tx.query<WorkspaceTables>().deleteFrom('workspace').where('id', '=', workspaceId).execute();
  return { ...contents, files: files.filter(({ ready_at }) => ready_at !== null).length };
}
