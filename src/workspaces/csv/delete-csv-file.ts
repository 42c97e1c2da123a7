import type { Account } from '../../access/index.ts';
import type { Transaction } from '../../platform/index.ts';
import { csvFileNotFound } from '../faults.ts';
import { type FoundMembership, lockMembership, requireMembership } from '../memberships.ts';
import { removeFromScopes } from '../scopes.ts';
import type { CsvContext } from './find-csv-file.ts';
import type { CsvTables } from './tables.ts';

/** Deletes a file with its rows, and removes its id from every scope. */
export async function deleteCsvFile(
  { database }: CsvContext,
  principal: Account,
  { workspace, id }: { readonly workspace: string; readonly id: string },
): Promise<void> {
  const { workspaceId } = await requireMembership(database, principal, workspace, 'csv.write');
  await database.transaction(async (tx) => {
    const membership = await lockMembership(tx, principal, workspaceId, 'csv.write');
    if (!(await removeCsvFile(tx, membership, id))) throw csvFileNotFound();
    await removeFromScopes(tx, workspaceId, 'csv', [id]);
  });
}

/**
 * Removes a file with its rows. Its id stays in the scopes that list it.
 *
 * @param membership from `lockMembership`, for the action `csv.write`
 * @returns false if the workspace has no such file, or none in the member's scope
 */
export async function removeCsvFile(
  tx: Transaction,
  { workspaceId, csv }: FoundMembership,
  id: string,
): Promise<boolean> {
  const removed = await tx
    .query<CsvTables>()
    .deleteFrom('csv_file')
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .where('ready_at', 'is not', null)
    .where((where) =>
      where.or([where.val(csv.mode === 'all'), where('id', '=', where.fn.any(where.val([...csv.ids])))]),
    )
    .returning('id')
    .executeTakeFirst();
  return removed !== undefined;
}
