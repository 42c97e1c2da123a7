import { Fault } from '../../contract/index.ts';
import type { Executor } from '../../platform/index.ts';
import type { FoundMembership } from '../find-membership.ts';
import type { WorkspaceTables } from '../tables.ts';
import { NO_SUCH_FILE } from './storage/read-chunks.ts';
import type { CsvFileRow, CsvTables } from './tables.ts';

/**
 * The file with this id, if it is in the workspace and in the member's scope: both are asked in one statement, so that a
 * file that is not the member's to see is answered as one that is not there.
 */
export async function findCsvFile(executor: Executor, place: FoundMembership, id: string): Promise<CsvFileRow> {
  const { mode, ids } = place.csv;
  const file = await executor
    .query<CsvTables>()
    .selectFrom('csv_file')
    .selectAll()
    .where('id', '=', id)
    .where('workspace_id', '=', place.workspaceId)
    .where('ready_at', 'is not', null)
    .where((where) => where.or([where.val(mode === 'all'), where('id', '=', where.fn.any(where.val([...ids])))]))
    .executeTakeFirst();
  if (file === undefined) throw new Fault('NOT_FOUND', NO_SUCH_FILE);
  return file as CsvFileRow;
}

/** The same by the names in a reference, for those whose right to it was asked before. */
export async function findNamedFile(executor: Executor, workspaceIdOrSlug: string, id: string): Promise<CsvFileRow> {
  const file = await executor
    .query<CsvTables & WorkspaceTables>()
    .selectFrom('csv_file')
    .innerJoin('workspace', 'workspace.id', 'csv_file.workspace_id')
    .selectAll('csv_file')
    .where('csv_file.id', '=', id)
    .where((where) =>
      where.or([where('workspace.id', '=', workspaceIdOrSlug), where('workspace.slug', '=', workspaceIdOrSlug)]),
    )
    .where('csv_file.ready_at', 'is not', null)
    .executeTakeFirst();
  if (file === undefined) throw new Fault('NOT_FOUND', NO_SUCH_FILE);
  return file as CsvFileRow;
}
