import { setImmediate as nextTurn } from 'node:timers/promises';
import { MAX_MAGNITUDE } from '../../../calendar/index.ts';
import type { Executor } from '../../../platform/index.ts';
import { lineFault } from '../../faults.ts';
import { isMissing, type NumberFormat, parseNumberIn } from '../cells/numbers.ts';
import { parseTimeIn, readClockOffset, type TimeFormat } from '../cells/times.ts';
import { readChunks, type StoredRow, selectCells } from '../row-chunks.ts';
import type { ChosenColumn } from './find-columns.ts';

export interface ChosenColumns {
  readonly time: ChosenColumn<TimeFormat>;
  readonly value: ChosenColumn<NumberFormat>;
}

/** The rows of a series, by column. */
export interface CollectedRows {
  readonly times: Float64Array;
  readonly values: Float64Array;
  readonly lines: Uint32Array;
  /** The minutes by which the local clock of each time is ahead of UTC. */
  readonly offsets: Int16Array;
}

/**
 * Returns the times and values of a file, ordered by time. A row without a value is left out. Throws a fault that names
 * the line if a value has no time or is too large, or if two rows have the same time.
 */
export async function collectRows(
  executor: Executor,
  file: { readonly id: string; readonly rows: number },
  columns: ChosenColumns,
  signal?: AbortSignal,
): Promise<CollectedRows> {
  const parts: CollectedRows[] = [];
  for await (const { rows } of readChunks(executor, file)) parts.push(await parseRows(rows, columns, signal));
  return orderParts(parts);
}

/** The number of rows that are parsed before other requests can run. */
const ROWS_PER_TURN = 4_000;

/**
 * Parses the two columns of stored rows. A row without a time and a value is left out; one with a time only has NaN.
 */
export async function parseRows(
  texts: readonly string[],
  { time: { index: timeIndex, format: timeFormat }, value: { index: valueIndex, format: valueFormat } }: ChosenColumns,
  signal?: AbortSignal,
): Promise<CollectedRows> {
  const indices = [timeIndex, valueIndex] as const;
  const [timeColumn, valueColumn] = [
    { index: 0, format: timeFormat },
    { index: 1, format: valueFormat },
  ] as const;
  const parsed = allocateRows(texts.length);
  let count = 0;
  for (const [position, text] of texts.entries()) {
    if (position % ROWS_PER_TURN === 0) {
      await nextTurn();
      signal?.throwIfAborted();
    }
    const row = selectCells(text, indices);
    const time = readTime(row, timeColumn);
    const value = readNumber(row, valueColumn);
    if (time === null && value === null) continue;
    if (time === null) throw lineFault(row.line, 'there is a value without a time.');
    if (value !== null && Math.abs(value) > MAX_MAGNITUDE) {
      throw lineFault(row.line, `the value must be between -${MAX_MAGNITUDE} and ${MAX_MAGNITUDE}.`);
    }
    parsed.times[count] = time;
    parsed.values[count] = value ?? Number.NaN;
    parsed.lines[count] = row.line;
    parsed.offsets[count] = readOffset(row, timeColumn);
    count++;
  }
  return selectRows(parsed, count);
}

/** Joins parsed rows and orders them by time. Rows without a value are left out. */
export function orderParts(parts: readonly CollectedRows[]): CollectedRows {
  const all = allocateRows(parts.reduce((sum, { times }) => sum + times.length, 0));
  let count = 0;
  for (const part of parts) {
    all.times.set(part.times, count);
    all.values.set(part.values, count);
    all.lines.set(part.lines, count);
    all.offsets.set(part.offsets, count);
    count += part.times.length;
  }
  const ordered = orderByTime(all);
  return selectRows(ordered, (row) => !Number.isNaN(ordered.values[row]));
}

/** Returns empty columns for this number of rows, to be filled row by row. */
export function allocateRows(rows: number): CollectedRows {
  return {
    times: new Float64Array(rows),
    values: new Float64Array(rows),
    lines: new Uint32Array(rows),
    offsets: new Int16Array(rows),
  };
}

/** Returns some of the rows: the first `selection` ones, or those that the function selects. */
export function selectRows(rows: CollectedRows, selection: number | ((row: number) => boolean)): CollectedRows {
  const select = <Column extends Float64Array | Uint32Array | Int16Array>(column: Column): Column =>
    (typeof selection === 'number'
      ? column.subarray(0, selection)
      : column.filter((_: number, row: number) => selection(row))) as Column;
  return {
    times: select(rows.times),
    values: select(rows.values),
    lines: select(rows.lines),
    offsets: select(rows.offsets),
  };
}

/** Returns the rows ordered by time, earliest first. Throws a fault with both lines if two rows have the same time. */
export function orderByTime(rows: CollectedRows): CollectedRows {
  const sorted = rows.times.toSorted();
  refuseRepeatedTime(sorted, rows);
  const ordered = { ...allocateRows(sorted.length), times: sorted };
  // Each time has exactly one position. Sorting rows with a comparison function would take ten times as long.
  for (let row = 0; row < sorted.length; row++) {
    const time = rows.times[row] as number;
    const position = sorted[row] === time ? row : positionOf(time, sorted);
    ordered.values[position] = rows.values[row] as number;
    ordered.lines[position] = rows.lines[row] as number;
    ordered.offsets[position] = rows.offsets[row] as number;
  }
  return ordered;
}

/** Returns the position of a time in the sorted times, which must contain it. */
function positionOf(time: number, sorted: Float64Array): number {
  let [low, high] = [0, sorted.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

function refuseRepeatedTime(sorted: Float64Array, { times, lines }: CollectedRows): void {
  const repeated = sorted.findIndex((time, position) => time === sorted[position - 1]);
  if (repeated < 0) return;
  const time = sorted[repeated] as number;
  const first = times.indexOf(time);
  const second = times.indexOf(time, first + 1);
  const instant = new Date(time).toISOString();
  throw lineFault(lines[second] as number, `the time ${instant} is already used on line ${lines[first]}.`);
}

/** Returns the time of a row, or null if its value is missing. */
export function readTime(row: StoredRow, { index, format }: ChosenColumn<TimeFormat>): number | null {
  return readCell(row, index, (cell) => parseTimeIn(cell, format));
}

/** Returns the minutes by which the local clock of the row's time is ahead of UTC. */
export function readOffset({ cells }: StoredRow, { index }: ChosenColumn<TimeFormat>): number {
  return readClockOffset((cells[index] ?? '').trim());
}

/** Returns the number of a row, or null if its value is missing. */
function readNumber(row: StoredRow, { index, format }: ChosenColumn<NumberFormat>): number | null {
  return readCell(row, index, (cell) => parseNumberIn(cell, format));
}

function readCell({ cells, line }: StoredRow, index: number, parse: (cell: string) => number | null): number | null {
  const cell = (cells[index] ?? '').trim();
  if (isMissing(cell)) return null;
  const value = parse(cell);
  // Every cell of the column was parsed in this format before the file was stored.
  if (value === null) throw new Error(`Line ${line} does not match the stored description of its file.`);
  return value;
}
