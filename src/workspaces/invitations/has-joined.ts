import type { Account } from '../../access/index.ts';
import type { WorkspaceContext } from '../context.ts';
import type { WorkspaceTables } from '../tables.ts';

/**
 * Whether the account has a place by this invitation, which keeps its id, or got one in the same workspace in another way
 * before it could use it.
 */
export async function hasJoined(
  { database }: Pick<WorkspaceContext, 'database'>,
  account: Account,
  invitationId: string,
): Promise<boolean> {
  const place = await database
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
  return place !== undefined;
}
