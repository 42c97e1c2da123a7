import type { z } from 'zod';
import type { Account } from '../access/index.ts';
import type { PendingTransfer } from '../contract/index.ts';
import type { Transaction } from '../platform/index.ts';
import type { WorkspaceContext } from './context.ts';
import { FULL_SCOPE_COLUMNS } from './create-workspace.ts';
import {
  alreadyOwner,
  newOwnerNotFound,
  newOwnerNotVerified,
  personalWorkspaceNotTransferable,
  transferNotFound,
} from './faults.ts';
import { createInvitation } from './invitations/create-invitation.ts';
import { endInvitation } from './invitations/end-invitation.ts';
import { checkMembershipLimit } from './limits.ts';
import { lockMembership, requireMembership } from './memberships.ts';
import type { WorkspaceInvitationTable, WorkspaceTables } from './tables.ts';
import { type MembershipView, viewChangedWorkspace } from './workspace-views.ts';

/** A transfer that the receiving member has not answered yet. */
export type TransferView = z.output<typeof PendingTransfer>;

/** A workspace with its open transfer. */
export type OfferedWorkspace = MembershipView & { readonly transfer: TransferView };

interface Tables extends WorkspaceTables {
  account: { id: string; email: string; email_verified: boolean };
}

/**
 * Invites a member to become the owner. Nothing changes until the member accepts: `takeOwnership` then makes the
 * transfer. Replaces a transfer that is still open.
 */
export async function transferWorkspace(
  context: WorkspaceContext,
  principal: Account,
  workspaceIdOrSlug: string,
  { collaboratorId }: { readonly collaboratorId: string },
): Promise<OfferedWorkspace> {
  const { database } = context;
  const { accountId } = principal;
  const { workspaceId } = await requireMembership(database, principal, workspaceIdOrSlug, 'workspace.transfer');
  return database.transaction(async (tx) => {
    const { isPersonal } = await lockMembership(tx, principal, workspaceId, 'workspace.transfer');
    if (isPersonal) throw personalWorkspaceNotTransferable();
    const { email } = await findReceiver(tx, workspaceId, collaboratorId);
    // The limits of the receiver are checked when it accepts, because they are not for the owner to know.
    await checkMembershipLimit(tx, accountId, 'joined', 'Your account');
    const invitation = await createInvitation(context, tx, {
      kind: 'ownership',
      workspace_id: workspaceId,
      email,
      role: 'owner',
      ...FULL_SCOPE_COLUMNS,
      added_by: accountId,
      member_id: collaboratorId,
    });
    return { ...(await viewChangedWorkspace(tx, principal, workspaceId)), transfer: viewTransfer(invitation) };
  });
}

/** Returns the member that is to own the workspace. Throws a fault if the member cannot own it. */
async function findReceiver(tx: Transaction, workspaceId: string, collaboratorId: string): Promise<{ email: string }> {
  const receiver = await tx
    .query<Tables>()
    .selectFrom('workspace_member as member')
    .innerJoin('account', 'account.id', 'member.account_id')
    .select(['member.role', 'account.email', 'account.email_verified'])
    .where('member.id', '=', collaboratorId)
    .where('member.workspace_id', '=', workspaceId)
    .executeTakeFirst();
  if (receiver === undefined) throw newOwnerNotFound();
  if (receiver.role === 'owner') throw alreadyOwner();
  if (!receiver.email_verified) throw newOwnerNotVerified();
  return receiver;
}

/** Returns the open transfer of a workspace. Throws a fault if there is none. */
export async function readTransfer(
  { database, clock }: Pick<WorkspaceContext, 'database' | 'clock'>,
  principal: Account,
  workspaceIdOrSlug: string,
): Promise<TransferView> {
  const { workspaceId } = await requireMembership(database, principal, workspaceIdOrSlug, 'workspace.read_transfer');
  const invitation = await database
    .query<WorkspaceTables>()
    .selectFrom('workspace_invitation')
    .select(['id', 'member_id', 'email', 'created_at', 'expires_at'])
    .where('workspace_id', '=', workspaceId)
    .where('kind', '=', 'ownership')
    .where('ended_at', 'is', null)
    .where('expires_at', '>', clock.now())
    .executeTakeFirst();
  if (invitation === undefined) throw transferNotFound();
  return viewTransfer(invitation);
}

/** Withdraws the open transfer of a workspace. Throws a fault if there is none, or if it was just accepted. */
export async function withdrawTransfer(
  { database, clock }: Pick<WorkspaceContext, 'database' | 'clock'>,
  principal: Account,
  workspaceIdOrSlug: string,
): Promise<{ readonly invitationId: string; readonly workspaceId: string }> {
  const { workspaceId } = await requireMembership(database, principal, workspaceIdOrSlug, 'workspace.transfer');
  return database.transaction(async (tx) => {
    await lockMembership(tx, principal, workspaceId, 'workspace.transfer');
    const ended = await endInvitation(tx, { workspace_id: workspaceId, kind: 'ownership' }, clock.now());
    if (ended === null) throw transferNotFound();
    return { invitationId: ended.id, workspaceId };
  });
}

type TransferRow = Pick<WorkspaceInvitationTable, 'id' | 'member_id' | 'email' | 'created_at' | 'expires_at'>;

function viewTransfer({ id, member_id, email, created_at, expires_at }: TransferRow): TransferView {
  if (member_id === null) throw new Error(`The transfer ${id} names no member.`);
  return {
    invitation_id: id,
    collaborator_id: member_id,
    email,
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
  };
}
