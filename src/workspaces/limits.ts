import { sql } from 'kysely';
import { lockAccount } from '../identity/index.ts';
import type { Transaction } from '../platform/index.ts';
import { joinedWorkspacesLimitReached, ownedWorkspacesLimitReached } from './faults.ts';
import type { WorkspaceTables } from './tables.ts';

/** Maximum number of workspaces that an account can own, including the personal one. */
export const MAX_OWNED_WORKSPACES = 20;
/**
 * Maximum number of workspaces of other owners that an account can be a member of. They are counted separately, so that
 * an account that is a member of many workspaces can still create its own.
 */
export const MAX_JOINED_WORKSPACES = 80;

/**
 * Throws a fault if an account has reached its limit of workspaces of this kind. Locks the account until the transaction
 * ends, so that concurrent transactions cannot exceed the limit together. A transaction that also locks a workspace must
 * lock the workspace first.
 *
 * @param label the subject of the message, such as "Your account"
 */
export async function checkMembershipLimit(
  tx: Transaction,
  accountId: string,
  kind: 'owned' | 'joined',
  label: string,
): Promise<void> {
  await lockAccount(tx, accountId);
  const { owned, joined } = await tx
    .query<WorkspaceTables>()
    .selectFrom('workspace_member')
    .select([
      sql<number>`count(*) FILTER (WHERE role = 'owner')`.as('owned'),
      sql<number>`count(*) FILTER (WHERE role <> 'owner')`.as('joined'),
    ])
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (kind === 'owned' && owned >= MAX_OWNED_WORKSPACES) {
    throw ownedWorkspacesLimitReached(label, MAX_OWNED_WORKSPACES);
  }
  if (kind === 'joined' && joined >= MAX_JOINED_WORKSPACES) {
    throw joinedWorkspacesLimitReached(label, MAX_JOINED_WORKSPACES);
  }
}
