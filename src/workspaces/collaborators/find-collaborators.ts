import type { Executor } from '../../platform/index.ts';
import type { WorkspaceTables } from '../tables.ts';
import { type CollaboratorView, INVITATION_COLUMNS, viewInvitation, viewMember } from './view-collaborator.ts';

interface Tables extends WorkspaceTables {
  account: { id: string; email: string };
}

/** The members of a workspace, all or one, in the order in which they came. */
export async function findMembers(
  executor: Executor,
  workspaceId: string,
  collaboratorId?: string,
): Promise<CollaboratorView[]> {
  const rows = await executor
    .query<Tables>()
    .selectFrom('workspace_member as member')
    .innerJoin('account', 'account.id', 'member.account_id')
    .selectAll('member')
    .select('account.email')
    .where('member.workspace_id', '=', workspaceId)
    .$if(collaboratorId !== undefined, (query) => query.where('member.id', '=', collaboratorId as string))
    .orderBy('member.created_at')
    .orderBy('member.id')
    .execute();
  return rows.map(viewMember);
}

/** The invitations of a workspace that wait for an answer, in the order in which they were sent. */
export async function findInvitations(executor: Executor, workspaceId: string, now: Date): Promise<CollaboratorView[]> {
  const rows = await executor
    .query<WorkspaceTables>()
    .selectFrom('workspace_invitation')
    .select(INVITATION_COLUMNS)
    .where('workspace_id', '=', workspaceId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(viewInvitation);
}
