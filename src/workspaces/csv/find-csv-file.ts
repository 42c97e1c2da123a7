import type { Clock, Database, Executor, SigningKeys } from '../../platform/index.ts';
import type { FreeBytes, StorageLimits } from '../../snapshots/index.ts';
import { csvFileNotFound } from '../faults.ts';
import type { FoundMembership } from '../memberships.ts';
import type { WorkspaceTables } from '../tables.ts';
import type { CsvFileRow, CsvTables } from './tables.ts';

/** The dependencies of the functions for files. */
export interface CsvContext {
  readonly database: Database;
  readonly clock: Clock;
  /** Returns the key that signs cursors. */
  readonly cursorKey: () => Promise<SigningKeys>;
}

/** The dependencies of uploads. */
export interface UploadContext extends CsvContext {
  /** How much workspaces and their owners can store. */
  readonly storage: StorageLimits;
  /** Frees bytes of a workspace or an account that has reached its limit. */
  readonly freeBytes: FreeBytes;
}

/**
 * Returns the file with this id. Throws a fault if it is not in the workspace or not in the member's scope. One statement
 * checks both, so that a file outside the scope cannot be distinguished from one that does not exist.
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

/** Returns the file that a reference names, or null if there is none. Does not check whether the caller may read it. */
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
