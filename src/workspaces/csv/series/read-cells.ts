import { MAX_MAGNITUDE } from '../../../calendar/index.ts';
import { lineFault } from '../../faults.ts';
import { isMissing, type NumberFormat, parseNumberIn } from '../cells/numbers.ts';
import { parseTimeIn, readClockOffset, type TimeFormat } from '../cells/times.ts';
import { type StoredRow, selectCells, splitChunk } from '../row-text.ts';
import type { ChosenColumn } from './find-columns.ts';

/** The rows of a series, by column. */
export interface CollectedRows {
  readonly times: Float64Array;
  readonly values: Float64Array;
  readonly lines: Uint32Array;
  /** The minutes by which the local clock of each time is ahead of UTC. */
  readonly offsets: Int16Array;
}

/** The columns to read. Without a column of values, all values are missing. */
export interface ReadColumns {
  readonly time: ChosenColumn<TimeFormat>;
  readonly value: ChosenColumn<NumberFormat> | null;
}

/** The positions of the two cells that `selectCells` returns. */
const TIME = 0;
const VALUE = 1;

/**
 * Returns the times and values of the rows of a chunk, in the order of the file. A row with neither is left out, and a
 * missing value is NaN. Throws a fault that names the line if a value has no time or is too large.
 */
export function readCells(
  bytes: Uint8Array | null,
  { time: timeColumn, value: valueColumn }: ReadColumns,
): CollectedRows {
  const selected = [timeColumn.index, valueColumn?.index ?? timeColumn.index] as const;
  const rows = splitChunk(bytes ?? new Uint8Array());
  const [times, values] = [new Float64Array(rows.length), new Float64Array(rows.length)];
  const [lines, offsets] = [new Uint32Array(rows.length), new Int16Array(rows.length)];
  let count = 0;
  for (const text of rows) {
    const row = selectCells(text, selected);
    const time = readCell(row, TIME, (cell) => parseTimeIn(cell, timeColumn.format));
    const value = valueColumn === null ? null : readCell(row, VALUE, (cell) => parseNumberIn(cell, valueColumn.format));
    if (time === null && value === null) continue;
    if (time === null) throw lineFault(row.line, 'there is a value without a time.');
    if (value !== null && Math.abs(value) > MAX_MAGNITUDE) {
      throw lineFault(row.line, `the value must be between -${MAX_MAGNITUDE} and ${MAX_MAGNITUDE}.`);
    }
    times[count] = time;
    values[count] = value ?? Number.NaN;
    lines[count] = row.line;
    offsets[count] = readClockOffset((row.cells[TIME] ?? '').trim());
    count++;
  }
  return {
    times: times.slice(0, count),
    values: values.slice(0, count),
    lines: lines.slice(0, count),
    offsets: offsets.slice(0, count),
  };
}

/** Returns the value of a cell, or null if it is missing. */
function readCell({ cells, line }: StoredRow, index: number, parse: (cell: string) => number | null): number | null {
  const cell = (cells[index] ?? '').trim();
  if (isMissing(cell)) return null;
  const value = parse(cell);
  // Every cell of the column was parsed in this format before the file was stored.
  if (value === null) throw new Error(`Line ${line} does not match the stored description of its file.`);
  return value;
}
