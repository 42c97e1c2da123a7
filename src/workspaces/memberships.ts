import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type Account, decide, type Membership, membershipDenied, type ResourceScope } from '../access/index.ts';
import type { Action, Plan, ResourceScopeMode } from '../contract/index.ts';
import { compileOnce, type Executor, type Transaction } from '../platform/index.ts';
import { workspaceDenied } from './faults.ts';
import type { WorkspaceTables } from './tables.ts';

/** An account's membership in a workspace, with the ids of both. */
export interface FoundMembership extends Membership {
  readonly workspaceId: string;
  readonly slug: string;
  readonly ownerAccountId: string;
  readonly collaboratorId: string;
  /** Whether this is the personal workspace of its owner. */
  readonly isPersonal: boolean;
  /** The credits that each member other than the owner can use in a month; null if they are not limited. */
  readonly memberCredits: number | null;
}

const selectMembership = compileOnce((db: Kysely<WorkspaceTables>, values: { accountId: string; workspace: string }) =>
  db
    .selectFrom('workspace')
    .innerJoin('workspace_member as member', 'member.workspace_id', 'workspace.id')
    .select([
      'workspace.id',
      'workspace.slug',
      'workspace.owner_account_id',
      'workspace.legacy_personal',
      'workspace.member_credits',
      'member.id as member_id',
      'member.role',
      'member.csv_scope_mode',
      'member.csv_scope_ids',
      'member.forecasts_scope_mode',
      'member.forecasts_scope_ids',
    ])
    .where('member.account_id', '=', values.accountId)
    .where((where) =>
      // Every id contains an underscore and no slug does, so a slug cannot be the id of another workspace.
      where.or([where('workspace.id', '=', values.workspace), where('workspace.slug', '=', values.workspace)]),
    ),
);

/**
 * Returns the account's current membership in the workspace with this id or slug. Returns null if the account is not a
 * member or there is no such workspace; both take the same single statement.
 */
export async function findMembership(
  executor: Executor,
  accountId: string,
  workspaceIdOrSlug: string,
): Promise<FoundMembership | null> {
  const [row] = await selectMembership(executor, { accountId, workspace: workspaceIdOrSlug });
  if (row === undefined) return null;
  return {
    workspaceId: row.id,
    slug: row.slug,
    ownerAccountId: row.owner_account_id,
    collaboratorId: row.member_id,
    isPersonal: row.legacy_personal,
    memberCredits: row.member_credits,
    role: row.role,
    csv: readStoredScope(row.csv_scope_mode, row.csv_scope_ids),
    forecasts: readStoredScope(row.forecasts_scope_mode, row.forecasts_scope_ids),
  };
}

/** Returns a resource scope from its columns. Only the mode `selected` has ids; other modes get an empty list. */
export function readStoredScope(mode: ResourceScopeMode, ids: readonly string[]): ResourceScope & { ids: string[] } {
  return { mode, ids: mode === 'selected' ? [...ids] : [] };
}

/**
 * Returns the caller's membership in the workspace with this id or slug. Throws a fault if it does not allow the action.
 *
 * @param id the id of the file or forecast that the action is about
 */
export async function requireMembership(
  executor: Executor,
  principal: Account,
  workspaceIdOrSlug: string,
  action: Action,
  id?: string,
): Promise<FoundMembership> {
  const membership = await findMembership(executor, principal.accountId, workspaceIdOrSlug);
  return requirePermission(principal, membership, action, id);
}

/** Like `requireMembership`, for a membership that was read before; null if the caller has none. */
export function requirePermission(
  principal: Account,
  membership: FoundMembership | null,
  action: Action,
  id?: string,
): FoundMembership {
  const resource = { membership, ...(id !== undefined && { id }) };
  if (membership === null) throw workspaceDenied();
  if (!decide(principal, action, resource).allowed) throw membershipDenied(membership, action);
  return membership;
}

/**
 * Like `requireMembership`, for a transaction that changes the workspace, its contents or its members. Every such
 * transaction starts with this lock, so these transactions run one after the other, and the decision stays valid until
 * the transaction ends. Because all of them lock the workspace first, they cannot deadlock.
 *
 * @param workspaceId the id of the workspace, not its slug
 */
export async function lockMembership(
  tx: Transaction,
  principal: Account,
  workspaceId: string,
  action: Action,
  id?: string,
): Promise<FoundMembership> {
  await lockWorkspace(tx, workspaceId);
  // This must be a separate statement, in order to see what was committed while the first one waited for the lock.
  return requireMembership(tx, principal, workspaceId, action, id);
}

/** Locks a workspace until the transaction ends. Returns false if there is no such workspace. */
export async function lockWorkspace(tx: Transaction, workspaceId: string): Promise<boolean> {
  const row = await tx
    .query<WorkspaceTables>()
    .selectFrom('workspace')
    .select('id')
    .where('id', '=', workspaceId)
    // Rows that only refer to the workspace can still be inserted, but the workspace cannot be deleted.
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns a statement that selects the ids of the workspaces that an account owns, as `workspace_id`. */
export function ownedWorkspaces(accountId: string): RawBuilder<{ workspace_id: string }> {
  return sql`SELECT workspace_id FROM workspace_member WHERE account_id = ${accountId} AND role = 'owner'`;
}

interface PlanTables extends WorkspaceTables {
  account: { id: string; plan: Plan };
}

/** Returns the plan of the owner of the workspace with this id or slug, or null if the account is not a member. */
export async function readOwnerPlan(executor: Executor, accountId: string, workspace: string): Promise<Plan | null> {
  const found = await executor
    .query<PlanTables>()
    .selectFrom('workspace')
    .innerJoin('workspace_member as member', 'member.workspace_id', 'workspace.id')
    .innerJoin('account', 'account.id', 'workspace.owner_account_id')
    .select('account.plan')
    .where('member.account_id', '=', accountId)
    .where((where) => where.or([where('workspace.id', '=', workspace), where('workspace.slug', '=', workspace)]))
    .executeTakeFirst();
  return found?.plan ?? null;
}
