import { type RawBuilder, sql } from 'kysely';
import { type Fault, MAX_CSV_FILES, MAX_CSV_STORED_BYTES } from '../../contract/index.ts';
import type { Executor } from '../../platform/index.ts';
import { csvStorageFull } from '../faults.ts';
import { ownedWorkspaces } from '../memberships.ts';
import type { CsvTables } from './tables.ts';

/** Returns the SQL condition that the workspace can store one more file of this size. */
export function hasStorageFor(workspaceId: string, bytes: number): RawBuilder<boolean> {
  return sql<boolean>`(
    SELECT count(*) < ${MAX_CSV_FILES} AND coalesce(sum(stored.bytes), 0) + ${bytes}::bigint <= ${MAX_CSV_STORED_BYTES}
    FROM csv_file AS stored WHERE stored.workspace_id = ${workspaceId} AND stored.ready_at IS NOT NULL
  )`;
}

/** The files and the unfinished uploads of a workspace. */
interface CsvStorage {
  readonly files: number;
  readonly bytes: number;
  readonly uploads: number;
}

export async function readStorage(executor: Executor, workspaceId: string): Promise<CsvStorage> {
  return executor
    .query<CsvTables>()
    .selectFrom('csv_file')
    .select([
      sql<number>`count(*) FILTER (WHERE ready_at IS NOT NULL)`.as('files'),
      sql<number>`coalesce(sum(bytes), 0)::bigint`.as('bytes'),
      sql<number>`count(*) FILTER (WHERE ready_at IS NULL)`.as('uploads'),
    ])
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow();
}

/** Returns whether the workspace cannot store one more file of this size. */
export function isFull({ files, bytes }: CsvStorage, more: number): boolean {
  return files >= MAX_CSV_FILES || bytes + more > MAX_CSV_STORED_BYTES;
}

export function storageFault({ files }: CsvStorage): Fault {
  const isByCount = files >= MAX_CSV_FILES;
  return csvStorageFull(isByCount ? `${MAX_CSV_FILES} files` : `${MAX_CSV_STORED_BYTES / 1024 ** 3} GiB of files`);
}

/** Returns the size of all files in the workspaces that an account owns. */
export async function readOwnedFileBytes(executor: Executor, accountId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM csv_file
    WHERE ready_at IS NOT NULL AND workspace_id IN (${ownedWorkspaces(accountId)})`.execute(executor.query());
  return rows[0]?.bytes ?? 0;
}
