import type { Account } from '../../access/index.ts';
import { Fault } from '../../contract/index.ts';
import { openCursor, sealCursor } from '../../platform/index.ts';
import { requirePlace } from '../place.ts';
import type { CsvContext } from './context.ts';
import { findCsvFile } from './find-csv-file.ts';
import { splitRow } from './storage/pack-rows.ts';
import { readChunks } from './storage/read-chunks.ts';
import type { CsvFileRow } from './tables.ts';

/** Characters of one page: rows can be so long that a thousand of them fill the memory. */
const LONGEST_PAGE = 1024 ** 2;

export interface CsvPageRequest {
  readonly workspace: string;
  readonly id: string;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface CsvPage {
  readonly file: CsvFileRow;
  /** The cells of each row. */
  readonly rows: readonly (readonly string[])[];
  readonly nextCursor: string | null;
}

/** What is known of a file, and a page of its rows. */
export async function readCsvFile(
  context: CsvContext,
  principal: Account,
  { workspace, id, limit, cursor }: CsvPageRequest,
): Promise<CsvPage> {
  const { database } = context;
  const place = await requirePlace(database, principal, workspace, 'csv.read');
  const file = await findCsvFile(database, place, id);
  const key = await context.cursorKey();
  const settings = `rows of ${file.id}`;
  const from = cursor === undefined ? { row: 0 } : (openCursor(key, settings, cursor) as { row: number } | null);
  if (from === null) throw new Fault('INVALID_REQUEST', 'cursor: was not made for this file.');
  const rows: (readonly string[])[] = [];
  let length = 0;
  pages: for await (const chunk of readChunks(database, file, from.row)) {
    for (const text of chunk.rows) {
      // One row at least, however long it is.
      if (rows.length === limit || (rows.length > 0 && length + text.length > LONGEST_PAGE)) break pages;
      rows.push(splitRow(text).cells);
      length += text.length;
    }
  }
  const row = from.row + rows.length;
  return { file, rows, nextCursor: row < file.rows ? sealCursor(key, settings, { row }) : null };
}
