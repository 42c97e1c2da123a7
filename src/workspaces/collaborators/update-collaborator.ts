import type { Account } from '../../access/index.ts';
import type { CollaboratorRole } from '../../contract/index.ts';
import type { Transaction } from '../../platform/index.ts';
import type { WorkspaceContext } from '../context.ts';
import { collaboratorNotFound, ownerNotChangeable } from '../faults.ts';
import { lockMembership, requireMembership } from '../memberships.ts';
import type { WorkspaceTables } from '../tables.ts';
import { hidePrivateForecasts } from '../workspace-views.ts';
import {
  addCredits,
  type CollaboratorView,
  findMembers,
  INVITATION_COLUMNS,
  viewInvitation,
} from './list-collaborators.ts';
import { readScopeColumns, type ScopeChoice, type ScopeColumns } from './resource-scope.ts';

/** The fields to change. Fields that are undefined stay unchanged. */
export interface CollaboratorChange {
  readonly role?: CollaboratorRole | undefined;
  readonly scope?: ScopeChoice | undefined;
}

type ChangedColumns = Partial<ScopeColumns & { role: CollaboratorRole }>;

export interface CollaboratorKey {
  readonly workspaceId: string;
  readonly collaboratorId: string;
}

/** Changes the role or scope of a member, or of an open invitation. */
export async function updateCollaborator(
  context: WorkspaceContext,
  principal: Account,
  workspaceIdOrSlug: string,
  collaboratorId: string,
  { role, scope = {} }: CollaboratorChange,
): Promise<CollaboratorView> {
  const { database, clock } = context;
  const { workspaceId } = await requireMembership(database, principal, workspaceIdOrSlug, 'members.manage');
  const key = { workspaceId, collaboratorId };
  return database.transaction(async (tx) => {
    const membership = await lockMembership(tx, principal, workspaceId, 'members.manage');
    const { accountId } = principal;
    const scopeColumns = await readScopeColumns(context, tx, { workspaceId, accountId }, scope);
    const columns = { ...(role && { role }), ...scopeColumns };
    const changed = (await changeMember(tx, key, columns)) ?? (await changeInvitation(tx, key, columns, clock.now()));
    const shown = await hidePrivateForecasts(context, tx, accountId, changed ? [changed] : []);
    const [visible] = await addCredits(context, tx, principal, membership, shown);
    if (visible) return visible;
    await refuseOwnerChange(tx, key);
    throw collaboratorNotFound();
  });
}

async function changeMember(
  tx: Transaction,
  { workspaceId, collaboratorId }: CollaboratorKey,
  columns: ChangedColumns,
): Promise<CollaboratorView | undefined> {
  const changed = await tx
    .query<WorkspaceTables>()
    .updateTable('workspace_member')
    .set((eb) => ({ role: eb.ref('role'), ...columns }))
    .where('id', '=', collaboratorId)
    .where('workspace_id', '=', workspaceId)
    .where('role', '<>', 'owner')
    .returning('id')
    .executeTakeFirst();
  return changed && (await findMembers(tx, workspaceId, collaboratorId))[0];
}

async function changeInvitation(
  tx: Transaction,
  { workspaceId, collaboratorId }: CollaboratorKey,
  columns: ChangedColumns,
  now: Date,
): Promise<CollaboratorView | undefined> {
  const changed = await tx
    .query<WorkspaceTables>()
    .updateTable('workspace_invitation')
    .set((eb) => ({ role: eb.ref('role'), ...columns }))
    .where('id', '=', collaboratorId)
    .where('workspace_id', '=', workspaceId)
    .where('kind', '=', 'invitation')
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(INVITATION_COLUMNS)
    .executeTakeFirst();
  return changed && viewInvitation(changed);
}

/** Throws a fault if the collaborator is the owner, because a workspace always has an owner with every permission. */
export async function refuseOwnerChange(
  tx: Transaction,
  { workspaceId, collaboratorId }: CollaboratorKey,
): Promise<void> {
  const owner = await tx
    .query<WorkspaceTables>()
    .selectFrom('workspace_member')
    .select('id')
    .where('id', '=', collaboratorId)
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', 'owner')
    .executeTakeFirst();
  if (owner) throw ownerNotChangeable();
}
