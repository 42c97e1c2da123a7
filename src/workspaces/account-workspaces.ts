import { sql } from 'kysely';
import type { Executor, Transaction } from '../platform/index.ts';
import { lockWorkspace } from './memberships.ts';
import type { WorkspaceTables } from './tables.ts';

/** A workspace that an account owns. */
export interface OwnedWorkspace {
  readonly id: string;
  readonly slug: string;
  /** Whether accounts other than the owner are members. */
  readonly has_others: boolean;
  readonly is_personal: boolean;
}

/** Returns the workspaces that an account owns, in the order of their ids. */
export async function listOwnedWorkspaces(executor: Executor, accountId: string): Promise<OwnedWorkspace[]> {
  return executor
    .query<WorkspaceTables>()
    .selectFrom('workspace')
    .select([
      'id',
      'slug',
      'legacy_personal as is_personal',
      sql<boolean>`EXISTS (
        SELECT 1 FROM workspace_member AS other WHERE other.workspace_id = workspace.id AND other.account_id <> ${accountId}
      )`.as('has_others'),
    ])
    .where('owner_account_id', '=', accountId)
    .orderBy('id')
    .execute();
}

/**
 * Locks the workspaces that an account owns or is a member of, and those in `others`, in the order of their ids, so
 * that transactions that lock several workspaces cannot wait for each other.
 */
export async function lockWorkspaces(tx: Transaction, accountId: string, others: readonly string[]): Promise<void> {
  const joined = await tx
    .query<WorkspaceTables>()
    .selectFrom('workspace_member')
    .select('workspace_id')
    .where('account_id', '=', accountId)
    .execute();
  const ids = new Set([...joined.map(({ workspace_id }) => workspace_id), ...others]);
  for (const id of [...ids].sort()) await lockWorkspace(tx, id);
}

/** Removes an account from the workspaces that it does not own. Returns the number of these workspaces. */
export async function leaveWorkspaces(tx: Transaction, accountId: string): Promise<number> {
  const left = await tx
    .query<WorkspaceTables>()
    .deleteFrom('workspace_member')
    .where('account_id', '=', accountId)
    .where('role', '<>', 'owner')
    .returning('id')
    .execute();
  return left.length;
}
