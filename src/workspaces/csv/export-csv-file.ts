import type { Account } from '../../access/index.ts';
import { csvCell, numberCell } from '../../snapshots/index.ts';
import { requireMembership } from '../memberships.ts';
import { type NumberFormat, parseNumberIn } from './cells/numbers.ts';
import type { ColumnDescription } from './describing/column-profile.ts';
import { type CsvContext, findCsvFile } from './find-csv-file.ts';
import { readRows } from './row-chunks.ts';
import { splitRow } from './row-text.ts';
import type { CsvFileRow } from './tables.ts';

export interface CsvExport {
  readonly file: CsvFileRow;
  /** Returns the bytes of the file in UTF-8 with commas and CRLF, without formulas that a spreadsheet would evaluate. */
  readonly chunks: () => AsyncIterable<Buffer>;
}

/** Returns a file with its rows as CSV, if the caller may download it. */
export async function exportCsvFile(
  { database }: CsvContext,
  principal: Account,
  { workspace, id }: { readonly workspace: string; readonly id: string },
): Promise<CsvExport> {
  const membership = await requireMembership(database, principal, workspace, 'csv.download');
  const file = await findCsvFile(database, membership, id);
  const writers = file.columns.map(cellWriterFor);
  return {
    file,
    chunks: async function* () {
      // With the first rows in one chunk, so that a file whose rows cannot be read fails before anything is sent.
      let head = joinLine(file.columns.map(({ name }) => csvCell(name)));
      for await (const { rows } of readRows(database, file)) {
        const lines = rows.map((row) =>
          joinLine(splitRow(row).cells.map((cell, index) => writers[index]?.(cell) ?? '')),
        );
        yield Buffer.from(head + lines.join(''));
        head = '';
      }
      if (head !== '') yield Buffer.from(head);
    },
  };
}

/**
 * Returns the function that writes the cells of a column. Numbers in the format of the column are safe and stay
 * unchanged.
 */
function cellWriterFor({ type, numbers }: ColumnDescription): (cell: string) => string {
  if (type !== 'number' || numbers?.kind !== 'read') return csvCell;
  const format: NumberFormat = numbers.format;
  return (cell) => (parseNumberIn(cell.trim(), format) === null ? csvCell(cell) : numberCell(cell));
}

function joinLine(cells: readonly string[]): string {
  const line = cells.join(',');
  // Readers skip an empty line, so the row would be lost.
  return `${line === '' ? '""' : line}\r\n`;
}
