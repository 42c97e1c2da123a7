import type { Kysely } from 'kysely';
import { type Account, decide, type Membership, type ResourceScope } from '../access/index.ts';
import type { Action, Plan, ResourceScopeMode } from '../contract/index.ts';
import { compileOnce, type Executor, type Transaction } from '../platform/index.ts';
import { workspaceDenied } from './faults.ts';
import type { WorkspaceTables } from './tables.ts';

/** An account's membership in one workspace, with what identifies that workspace. */
export interface FoundMembership extends Membership {
  readonly workspaceId: string;
  readonly slug: string;
  readonly ownerAccountId: string;
  readonly collaboratorId: string;
  /** Whether this is the workspace that the owner's account was created with. */
  readonly isPersonal: boolean;
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
      'member.id as member_id',
      'member.role',
      'member.csv_scope_mode',
      'member.csv_scope_ids',
      'member.forecasts_scope_mode',
      'member.forecasts_scope_ids',
    ])
    .where('member.account_id', '=', values.accountId)
    .where((where) =>
      // A slug has no underscore and an id always has one, so no slug equals another workspace's id.
      where.or([where('workspace.id', '=', values.workspace), where('workspace.slug', '=', values.workspace)]),
    ),
);

/**
 * Returns the account's membership in the workspace with this id or slug, as stored at this moment. Returns null when
 * the account is not a member and when there is no such workspace; both take the same single statement.
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
    role: row.role,
    csv: storedScope(row.csv_scope_mode, row.csv_scope_ids),
    forecasts: storedScope(row.forecasts_scope_mode, row.forecasts_scope_ids),
  };
}

/** Returns a scope as stored. Ids have a meaning for `selected` only; the other modes get an empty list. */
export function storedScope(mode: ResourceScopeMode, ids: readonly string[]): ResourceScope & { ids: string[] } {
  return { mode, ids: mode === 'selected' ? [...ids] : [] };
}

/**
 * Returns the caller's membership in the workspace with this id or slug if it allows the action, and throws otherwise.
 * Takes one statement for every caller.
 *
 * @param id of the file or forecast that the action is about
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

/** Does the same for a membership that was read before; null when the caller has none. */
export function requirePermission(
  principal: Account,
  membership: FoundMembership | null,
  action: Action,
  id?: string,
): FoundMembership {
  const resource = { membership, ...(id !== undefined && { id }) };
  if (membership === null || !decide(principal, action, resource).allowed) throw workspaceDenied();
  return membership;
}

/**
 * Does the same inside a transaction that changes something in the workspace, its members included. Every such
 * transaction starts with this lock, so they run one after the other: the decision holds until the transaction ends,
 * even if a member is removed or gets another role meanwhile. Because the workspace is always locked first, no two
 * transactions deadlock.
 *
 * @param workspaceId its id, not its slug
 */
export async function lockMembership(
  tx: Transaction,
  principal: Account,
  workspaceId: string,
  action: Action,
  id?: string,
): Promise<FoundMembership> {
  await lockWorkspace(tx, workspaceId);
  // A separate statement: it must see what was committed while this one waited for the lock.
  return requireMembership(tx, principal, workspaceId, action, id);
}

/** Locks a workspace until the transaction ends. Returns false when there is no such workspace. */
export async function lockWorkspace(tx: Transaction, workspaceId: string): Promise<boolean> {
  const row = await tx
    .query<WorkspaceTables>()
    .selectFrom('workspace')
    .select('id')
    .where('id', '=', workspaceId)
    // Rows that only refer to the workspace can still be added; a removal waits.
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

interface PlanTables extends WorkspaceTables {
  account: { id: string; plan: Plan };
}

/** Returns the plan of the owner of a workspace (by id or slug), or null when the account is not a member. */
export async function effectivePlan(executor: Executor, accountId: string, workspace: string): Promise<Plan | null> {
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
