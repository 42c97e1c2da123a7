import type { Account } from '../access/index.ts';
import { newId, slugOf, type Transaction } from '../platform/index.ts';
import type { WorkspaceContext } from './context.ts';
import { checkMembershipLimit } from './limits.ts';
import type { WorkspaceTable, WorkspaceTables } from './tables.ts';
import { type MembershipView, viewChangedWorkspace } from './workspace-views.ts';

/** The columns of a membership that gives access to every file and forecast. */
export const FULL_SCOPE_COLUMNS = {
  csv_scope_mode: 'all',
  csv_scope_ids: [] as string[],
  forecasts_scope_mode: 'all',
  forecasts_scope_ids: [] as string[],
} as const;

type NewWorkspace = Pick<WorkspaceTable, 'id' | 'name' | 'slug' | 'owner_account_id' | 'legacy_personal'>;

/** Creates a workspace that the caller owns. Its slug is derived from its initial name and does not change. */
export async function createWorkspace(
  { database, clock }: WorkspaceContext,
  principal: Account,
  { name }: { readonly name: string },
): Promise<MembershipView> {
  const now = clock.now();
  return database.transaction(async (tx) => {
    await checkMembershipLimit(tx, principal.accountId, 'owned', 'Your account');
    const id = newId('ws', now.getTime());
    const workspace = { id, name, owner_account_id: principal.accountId, legacy_personal: false };
    let isInserted = false;
    // The slug is almost never taken: its random characters have four billion values.
    while (!isInserted) isInserted = await insertWorkspace(tx, { ...workspace, slug: slugOf(name, 'workspace') }, now);
    return viewChangedWorkspace(tx, principal, id);
  });
}

/** Creates the personal workspace of a new account. Runs in the transaction that creates the account. */
export async function createPersonalWorkspace(tx: Transaction, account: { id: string }, now: Date): Promise<void> {
  const id = newId('ws', now.getTime());
  const workspace = {
    id,
    name: 'Personal',
    // Members see the slug, so it must not reveal the owner's address.
    slug: `personal-${id.slice(-10).toLowerCase()}`,
    owner_account_id: account.id,
    legacy_personal: true,
  };
  if (!(await insertWorkspace(tx, workspace, now))) throw new Error(`The slug ${workspace.slug} is taken.`);
}

/** Inserts a workspace with its owner as a member. Returns false if the slug is taken. */
async function insertWorkspace(tx: Transaction, workspace: NewWorkspace, now: Date): Promise<boolean> {
  const db = tx.query<WorkspaceTables>();
  const inserted = await db
    .insertInto('workspace')
    .values({ ...workspace, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.constraint('workspace_slug_unique').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (inserted === undefined) return false;
  await db
    .insertInto('workspace_member')
    .values({
      id: newId('col', now.getTime()),
      workspace_id: workspace.id,
      account_id: workspace.owner_account_id,
      role: 'owner',
      ...FULL_SCOPE_COLUMNS,
      created_at: now,
    })
    .execute();
  return true;
}
