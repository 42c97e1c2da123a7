import { sql } from 'kysely';
import type { Account } from '../../access/index.ts';
import type { Role } from '../../contract/index.ts';
import { hashSecret, isWellFormedSecret } from '../../identity/index.ts';
import type { Executor } from '../../platform/index.ts';
import type { WorkspaceContext } from '../context.ts';
import type { WorkspaceTables } from '../tables.ts';

/**
 * The secret of an invitation's link, or the id of the invitation, which the browser keeps during a sign-in. The id is
 * not a secret and does not give access on its own; see `readInvitation`.
 */
export type InvitationKey = { readonly secret: string } | { readonly id: string };

export interface OpenInvitation {
  readonly id: string;
  readonly isOwnership: boolean;
  readonly workspaceId: string;
  readonly workspaceName: string;
  /** The email address of the member that sent the invitation. */
  readonly senderEmail: string;
  readonly email: string;
  readonly role: Role;
}

interface InvitationTables extends WorkspaceTables {
  account: { id: string; email: string };
}

/**
 * Returns an invitation that can still be answered. With the secret, any caller can read it; with the id, only the
 * account whose verified address it was sent to. Does not change the invitation, because programs that scan emails also
 * open links.
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

/**
 * Returns whether the invited address is the verified address of an account. A forwarded email must not make others
 * members.
 */
export function isInvitedAccount({ email }: Pick<OpenInvitation, 'email'>, account: Account): boolean {
  return account.emailVerified && account.email === email;
}

/** Returns an invitation that can still be answered. Does not check whether the caller may read it. */
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
      sql<boolean>`invitation.kind = 'ownership'`.as('isOwnership'),
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
 * Returns whether the account has what this invitation offers: it is the owner of the workspace or, if the invitation
 * is not for the ownership, a member. Either it accepted the invitation, or it got there in another way.
 */
export async function hasAccepted(
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
            .whereRef('invitation.workspace_id', '=', 'member.workspace_id')
            .where((one) => one.or([one('invitation.kind', '<>', 'ownership'), one('member.role', '=', 'owner')])),
        ),
      ]),
    )
    .executeTakeFirst();
  return membership !== undefined;
}
