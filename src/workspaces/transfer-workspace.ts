import type { Account } from '../access/index.ts';
import type { Transaction } from '../platform/index.ts';
import type { WorkspaceContext } from './context.ts';
import { FULL_SCOPE_COLUMNS } from './create-workspace.ts';
import { alreadyOwner, newOwnerNotFound, newOwnerNotVerified, personalWorkspaceNotTransferable } from './faults.ts';
import { checkMembershipLimit } from './limits.ts';
import { lockMembership, requireMembership } from './memberships.ts';
import type { WorkspaceTables } from './tables.ts';
import { type MembershipView, viewChangedWorkspace } from './workspace-views.ts';

interface Tables extends WorkspaceTables {
  account: { id: string; email_verified: boolean };
}

/** Makes a member the owner. The previous owner becomes an editor with access to everything. */
export async function transferWorkspace(
  { database, clock }: WorkspaceContext,
  principal: Account,
  workspaceIdOrSlug: string,
  { collaboratorId }: { readonly collaboratorId: string },
): Promise<MembershipView> {
  const { workspaceId } = await requireMembership(database, principal, workspaceIdOrSlug, 'workspace.transfer');
  return database.transaction(async (tx) => {
    const owner = await lockMembership(tx, principal, workspaceId, 'workspace.transfer');
    if (owner.isPersonal) throw personalWorkspaceNotTransferable();
    const receiver = await findReceiver(tx, workspaceId, collaboratorId);
    // Accounts are always locked in the same order, so that two owners that transfer to each other cannot deadlock.
    const checks = [
      () => checkMembershipLimit(tx, receiver.account_id, 'owned', 'The member'),
      () => checkMembershipLimit(tx, principal.accountId, 'joined', 'Your account'),
    ];
    for (const check of receiver.account_id < principal.accountId ? checks : checks.toReversed()) await check();
    const db = tx.query<WorkspaceTables>();
    await db
      .updateTable('workspace_member')
      .set({ role: 'editor', ...FULL_SCOPE_COLUMNS })
      .where('id', '=', owner.collaboratorId)
      .execute();
    await db
      .updateTable('workspace_member')
      .set({ role: 'owner', ...FULL_SCOPE_COLUMNS })
      .where('id', '=', collaboratorId)
      .execute();
    await db
      .updateTable('workspace')
      .set({ owner_account_id: receiver.account_id, updated_at: clock.now() })
      .where('id', '=', workspaceId)
      .execute();
    return viewChangedWorkspace(tx, principal, workspaceId);
  });
}

/** Returns the member that will own the workspace. Throws a fault if the member cannot own it. */
async function findReceiver(tx: Transaction, workspaceId: string, collaboratorId: string) {
  const receiver = await tx
    .query<Tables>()
    .selectFrom('workspace_member as member')
    .innerJoin('account', 'account.id', 'member.account_id')
    .select(['member.account_id', 'member.role', 'account.email_verified'])
    .where('member.id', '=', collaboratorId)
    .where('member.workspace_id', '=', workspaceId)
    .executeTakeFirst();
  if (receiver === undefined) throw newOwnerNotFound();
  if (receiver.role === 'owner') throw alreadyOwner();
  if (!receiver.email_verified) throw newOwnerNotVerified();
  return receiver;
}
