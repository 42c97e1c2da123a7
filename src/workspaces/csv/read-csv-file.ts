import type { Account } from '../../access/index.ts';
import { type Executor, openCursor, sealCursor } from '../../platform/index.ts';
import { csvCursorInvalid, csvCursorWithLine } from '../faults.ts';
import { requireMembership } from '../memberships.ts';
import { type CsvContext, findCsvFile } from './find-csv-file.ts';
import { readRows } from './row-chunks.ts';
import { splitRow } from './row-text.ts';
import type { CsvFileRow } from './tables.ts';

/** Maximum number of characters of a page: a thousand very long rows could exhaust the memory. */
const MAX_PAGE_LENGTH = 1024 ** 2;

export interface CsvPageRequest {
  readonly workspace: string;
  readonly id: string;
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** The line with which to begin. */
  readonly line?: number | undefined;
}

export interface CsvPage {
  readonly file: CsvFileRow;
  /** The cells of each row. */
  readonly rows: readonly (readonly string[])[];
  /** The line of each row. */
  readonly lines: readonly number[];
  readonly nextCursor: string | null;
}

/** Returns the description of a file and a page of its rows. */
export async function readCsvFile(
  context: CsvContext,
  principal: Account,
  { workspace, id, limit, cursor, line }: CsvPageRequest,
): Promise<CsvPage> {
  const { database } = context;
  const membership = await requireMembership(database, principal, workspace, 'csv.read');
  const file = await findCsvFile(database, membership, id);
  const keys = await context.cursorKey();
  const settings = `rows of ${file.id}`;
  if (cursor !== undefined && line !== undefined) throw csvCursorWithLine();
  const from =
    cursor === undefined
      ? { row: line === undefined ? 0 : await findRow(database, file, line) }
      : (openCursor(keys, settings, cursor) as { row: number } | null);
  if (from === null) throw csvCursorInvalid();
  const rows: (readonly string[])[] = [];
  const lines: number[] = [];
  let length = 0;
  pages: for await (const chunk of readRows(database, file, from.row)) {
    for (const text of chunk.rows) {
      // A page has at least one row, even if the row exceeds the limit.
      if (rows.length === limit || (rows.length > 0 && length + text.length > MAX_PAGE_LENGTH)) break pages;
      const row = splitRow(text);
      rows.push(row.cells);
      lines.push(row.line);
      length += text.length;
    }
  }
  const row = from.row + rows.length;
  return { file, rows, lines, nextCursor: row < file.rows ? sealCursor(keys, settings, { row }) : null };
}

/** Returns the index of the first row on this line or below it. Each chunk before it is read once. */
async function findRow(executor: Executor, file: CsvFileRow, line: number): Promise<number> {
  for await (const { firstRow, rows } of readRows(executor, file)) {
    if (splitRow(rows.at(-1) ?? '').line < line) continue;
    return firstRow + rows.findIndex((row) => splitRow(row).line >= line);
  }
  return file.rows;
}
