import type { Transaction } from '../../platform/index.ts';
import type { WorkspaceInvitationTable, WorkspaceTables } from '../tables.ts';

const RETURNED_COLUMNS = [
  'id',
  'kind',
  'role',
  'csv_scope_mode',
  'csv_scope_ids',
  'forecasts_scope_mode',
  'forecasts_scope_ids',
  'member_id',
  'expires_at',
] as const;

/** An invitation that has just ended, with its current role and scope. */
export type EndedInvitation = Pick<WorkspaceInvitationTable, (typeof RETURNED_COLUMNS)[number]>;

type Match = Partial<Pick<WorkspaceInvitationTable, 'id' | 'kind' | 'email'>> & { readonly workspace_id: string };

/**
 * Ends the open invitation that has these values, so that it can no longer be accepted and its link stops working. Of
 * several concurrent transactions, one ends it. Lock the workspace first.
 *
 * @returns null if there is none, or if it had already expired
 */
export async function endInvitation(tx: Transaction, match: Match, now: Date): Promise<EndedInvitation | null> {
  const ended = await tx
    .query<WorkspaceTables>()
    .updateTable('workspace_invitation')
    .set({ ended_at: now, secret_hash: null })
    .where((where) => where.and(match))
    .where('ended_at', 'is', null)
    .returning(RETURNED_COLUMNS)
    .executeTakeFirst();
  return ended !== undefined && ended.expires_at > now ? ended : null;
}
