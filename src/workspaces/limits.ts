import { sql } from 'kysely';
import { lockAccount } from '../identity/index.ts';
import type { Transaction } from '../platform/index.ts';
import { joinedWorkspacesLimitReached, ownedWorkspacesLimitReached } from './faults.ts';
import type { WorkspaceTables } from './tables.ts';

/** Workspaces of one owner, including the personal one. */
export const MAX_OWNED_WORKSPACES = 20;
/**
 * Workspaces of other owners that an account can be a member of. Counted separately, so that an account that others
 * have added to many workspaces can still create its own.
 */
export const MAX_JOINED_WORKSPACES = 80;

/**
 * Throws when an account has as many workspaces of this kind as it can have. Locks the account until the transaction
 * ends, so that concurrent transactions cannot exceed the limit together. A transaction that also locks a workspace
 * locks that first.
 *
 * @param label the account as the caller knows it, for the message
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
