import type { Account } from '../access/index.ts';
import { Fault } from '../contract/index.ts';
import type { Transaction } from '../platform/index.ts';
import type { WorkspaceContext } from './context.ts';
import { WHOLE_PLACE } from './insert-workspace.ts';
import { refuseBeyondLimit } from './limits.ts';
import type { MembershipView } from './membership-view.ts';
import { lockPlace, requirePlace } from './place.ts';
import { viewChanged } from './read-workspace.ts';
import type { WorkspaceTables } from './tables.ts';

interface Tables extends WorkspaceTables {
  account: { id: string; email_verified: boolean };
}

/** Makes a member the owner; the owner until now becomes an editor of everything. There is one owner at any moment. */
export async function transferWorkspace(
  { database, clock }: WorkspaceContext,
  principal: Account,
  workspaceIdOrSlug: string,
  { collaboratorId }: { readonly collaboratorId: string },
): Promise<MembershipView> {
  const { workspaceId } = await requirePlace(database, principal, workspaceIdOrSlug, 'workspace.transfer');
  return database.transaction(async (tx) => {
    const owner = await lockPlace(tx, principal, workspaceId, 'workspace.transfer');
    if (owner.isPersonal) {
      throw new Fault('CONFLICT', 'This is your personal workspace. It cannot be given away; make another one.');
    }
    const receiver = await findReceiver(tx, workspaceId, collaboratorId);
    // In one order, whoever gives to whom: two who give to each other at once must not wait for each other.
    const checks = [
      () => refuseBeyondLimit(tx, receiver.account_id, 'owned', 'The member'),
      () => refuseBeyondLimit(tx, principal.accountId, 'joined', 'Your account'),
    ];
    for (const check of receiver.account_id < principal.accountId ? checks : checks.toReversed()) await check();
    const db = tx.query<WorkspaceTables>();
    await db
      .updateTable('workspace_member')
      .set({ role: 'editor', ...WHOLE_PLACE })
      .where('id', '=', owner.collaboratorId)
      .execute();
    await db
      .updateTable('workspace_member')
      .set({ role: 'owner', ...WHOLE_PLACE })
      .where('id', '=', collaboratorId)
      .execute();
    await db
      .updateTable('workspace')
      .set({ owner_account_id: receiver.account_id, updated_at: clock.now() })
      .where('id', '=', workspaceId)
      .execute();
    return viewChanged(tx, principal, workspaceId);
  });
}

/** The member who is to own the workspace, if it can be owned by that member. */
async function findReceiver(tx: Transaction, workspaceId: string, collaboratorId: string) {
  const receiver = await tx
    .query<Tables>()
    .selectFrom('workspace_member as member')
    .innerJoin('account', 'account.id', 'member.account_id')
    .select(['member.account_id', 'member.role', 'account.email_verified'])
    .where('member.id', '=', collaboratorId)
    .where('member.workspace_id', '=', workspaceId)
    .executeTakeFirst();
  if (receiver === undefined) {
    throw new Fault('NOT_FOUND', 'No member of this workspace has this collaborator_id.');
  }
  if (receiver.role === 'owner') throw new Fault('CONFLICT', 'This member owns the workspace already.');
  if (!receiver.email_verified) {
    throw new Fault('CONFLICT', 'The e-mail address of this member is not verified. It must be, to own a workspace.');
  }
  return receiver;
}
