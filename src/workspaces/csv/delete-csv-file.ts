import type { Account } from '../../access/index.ts';
import { Fault } from '../../contract/index.ts';
import { lockPlace, requirePlace } from '../place.ts';
import { dropFromScopes } from '../scopes.ts';
import type { CsvContext } from './context.ts';
import { NO_SUCH_FILE } from './storage/read-chunks.ts';
import type { CsvTables } from './tables.ts';

/** Removes a file with its rows, and its id from every scope that lists it. */
export async function deleteCsvFile(
  { database }: CsvContext,
  principal: Account,
  { workspace, id }: { readonly workspace: string; readonly id: string },
): Promise<void> {
  const { workspaceId } = await requirePlace(database, principal, workspace, 'csv.write');
  await database.transaction(async (tx) => {
    const { csv } = await lockPlace(tx, principal, workspaceId, 'csv.write');
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
    if (removed === undefined) throw new Fault('NOT_FOUND', NO_SUCH_FILE);
    await dropFromScopes(tx, workspaceId, 'csv', [id]);
  });
}
