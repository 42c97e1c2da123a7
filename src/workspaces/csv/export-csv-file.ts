import type { Account } from '../../access/index.ts';
import { csvCell } from '../../snapshots/index.ts';
import { requirePlace } from '../place.ts';
import type { CsvContext } from './context.ts';
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
  return {
    file,
    chunks: async function* () {
      yield Buffer.from(lineOf(file.columns.map(({ name }) => name)));
      for await (const { rows } of readChunks(database, file)) {
        yield Buffer.from(rows.map((row) => lineOf(splitRow(row).cells)).join(''));
      }
    },
  };
}

function lineOf(cells: readonly string[]): string {
  const line = cells.map(csvCell).join(',');
  // An empty line would be no row at all.
  return `${line === '' ? '""' : line}\r\n`;
}
