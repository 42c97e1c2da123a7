import { Fault } from '../../contract/index.ts';
import type { Transaction } from '../../platform/index.ts';
import type { WorkspaceTables } from '../tables.ts';

export function noCollaborator(): Fault {
  return new Fault('NOT_FOUND', 'No member or open invitation of this workspace has this id.');
}

/** A workspace has an owner at any moment, with every permission. */
export async function refuseOwner(
  tx: Transaction,
  { workspaceId, collaboratorId }: { readonly workspaceId: string; readonly collaboratorId: string },
): Promise<void> {
  const owner = await tx
    .query<WorkspaceTables>()
    .selectFrom('workspace_member')
    .select('id')
    .where('id', '=', collaboratorId)
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', 'owner')
    .executeTakeFirst();
  if (owner) throw new Fault('CONFLICT', 'This is the owner. Transfer the workspace to another member first.');
}
