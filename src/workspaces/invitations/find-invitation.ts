import type { CollaboratorRole } from '../../contract/index.ts';
import { hashSecret, isWellFormedSecret } from '../../identity/index.ts';
import type { Executor } from '../../platform/index.ts';
import type { WorkspaceContext } from '../context.ts';
import type { WorkspaceTables } from '../tables.ts';

/**
 * How somebody says which invitation is meant: by the secret of the link, or, on the way back from signing in, by its
 * id. An id is no secret and shows nothing by itself: see `readInvitation`.
 */
export type InvitationName = { readonly secret: string } | { readonly id: string };

export interface OpenInvitation {
  readonly id: string;
  readonly workspaceId: string;
  readonly workspace: string;
  /** The address of the one who invites. */
  readonly by: string;
  readonly email: string;
  readonly role: CollaboratorRole;
}

interface Tables extends WorkspaceTables {
  account: { id: string; email: string };
}

/** An invitation that can still be accepted. Says nothing about who may see it. */
export async function findOpenInvitation(
  executor: Executor,
  { clock }: Pick<WorkspaceContext, 'clock'>,
  name: InvitationName,
): Promise<OpenInvitation | null> {
  if ('secret' in name && !isWellFormedSecret(name.secret, 'alm_lnk_')) return null;
  const row = await executor
    .query<Tables>()
    .selectFrom('workspace_invitation as invitation')
    .innerJoin('workspace', 'workspace.id', 'invitation.workspace_id')
    .innerJoin('account as adder', 'adder.id', 'invitation.added_by')
    .select([
      'invitation.id',
      'workspace.id as workspaceId',
      'workspace.name as workspace',
      'adder.email as by',
      'invitation.email',
      'invitation.role',
    ])
    .where((where) =>
      'secret' in name
        ? where('invitation.secret_hash', '=', hashSecret(name.secret))
        : where('invitation.id', '=', name.id),
    )
    .where('invitation.ended_at', 'is', null)
    .where('invitation.expires_at', '>', clock.now())
    .executeTakeFirst();
  return row ?? null;
}
