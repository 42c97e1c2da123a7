import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import { type Account, capabilitiesOf, decide, permissionsOf, type ResourceScope } from '../access/index.ts';
import type { WorkspaceMembership } from '../contract/index.ts';
import { compileOnce, type Executor } from '../platform/index.ts';
import type { WorkspaceContext } from './context.ts';
import { workspaceDenied } from './faults.ts';
import { readStoredScope } from './memberships.ts';
import type { WorkspaceMemberTable, WorkspaceTable, WorkspaceTables } from './tables.ts';

/** A workspace with the membership of one of its members. */
export type MembershipView = z.output<typeof WorkspaceMembership>;

interface MembershipRow
  extends WorkspaceTable,
    Omit<WorkspaceMemberTable, 'id' | 'workspace_id' | 'account_id' | 'created_at'> {
  readonly members: number;
  readonly stored_bytes: number;
}

type ViewContext = Pick<WorkspaceContext, 'database' | 'privateToOthers'>;

function selectViews(db: Kysely<WorkspaceTables>, accountId: string) {
  return db
    .selectFrom('workspace_member as member')
    .innerJoin('workspace', 'workspace.id', 'member.workspace_id')
    .select([
      'workspace.id',
      'workspace.name',
      'workspace.slug',
      'workspace.owner_account_id',
      'workspace.legacy_personal',
      'workspace.member_credits',
      'workspace.created_at',
      'workspace.updated_at',
      'member.role',
      'member.csv_scope_mode',
      'member.csv_scope_ids',
      'member.forecasts_scope_mode',
      'member.forecasts_scope_ids',
      sql<number>`(SELECT count(*) FROM workspace_member AS every WHERE every.workspace_id = workspace.id)`.as(
        'members',
      ),
      sql<number>`coalesce((SELECT bytes FROM stored_bytes WHERE payer = workspace.id), 0)::float8`.as('stored_bytes'),
    ])
    .where('member.account_id', '=', accountId);
}

const selectViewsOf = compileOnce((db: Kysely<WorkspaceTables>, { accountId }: { accountId: string }) =>
  selectViews(db, accountId).orderBy('workspace.created_at').orderBy('workspace.id'),
);

const selectViewOfOne = compileOnce((db: Kysely<WorkspaceTables>, values: { accountId: string; workspace: string }) =>
  selectViews(db, values.accountId).where((where) =>
    where.or([where('workspace.id', '=', values.workspace), where('workspace.slug', '=', values.workspace)]),
  ),
);

/** Returns every workspace that the account is currently a member of, oldest first. */
export async function listMemberships(executor: Executor, accountId: string): Promise<MembershipView[]> {
  return (await selectViewsOf(executor, { accountId })).map(viewMembership);
}

/** Like `listMemberships`, but without the ids of forecasts that are private to other accounts. */
export async function listVisibleMemberships(context: ViewContext, accountId: string): Promise<MembershipView[]> {
  return toVisibleViews(context, accountId, await listMemberships(context.database, accountId));
}

/**
 * Returns the workspace with this id or slug, with the caller's membership. A caller without a membership gets the same
 * fault after the same single statement, whether or not the workspace exists.
 */
export async function readWorkspace(
  context: ViewContext,
  principal: Account,
  workspaceIdOrSlug: string,
): Promise<MembershipView> {
  const view = await findView(context.database, principal.accountId, workspaceIdOrSlug);
  const membership = view && { role: view.role, ...view.resource_scope };
  if (view === null || !decide(principal, 'workspace.read', { membership }).allowed) throw workspaceDenied();
  const [visible] = await toVisibleViews(context, principal.accountId, [view]);
  return visible ?? view;
}

/** Returns a workspace for the caller that has just changed it, without checking permissions again. */
export async function viewChangedWorkspace(
  executor: Executor,
  { accountId }: Account,
  workspaceId: string,
): Promise<MembershipView> {
  const view = await findView(executor, accountId, workspaceId);
  if (view === null) throw new Error(`${accountId} changed ${workspaceId} but is not a member of it.`);
  return view;
}

async function findView(executor: Executor, accountId: string, workspace: string): Promise<MembershipView | null> {
  const [row] = await selectViewOfOne(executor, { accountId, workspace });
  return row === undefined ? null : viewMembership(row);
}

function viewMembership(row: MembershipRow): MembershipView {
  const csv = readStoredScope(row.csv_scope_mode, row.csv_scope_ids);
  const forecasts = readStoredScope(row.forecasts_scope_mode, row.forecasts_scope_ids);
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    owner_user_id: row.owner_account_id,
    role: row.role,
    permissions: [...permissionsOf(row.role)],
    resource_scope: { csv, forecasts },
    capabilities: capabilitiesOf({ role: row.role, csv, forecasts }),
    legacy_personal: row.legacy_personal,
    member_credits: row.member_credits,
    members: row.members,
    // What is stored is for the owner, which pays for it.
    stored_bytes: row.role === 'owner' ? row.stored_bytes : null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** Hides forecasts that are private to other accounts, and capabilities that applied only to them. */
async function toVisibleViews(
  context: ViewContext,
  accountId: string,
  views: readonly MembershipView[],
): Promise<MembershipView[]> {
  const visible = await hidePrivateForecasts(context, context.database, accountId, views);
  return visible.map((view, i) =>
    view === views[i] ? view : { ...view, capabilities: capabilitiesOf({ role: view.role, ...view.resource_scope }) },
  );
}

type ListedScope = ResourceScope & { ids: string[] };

interface WithScope {
  readonly resource_scope: { csv: ListedScope; forecasts: ListedScope };
}

/**
 * Removes the forecasts that are private to accounts other than the reader from the scopes. A scope can list such a
 * forecast, because a forecast is added to the scope of its creator.
 */
export async function hidePrivateForecasts<View extends WithScope>(
  { privateToOthers }: Pick<WorkspaceContext, 'privateToOthers'>,
  executor: Executor,
  accountId: string,
  views: readonly View[],
): Promise<View[]> {
  const listed = new Set(views.flatMap(({ resource_scope }) => resource_scope.forecasts.ids));
  const hidden = new Set(listed.size === 0 ? [] : await privateToOthers(executor, accountId, [...listed]));
  if (hidden.size === 0) return [...views];
  return views.map((view) => {
    const { csv, forecasts } = view.resource_scope;
    const ids = forecasts.ids.filter((id) => !hidden.has(id));
    return { ...view, resource_scope: { csv, forecasts: { ...forecasts, ids } } };
  });
}
