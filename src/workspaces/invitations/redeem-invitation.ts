import type { Account } from '../../access/index.ts';
import type { Transaction } from '../../platform/index.ts';
import type { WorkspaceContext } from '../context.ts';
import { checkMembershipLimit } from '../limits.ts';
import { lockWorkspace } from '../memberships.ts';
import type { WorkspaceTables } from '../tables.ts';
import { type InvitationKey, isInvitedAccount, type OpenInvitation, readInvitation } from './read-invitation.ts';

/**
 * Makes the invited account a member. Returns null if the invitation was already accepted, was removed or has expired, or
 * if it is for another account. Of several concurrent requests, one succeeds.
 */
export async function redeemInvitation(
  context: WorkspaceContext,
  account: Account,
  key: InvitationKey,
): Promise<OpenInvitation | null> {
  const invitation = await readInvitation(context, account, key);
  if (invitation === null || !isInvitedAccount(invitation, account)) return null;
  const now = context.clock.now();
  return context.database.transaction(async (tx) => {
    // The workspace is locked first, as in every transaction, because different orders could deadlock.
    if (!(await lockWorkspace(tx, invitation.workspaceId))) return null;
    const membership = await useInvitation(tx, invitation.id, now);
    if (membership === null) return null;
    await checkMembershipLimit(tx, account.accountId, 'joined', 'Your account');
    await tx
      .query<WorkspaceTables>()
      .insertInto('workspace_member')
      .values({ ...membership, workspace_id: invitation.workspaceId, account_id: account.accountId, created_at: now })
      // If the account has become a member in another way in the meantime, it keeps that membership.
      .onConflict((conflict) => conflict.constraint('workspace_member_once').doNothing())
      .execute();
    return invitation;
  });
}

/** Marks an open invitation as used. Returns its current role and scope, which may have changed since it was read. */
async function useInvitation(tx: Transaction, id: string, now: Date) {
  const ended = await tx
    .query<WorkspaceTables>()
    .updateTable('workspace_invitation')
    .set({ ended_at: now, secret_hash: null })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['id', 'role', 'csv_scope_mode', 'csv_scope_ids', 'forecasts_scope_mode', 'forecasts_scope_ids'])
    .executeTakeFirst();
  return ended ?? null;
}
