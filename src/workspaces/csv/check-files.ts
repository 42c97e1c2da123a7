import { Fault } from '../../contract/index.ts';
import { type Executor, listInBatches } from '../../platform/index.ts';
import { readRows } from './row-chunks.ts';
import type { CsvTables } from './tables.ts';

/** A file whose rows cannot be read. */
export interface DamagedFile {
  readonly id: string;
  readonly problem: string;
}

/** Reads the rows of every file. It has one chunk in memory at a time and changes nothing. */
export async function checkFiles(
  executor: Executor,
): Promise<{ readonly checked: number; readonly damaged: readonly DamagedFile[] }> {
  const damaged: DamagedFile[] = [];
  let checked = 0;
  const batches = listInBatches((after, limit) =>
    executor
      .query<CsvTables>()
      .selectFrom('csv_file')
      .select(['id', 'rows'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute(),
  );
  for await (const { id, rows } of batches) {
    // It is being uploaded.
    if (rows === null) continue;
    checked += 1;
    try {
      for await (const _ of readRows(executor, { id, rows }));
    } catch (error) {
      // The file was deleted meanwhile.
      if (error instanceof Fault && error.code === 'NOT_FOUND') continue;
      // The object storage does not respond or is not configured, so the file may be sound.
      if (error instanceof Fault) throw error;
      damaged.push({ id, problem: `The rows cannot be read: ${(error as Error).message}` });
    }
  }
  return { checked, damaged };
}
