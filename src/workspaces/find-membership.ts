import type { Kysely } from 'kysely';
import type { Membership, ResourceScope } from '../access/index.ts';
import type { ResourceScopeMode } from '../contract/index.ts';
import { compileOnce, type Executor } from '../platform/index.ts';
import type { WorkspaceTables } from './tables.ts';

/** A caller's place in one workspace, with what names that workspace. */
export interface FoundMembership extends Membership {
  readonly workspaceId: string;
  readonly slug: string;
  readonly ownerAccountId: string;
  readonly collaboratorId: string;
  /** The one that the owner has had from the start. */
  readonly isPersonal: boolean;
}

const membershipIn = compileOnce((db: Kysely<WorkspaceTables>, values: { accountId: string; workspace: string }) =>
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
      // A slug has no underscore and an id always has one: no workspace is named by another one's slug.
      where.or([where('workspace.id', '=', values.workspace), where('workspace.slug', '=', values.workspace)]),
    ),
);

/**
 * The account's place in the workspace with this id or slug, as stored at this moment. One statement, whatever there
 * is: null where the account has no place, and where there is no such workspace.
 */
export async function findMembership(
  executor: Executor,
  accountId: string,
  workspaceIdOrSlug: string,
): Promise<FoundMembership | null> {
  const [row] = await membershipIn(executor, { accountId, workspace: workspaceIdOrSlug });
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

/** Ids mean something for `selected` only; the others show an empty list. */
export function storedScope(mode: ResourceScopeMode, ids: readonly string[]): ResourceScope & { ids: string[] } {
  return { mode, ids: mode === 'selected' ? [...ids] : [] };
}
