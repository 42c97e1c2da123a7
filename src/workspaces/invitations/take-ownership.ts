import type { Transaction } from '../../platform/index.ts';
import { FULL_SCOPE_COLUMNS } from '../create-workspace.ts';
import { checkMembershipLimit } from '../limits.ts';
import type { WorkspaceTables } from '../tables.ts';

interface Receiver {
  readonly workspaceId: string;
  readonly accountId: string;
  /** The membership that the transfer names. */
  readonly memberId: string | null;
  readonly now: Date;
}

/**
 * Makes a member the owner of a workspace, and the previous owner an editor with access to everything. Lock the
 * workspace first. Throws a fault if one of the two accounts has reached its limit of workspaces.
 *
 * @returns false if the membership is not one of this account
 */
export async function takeOwnership(
  tx: Transaction,
  { workspaceId, accountId, memberId, now }: Receiver,
): Promise<boolean> {
  const db = tx.query<WorkspaceTables>();
  const members = await db
    .selectFrom('workspace_member')
    .select(['id', 'account_id', 'role'])
    .where('workspace_id', '=', workspaceId)
    .where((where) => where.or([where('role', '=', 'owner'), where('id', '=', memberId)]))
    .execute();
  const receiver = members.find(({ account_id, role }) => account_id === accountId && role !== 'owner');
  const giver = members.find(({ role }) => role === 'owner');
  if (receiver === undefined || giver === undefined) return false;
  // Accounts are always locked in the same order, so that two accounts that accept from each other cannot deadlock.
  const checks = [
    () => checkMembershipLimit(tx, accountId, 'owned', 'Your account'),
    () => checkMembershipLimit(tx, giver.account_id, 'joined', 'The present owner'),
  ];
  for (const check of accountId < giver.account_id ? checks : checks.toReversed()) await check();
  // The previous owner changes first, because the database allows one owner at a time.
  for (const { id, role } of [
    { id: giver.id, role: 'editor' as const },
    { id: receiver.id, role: 'owner' as const },
  ]) {
    await db
      .updateTable('workspace_member')
      .set({ role, ...FULL_SCOPE_COLUMNS })
      .where('id', '=', id)
      .execute();
  }
  await db
    .updateTable('workspace')
    .set({ owner_account_id: accountId, updated_at: now })
    .where('id', '=', workspaceId)
    .execute();
  return true;
}
