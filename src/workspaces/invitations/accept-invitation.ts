import type { Account } from '../../access/index.ts';
import type { Transaction } from '../../platform/index.ts';
import { findExceededBudget, storageExceeded } from '../../snapshots/index.ts';
import type { WorkspaceContext } from '../context.ts';
import { checkMembershipLimit } from '../limits.ts';
import { lockWorkspace, readOwnerPlan } from '../memberships.ts';
import { accountBudget } from '../storage-budgets.ts';
import type { WorkspaceTables } from '../tables.ts';
import { endInvitation } from './end-invitation.ts';
import { type InvitationKey, isInvitedAccount, type OpenInvitation, readInvitation } from './read-invitation.ts';
import { takeOwnership } from './take-ownership.ts';

/**
 * Makes the invited account a member or the owner. Returns null if the invitation was already answered, was withdrawn
 * or has expired, or if it is for another account. Of several concurrent requests, one succeeds.
 */
export async function acceptInvitation(
  context: WorkspaceContext,
  account: Account,
  key: InvitationKey,
): Promise<OpenInvitation | null> {
  const invitation = await readInvitation(context, account, key);
  if (invitation === null || !isInvitedAccount(invitation, account)) return null;
  const { id, workspaceId } = invitation;
  const { accountId } = account;
  return context.database.transaction(async (tx) => {
    // The workspace is locked first, as in every transaction, because different orders could deadlock.
    if (!(await lockWorkspace(tx, workspaceId))) return null;
    const now = context.clock.now();
    const accepted = await endInvitation(tx, { id, workspace_id: workspaceId }, now);
    if (accepted === null) return null;
    const { kind, member_id: memberId, expires_at, ...membership } = accepted;
    if (kind === 'ownership') {
      if (!(await takeOwnership(tx, { workspaceId, memberId, accountId, now }))) return null;
      await requireStorage(context, tx, { workspaceId, accountId });
      return invitation;
    }
    await checkMembershipLimit(tx, accountId, 'joined', 'Your account');
    await tx
      .query<WorkspaceTables>()
      .insertInto('workspace_member')
      .values({ ...membership, workspace_id: workspaceId, account_id: accountId, created_at: now })
      // If the account has become a member in another way in the meantime, it keeps that membership.
      .onConflict((conflict) => conflict.constraint('workspace_member_once').doNothing())
      .execute();
    return invitation;
  });
}

/** Refuses a new owner that would store more than its plan allows, because everything in the workspace is now its own. */
async function requireStorage(
  { storage }: WorkspaceContext,
  tx: Transaction,
  { workspaceId, accountId }: { readonly workspaceId: string; readonly accountId: string },
): Promise<void> {
  const plan = await readOwnerPlan(tx, accountId, workspaceId);
  if (plan === null) throw new Error('A new owner is not a member.');
  const budget = await accountBudget(tx, storage, { id: accountId, plan });
  // Nothing of either account is removed to make room.
  const exceeded = await findExceededBudget(tx, accountId, [budget], async () => false);
  if (exceeded) throw storageExceeded(exceeded, true);
}
