import { newId, type Transaction } from '../platform/index.ts';
import type { WorkspaceTables } from './tables.ts';

/** The workspace that every account has from its first moment on. Runs in the transaction that makes the account. */
export async function openPersonalWorkspace(tx: Transaction, account: { id: string }, now: Date): Promise<void> {
  const db = tx.query<WorkspaceTables>();
  const id = newId('ws', now.getTime());
  await db
    .insertInto('workspace')
    .values({
      id,
      name: 'Personal',
      // The slug is visible to members: it says nothing about the owner's address.
      slug: `personal-${id.slice(-10).toLowerCase()}`,
      owner_account_id: account.id,
      legacy_personal: true,
      created_at: now,
      updated_at: now,
    })
    .execute();
  await db
    .insertInto('workspace_member')
    .values({
      id: newId('col', now.getTime()),
      workspace_id: id,
      account_id: account.id,
      role: 'owner',
      csv_scope_mode: 'all',
      csv_scope_ids: [],
      forecasts_scope_mode: 'all',
      forecasts_scope_ids: [],
      created_at: now,
    })
    .execute();
}
