import type { Account } from '../../access/index.ts';
import type { Transaction } from '../../platform/index.ts';
import type { WorkspaceContext } from '../context.ts';
import { refuseBeyondLimit } from '../limits.ts';
import { lockWorkspace } from '../place.ts';
import type { WorkspaceTables } from '../tables.ts';
import type { InvitationName, OpenInvitation } from './find-invitation.ts';
import { isFor, readInvitation } from './read-invitation.ts';

/**
 * Gives the account the place that it was invited to. Of any number that try, one gets it, once: null for the others,
 * for an invitation that was taken back or has expired, and for another account than the one that was invited.
 */
export async function redeemInvitation(
  context: WorkspaceContext,
  account: Account,
  name: InvitationName,
): Promise<OpenInvitation | null> {
  const invitation = await readInvitation(context, account, name);
  if (invitation === null || !isFor(invitation, account)) return null;
  const now = context.clock.now();
  return context.database.transaction(async (tx) => {
    // The workspace first, as everywhere: two that lock in different orders wait for each other.
    if (!(await lockWorkspace(tx, invitation.workspaceId))) return null;
    const place = await useInvitation(tx, invitation.id, now);
    if (place === null) return null;
    await refuseBeyondLimit(tx, account.accountId, 'joined', 'Your account');
    await tx
      .query<WorkspaceTables>()
      .insertInto('workspace_member')
      .values({ ...place, workspace_id: invitation.workspaceId, account_id: account.accountId, created_at: now })
      // Who has got a place in another way meanwhile keeps that one.
      .onConflict((conflict) => conflict.constraint('workspace_member_once').doNothing())
      .execute();
    return invitation;
  });
}

/** Uses it up, as it is now: its role may have been changed since it was shown. */
async function useInvitation(tx: Transaction, id: string, now: Date) {
  const used = await tx
    .query<WorkspaceTables>()
    .updateTable('workspace_invitation')
    .set({ ended_at: now, secret_hash: null })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['id', 'role', 'csv_scope_mode', 'csv_scope_ids', 'forecasts_scope_mode', 'forecasts_scope_ids'])
    .executeTakeFirst();
  return used ?? null;
}
