import { type RawBuilder, sql } from 'kysely';
import { Fault, MAX_CSV_FILES, MAX_CSV_STORED_BYTES } from '../../../contract/index.ts';
import type { Executor } from '../../../platform/index.ts';
import type { CsvTables } from '../tables.ts';

/** Whether a workspace can take one more file of so many bytes. */
export function hasRoom(workspaceId: string, bytes: number): RawBuilder<boolean> {
  return sql<boolean>`(
    SELECT count(*) < ${MAX_CSV_FILES} AND coalesce(sum(stored.bytes), 0) + ${bytes}::bigint <= ${MAX_CSV_STORED_BYTES}
    FROM csv_file AS stored WHERE stored.workspace_id = ${workspaceId} AND stored.ready_at IS NOT NULL
  )`;
}

export interface CsvUsage {
  readonly files: number;
  readonly bytes: number;
  readonly uploads: number;
}

export async function usageOf(executor: Executor, workspaceId: string): Promise<CsvUsage> {
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

export function isFull({ files, bytes }: CsvUsage, more: number): boolean {
  return files >= MAX_CSV_FILES || bytes + more > MAX_CSV_STORED_BYTES;
}

export function refusalWithoutRoom({ files }: CsvUsage): Fault {
  const limit = files >= MAX_CSV_FILES ? `${MAX_CSV_FILES} files` : `${MAX_CSV_STORED_BYTES / 1024 ** 3} GiB of files`;
  return new Fault('LIMIT_REACHED', `A workspace holds at most ${limit}. Remove one first.`);
}
