import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { capabilitiesOf, permissionsOf } from '../access/index.ts';
import type { ResourceScopeMode, WorkspaceMembership } from '../contract/index.ts';
import { compileOnce, type Executor } from '../platform/index.ts';
import type { WorkspaceTables } from './tables.ts';

const membershipsOf = compileOnce((db: Kysely<WorkspaceTables>, { accountId }: { accountId: string }) =>
  db
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
    .where('member.account_id', '=', accountId)
    .orderBy('workspace.created_at')
    .orderBy('workspace.id'),
);

/** Every workspace in which the account has a place, oldest first, as stored at this moment. */
export async function listMemberships(
  executor: Executor,
  accountId: string,
): Promise<z.output<typeof WorkspaceMembership>[]> {
  const rows = await membershipsOf(executor, { accountId });
  return rows.map((row) => {
    const csv = scope(row.csv_scope_mode, row.csv_scope_ids);
    const forecasts = scope(row.forecasts_scope_mode, row.forecasts_scope_ids);
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
  });
}

/** Ids mean something for `selected` only; the others show an empty list. */
function scope(mode: ResourceScopeMode, ids: string[]): { mode: ResourceScopeMode; ids: string[] } {
  return { mode, ids: mode === 'selected' ? ids : [] };
}
