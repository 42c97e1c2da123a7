import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { capabilitiesOf, permissionsOf } from '../access/index.ts';
import type { WorkspaceMembership } from '../contract/index.ts';
import { storedScope } from './find-membership.ts';
import type { WorkspaceMemberTable, WorkspaceTable, WorkspaceTables } from './tables.ts';

/** A workspace as one of its members is shown it. */
export type MembershipView = z.output<typeof WorkspaceMembership>;

type MembershipRow = WorkspaceTable & Omit<WorkspaceMemberTable, 'workspace_id' | 'account_id'>;

/** The places of an account, with all that the view shows. */
export function selectMemberships(db: Kysely<WorkspaceTables>, accountId: string) {
  return db
    .selectFrom('workspace_member as member')
    .innerJoin('workspace', 'workspace.id', 'member.workspace_id')
    .select([
      'workspace.id',
      'workspace.name',
      'workspace.slug',
      'workspace.owner_account_id',
      'workspace.legacy_personal',
      'workspace.created_at',
      'workspace.updated_at',
      'member.role',
      'member.csv_scope_mode',
      'member.csv_scope_ids',
      'member.forecasts_scope_mode',
      'member.forecasts_scope_ids',
    ])
    .where('member.account_id', '=', accountId);
}

export function viewMembership(row: MembershipRow): MembershipView {
  const csv = storedScope(row.csv_scope_mode, row.csv_scope_ids);
  const forecasts = storedScope(row.forecasts_scope_mode, row.forecasts_scope_ids);
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
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
