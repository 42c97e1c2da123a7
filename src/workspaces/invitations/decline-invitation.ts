import type { Account } from '../../access/index.ts';
import type { WorkspaceContext } from '../context.ts';
import { lockWorkspace } from '../memberships.ts';
import { endInvitation } from './end-invitation.ts';
import { type InvitationKey, isInvitedAccount, type OpenInvitation, readInvitation } from './read-invitation.ts';

/**
 * Ends an invitation without accepting it. Returns null in the same cases as `acceptInvitation`.
 */
export async function declineInvitation(
  context: Pick<WorkspaceContext, 'database' | 'clock'>,
  account: Account,
  key: InvitationKey,
): Promise<OpenInvitation | null> {
  const invitation = await readInvitation(context, account, key);
  if (invitation === null || !isInvitedAccount(invitation, account)) return null;
  const { id, workspaceId } = invitation;
  return context.database.transaction(async (tx) => {
    if (!(await lockWorkspace(tx, workspaceId))) return null;
    const declined = await endInvitation(tx, { id, workspace_id: workspaceId }, context.clock.now());
    return declined === null ? null : invitation;
  });
}
