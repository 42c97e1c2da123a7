import { newId, type Transaction } from '../platform/index.ts';
import type { WorkspaceTable, WorkspaceTables } from './tables.ts';

/** What a place without bounds has. */
export const WHOLE_PLACE = {
  csv_scope_mode: 'all',
  csv_scope_ids: [] as string[],
  forecasts_scope_mode: 'all',
  forecasts_scope_ids: [] as string[],
} as const;

export type NewWorkspace = Pick<WorkspaceTable, 'id' | 'name' | 'slug' | 'owner_account_id' | 'legacy_personal'>;

/** Makes a workspace with its owner in it. @returns false when the slug is taken */
export async function insertWorkspace(tx: Transaction, workspace: NewWorkspace, now: Date): Promise<boolean> {
  const db = tx.query<WorkspaceTables>();
  const made = await db
    .insertInto('workspace')
    .values({ ...workspace, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.constraint('workspace_slug_unique').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (made === undefined) return false;
  await db
    .insertInto('workspace_member')
    .values({
      id: newId('col', now.getTime()),
      workspace_id: workspace.id,
      account_id: workspace.owner_account_id,
      role: 'owner',
      ...WHOLE_PLACE,
      created_at: now,
    })
    .execute();
  return true;
}
