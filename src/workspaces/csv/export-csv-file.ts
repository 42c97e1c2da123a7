import type { Account } from '../../access/index.ts';
import { csvCell, numberCell } from '../../snapshots/index.ts';
import { requirePlace } from '../place.ts';
import { type NumberFormat, parseNumberIn } from './cells/numbers.ts';
import type { CsvContext } from './context.ts';
import type { ColumnDescription } from './describing/column-profile.ts';
import { findCsvFile } from './find-csv-file.ts';
import { splitRow } from './storage/pack-rows.ts';
import { readChunks } from './storage/read-chunks.ts';
import type { CsvFileRow } from './tables.ts';

export interface CsvExport {
  readonly file: CsvFileRow;
  /** The file as it goes out: UTF-8 with commas and CRLF, without anything that a spreadsheet would run. */
  readonly chunks: () => AsyncIterable<Buffer>;
}

export async function exportCsvFile(
  { database }: CsvContext,
  principal: Account,
  { workspace, id }: { readonly workspace: string; readonly id: string },
): Promise<CsvExport> {
  const place = await requirePlace(database, principal, workspace, 'csv.download');
  const file = await findCsvFile(database, place, id);
  const writers = file.columns.map(writerOf);
  return {
    file,
    chunks: async function* () {
      yield Buffer.from(lineOf(file.columns.map(({ name }) => csvCell(name))));
      for await (const { rows } of readChunks(database, file)) {
        const lines = rows.map((row) => lineOf(splitRow(row).cells.map((cell, index) => writers[index]?.(cell) ?? '')));
        yield Buffer.from(lines.join(''));
      }
    },
  };
}

/** How the cells of a column go out. A number is left as it is, in whichever format its column has: nothing runs it. */
function writerOf({ type, numbers }: ColumnDescription): (cell: string) => string {
  if (type !== 'number' || numbers?.kind !== 'read') return csvCell;
  const format: NumberFormat = numbers.format;
  return (cell) => (parseNumberIn(cell.trim(), format) === null ? csvCell(cell) : numberCell(cell));
}

function lineOf(cells: readonly string[]): string {
  const line = cells.join(',');
  // An empty line would be no row at all.
  return `${line === '' ? '""' : line}\r\n`;
}
