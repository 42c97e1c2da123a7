import type { Account } from '../../access/index.ts';
import type { CollaboratorRole } from '../../contract/index.ts';
import type { Transaction } from '../../platform/index.ts';
import type { WorkspaceContext } from '../context.ts';
import { lockPlace, requirePlace } from '../place.ts';
import { asShownTo } from '../shown-scopes.ts';
import type { WorkspaceTables } from '../tables.ts';
import { findMembers } from './find-collaborators.ts';
import { noCollaborator, refuseOwner } from './refuse-owner.ts';
import { columnsOf, type ScopeChoice, type ScopeColumns } from './resource-scope.ts';
import { type CollaboratorView, INVITATION_COLUMNS, viewInvitation } from './view-collaborator.ts';

export interface CollaboratorChange {
  readonly role?: CollaboratorRole | undefined;
  readonly scope?: ScopeChoice | undefined;
}

type Change = Partial<ScopeColumns & { role: CollaboratorRole }>;

interface Place {
  readonly workspaceId: string;
  readonly collaboratorId: string;
}

/** Changes what a member may do, or what somebody who is invited will be able to do. What is left out stays. */
export async function updateCollaborator(
  context: WorkspaceContext,
  principal: Account,
  workspaceIdOrSlug: string,
  collaboratorId: string,
  { role, scope = {} }: CollaboratorChange,
): Promise<CollaboratorView> {
  const { database, clock } = context;
  const { workspaceId } = await requirePlace(database, principal, workspaceIdOrSlug, 'members.manage');
  const place = { workspaceId, collaboratorId };
  return database.transaction(async (tx) => {
    await lockPlace(tx, principal, workspaceId, 'members.manage');
    const { accountId } = principal;
    const change = { ...(role && { role }), ...(await columnsOf(context, tx, { workspaceId, accountId }, scope)) };
    const changed = (await changeMember(tx, place, change)) ?? (await changeInvitation(tx, place, change, clock.now()));
    const [shown] = await asShownTo(context, tx, accountId, changed ? [changed] : []);
    if (shown) return shown;
    await refuseOwner(tx, place);
    throw noCollaborator();
  });
}

async function changeMember(
  tx: Transaction,
  { workspaceId, collaboratorId }: Place,
  change: Change,
): Promise<CollaboratorView | undefined> {
  const changed = await tx
    .query<WorkspaceTables>()
    .updateTable('workspace_member')
    .set((eb) => ({ role: eb.ref('role'), ...change }))
    .where('id', '=', collaboratorId)
    .where('workspace_id', '=', workspaceId)
    .where('role', '<>', 'owner')
    .returning('id')
    .executeTakeFirst();
  return changed && (await findMembers(tx, workspaceId, collaboratorId))[0];
}

async function changeInvitation(
  tx: Transaction,
  { workspaceId, collaboratorId }: Place,
  change: Change,
  now: Date,
): Promise<CollaboratorView | undefined> {
  const changed = await tx
    .query<WorkspaceTables>()
    .updateTable('workspace_invitation')
    .set((eb) => ({ role: eb.ref('role'), ...change }))
    .where('id', '=', collaboratorId)
    .where('workspace_id', '=', workspaceId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(INVITATION_COLUMNS)
    .executeTakeFirst();
  return changed && viewInvitation(changed);
}
