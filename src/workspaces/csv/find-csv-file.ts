import type { Clock, Database, Executor } from '../../platform/index.ts';
import { csvFileNotFound } from '../faults.ts';
import type { FoundMembership } from '../memberships.ts';
import type { WorkspaceTables } from '../tables.ts';
import type { CsvFileRow, CsvTables } from './tables.ts';

/** The dependencies of the operations on files. */
export interface CsvContext {
  readonly database: Database;
  readonly clock: Clock;
  /** Signs cursors. */
  readonly cursorKey: () => Promise<Buffer>;
}

/**
 * Returns the file with this id. It must be in the workspace and in the member's scope: one statement checks both, so
 * that a file outside the scope and a file that does not exist get the same answer.
 */
export async function findCsvFile(executor: Executor, membership: FoundMembership, id: string): Promise<CsvFileRow> {
  const { mode, ids } = membership.csv;
  const file = await executor
    .query<CsvTables>()
    .selectFrom('csv_file')
    .selectAll()
    .where('id', '=', id)
    .where('workspace_id', '=', membership.workspaceId)
    .where('ready_at', 'is not', null)
    .where((where) => where.or([where.val(mode === 'all'), where('id', '=', where.fn.any(where.val([...ids])))]))
    .executeTakeFirst();
  if (file === undefined) throw csvFileNotFound();
  return file as CsvFileRow;
}

/** Returns the file that a reference names, or null. Does not check access: callers have done so. */
export async function findReferencedFile(
  executor: Executor,
  workspaceIdOrSlug: string,
  id: string,
): Promise<CsvFileRow | null> {
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
  return file === undefined ? null : (file as CsvFileRow);
}
