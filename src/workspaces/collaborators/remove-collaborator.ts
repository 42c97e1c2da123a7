import type { Account } from '../../access/index.ts';
import type { Transaction } from '../../platform/index.ts';
import type { WorkspaceContext } from '../context.ts';
import { findMembership } from '../find-membership.ts';
import { lockPlace, requireAllowed } from '../place.ts';
import type { WorkspaceTables } from '../tables.ts';
import { noCollaborator, refuseOwner } from './refuse-owner.ts';

/**
 * Takes a member's place away, or an invitation back. From the next request on, in every process, the account has no
 * place here; it stays valid with its keys, and what it made here stays. Members may take their own place away.
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
  const { workspaceId } = requireAllowed(principal, own, action);
  await database.transaction(async (tx) => {
    await lockPlace(tx, principal, workspaceId, action);
    const place = { workspaceId, collaboratorId };
    if (await removeMember(tx, place)) return;
    if (await takeBack(tx, place, clock.now())) return;
    await refuseOwner(tx, place);
    throw noCollaborator();
  });
  return workspaceId;
}

interface Place {
  readonly workspaceId: string;
  readonly collaboratorId: string;
}

async function removeMember(tx: Transaction, { workspaceId, collaboratorId }: Place): Promise<boolean> {
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

/** Its link stops working. */
async function takeBack(tx: Transaction, { workspaceId, collaboratorId }: Place, now: Date): Promise<boolean> {
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
