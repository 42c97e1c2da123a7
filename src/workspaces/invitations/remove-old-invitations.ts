import type { WorkspaceContext } from '../context.ts';
import type { WorkspaceTables } from '../tables.ts';

const DAY = 24 * 3_600_000;

/** Invitations that are over, a day after they were made: until then they still count as mails that were sent. */
export async function removeOldInvitations({
  database,
  clock,
}: Pick<WorkspaceContext, 'database' | 'clock'>): Promise<void> {
  const now = clock.now();
  await database
    .query<WorkspaceTables>()
    .deleteFrom('workspace_invitation')
    .where('created_at', '<', new Date(now.getTime() - DAY))
    .where((where) =>
      where.or([where('ended_at', 'is not', null), where('workspace_id', 'is', null), where('expires_at', '<', now)]),
    )
    .execute();
}
