import { Fault } from '../../../contract/index.ts';
import type { Executor } from '../../../platform/index.ts';
import type { CsvTables } from '../tables.ts';
import { unpackRows } from './pack-rows.ts';

export interface StoredRows {
  /** Of the first of them, counted from 0. */
  readonly firstRow: number;
  /** As `splitRow` takes them. */
  readonly rows: readonly string[];
}

export const NO_SUCH_FILE = 'No file with this id in the workspace.';

/**
 * The rows of a file from one on, chunk by chunk: no more than one is in memory. Throws when the file is removed on the
 * way, so that nobody takes a part for the whole.
 */
export async function* readChunks(
  executor: Executor,
  file: { readonly id: string; readonly rows: number },
  fromRow = 0,
): AsyncGenerator<StoredRows> {
  for (let next = fromRow; next < file.rows; ) {
    const chunk = await executor
      .query<CsvTables>()
      .selectFrom('csv_chunk')
      .select(['first_row', 'rows', 'size', 'packed'])
      .where('file_id', '=', file.id)
      .where('first_row', '<=', next)
      .orderBy('first_row', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (chunk === undefined) throw new Fault('NOT_FOUND', NO_SUCH_FILE);
    const { first_row: firstRow, rows: count, size, packed } = chunk;
    const rows = await unpackRows(packed, size);
    if (firstRow + count <= next || rows.length !== count) throw new Error(`Rows of ${file.id} are missing.`);
    yield { firstRow: next, rows: rows.slice(next - firstRow) };
    next = firstRow + count;
  }
}
