import type { ColumnDescription } from './describing/column-profile.ts';
import { type GuessedFields, guessFields } from './describing/describe-columns.ts';
import type { CsvOutline, DeclaredCsv } from './reading/csv-reader.ts';
import { FileReader } from './reading/file-reader.ts';
import { type RowChunk, RowJoiner, splitChunk, splitRow } from './row-text.ts';
import { findNumberColumn, findTimeColumn } from './series/find-columns.ts';
import { orderParts, withoutMissing } from './series/order-rows.ts';
import { type CollectedRows, readCells } from './series/read-cells.ts';

/** The columns of a series of a file, by name. */
export interface SeriesFields {
  readonly time: string;
  readonly value: string;
  /** Only rows with these cells belong to the series. Default: all rows. */
  readonly where?: Readonly<Record<string, string>>;
}

/** A file that was read without being stored. It is read and explained exactly as an uploaded file. */
export interface UnstoredCsv extends CsvOutline {
  readonly columns: readonly ColumnDescription[];
  /** The columns that most likely have the times and the values. Columns with the names in `taken` are left out. */
  guess(taken?: readonly string[]): GuessedFields;
  /** Returns the rows with a value, ordered by time. Throws a fault that names the line. */
  readRows(fields: SeriesFields): CollectedRows;
}

/** Reads a file as its bytes arrive. Throws faults that name the line. */
export async function readCsvBytes(bytes: AsyncIterable<Uint8Array>, declared: DeclaredCsv): Promise<UnstoredCsv> {
  const reader = new FileReader(declared);
  const chunks: RowChunk[] = [];
  for await (const part of bytes) chunks.push(...reader.push(part).chunks);
  const end = reader.end();
  chunks.push(...end.chunks);
  if (end.file === null) throw new Error('The end of a file has no description.');
  const { columns } = end.file;
  return {
    ...end.file,
    guess: (taken = []) => guessFields(columns.filter(({ name }) => !taken.includes(name))),
    readRows({ time, value, where = {} }) {
      const chosen = { time: findTimeColumn(columns, time), value: findNumberColumn(columns, value) };
      const wanted = Object.entries(where).map(
        ([name, cell]) => [columns.findIndex((column) => column.name === name), cell] as const,
      );
      const kept = wanted.length === 0 ? chunks : selectRows(chunks, wanted);
      return withoutMissing(orderParts(kept.map((chunk) => readCells(chunk.bytes, chosen))));
    },
  };
}

/** @param wanted the positions of columns, each with its cell */
function selectRows(chunks: readonly RowChunk[], wanted: readonly (readonly [number, string])[]): readonly RowChunk[] {
  const joiner = new RowJoiner();
  for (const { bytes } of chunks) {
    for (const row of splitChunk(bytes)) {
      const { cells, line } = splitRow(row);
      if (wanted.every(([index, cell]) => cells[index]?.trim() === cell)) joiner.add(cells, line);
    }
  }
  return joiner.takeRest();
}
