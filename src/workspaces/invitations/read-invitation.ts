import type { Account } from '../../access/index.ts';
import type { CollaboratorRole } from '../../contract/index.ts';
import { hashSecret, isWellFormedSecret } from '../../identity/index.ts';
import type { Executor } from '../../platform/index.ts';
import type { WorkspaceContext } from '../context.ts';
import type { WorkspaceTables } from '../tables.ts';

/**
 * Identifies an invitation: by the secret of its link, or by its id, which the browser carries through a sign-in. The
 * id is not a secret and alone gives access to nothing; see `readInvitation`.
 */
export type InvitationKey = { readonly secret: string } | { readonly id: string };

export interface OpenInvitation {
  readonly id: string;
  readonly workspaceId: string;
  readonly workspaceName: string;
  /** The email address of the member that sent it. */
  readonly senderEmail: string;
  readonly email: string;
  readonly role: CollaboratorRole;
}

interface InvitationTables extends WorkspaceTables {
  account: { id: string; email: string };
}

/**
 * Returns an invitation that can still be accepted: to any caller that has its secret, and by its id only to the account
 * whose verified address it was sent to. Changes nothing, because mail scanners open links as well.
 */
export async function readInvitation(
  context: Pick<WorkspaceContext, 'database' | 'clock'>,
  account: Account | null,
  key: InvitationKey,
): Promise<OpenInvitation | null> {
  const invitation = await findOpenInvitation(context.database, context, key);
  if (invitation === null || 'secret' in key) return invitation;
  return account !== null && isInvitedAccount(invitation, account) ? invitation : null;
}

/** Checks the verified address, so that a forwarded mail does not make another account a member. */
export function isInvitedAccount({ email }: Pick<OpenInvitation, 'email'>, account: Account): boolean {
  return account.emailVerified && account.email === email;
}

/** Returns an invitation that can still be accepted. Does not check whether the caller may see it. */
async function findOpenInvitation(
  executor: Executor,
  { clock }: Pick<WorkspaceContext, 'clock'>,
  key: InvitationKey,
): Promise<OpenInvitation | null> {
  if ('secret' in key && !isWellFormedSecret(key.secret, 'alm_lnk_')) return null;
  const row = await executor
    .query<InvitationTables>()
    .selectFrom('workspace_invitation as invitation')
    .innerJoin('workspace', 'workspace.id', 'invitation.workspace_id')
    .innerJoin('account as adder', 'adder.id', 'invitation.added_by')
    .select([
      'invitation.id',
      'workspace.id as workspaceId',
      'workspace.name as workspaceName',
      'adder.email as senderEmail',
      'invitation.email',
      'invitation.role',
    ])
    .where((where) =>
      'secret' in key
        ? where('invitation.secret_hash', '=', hashSecret(key.secret))
        : where('invitation.id', '=', key.id),
    )
    .where('invitation.ended_at', 'is', null)
    .where('invitation.expires_at', '>', clock.now())
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Returns whether the account is a member through this invitation, whose id the membership keeps, or became a member of
 * the same workspace in another way before it could accept.
 */
export async function hasJoined(
  { database }: Pick<WorkspaceContext, 'database'>,
  account: Account,
  invitationId: string,
): Promise<boolean> {
  const membership = await database
    .query<WorkspaceTables>()
    .selectFrom('workspace_member as member')
    .select('member.id')
    .where('member.account_id', '=', account.accountId)
    .where((where) =>
      where.or([
        where('member.id', '=', invitationId),
        where.exists(
          where
            .selectFrom('workspace_invitation as invitation')
            .select('invitation.id')
            .where('invitation.id', '=', invitationId)
            .where('invitation.email', '=', account.email)
            .whereRef('invitation.workspace_id', '=', 'member.workspace_id'),
        ),
      ]),
    )
    .executeTakeFirst();
  return membership !== undefined;
}
