import { offsetIn } from '../cells/clock.ts';
import { isMissing } from '../cells/missing.ts';
import { type NumberFormat, parseNumberIn } from '../cells/numbers.ts';
import { parseTimeIn, type TimeFormat } from '../cells/times.ts';
import type { StoredRow } from '../storage/pack-rows.ts';
import type { ChosenColumn } from './choose-columns.ts';

/** The time of a row; null: it has none. */
export function timeOf(row: StoredRow, { index, format }: ChosenColumn<TimeFormat>): number | null {
  return readCell(row, index, (cell) => parseTimeIn(cell, format));
}

/** Minutes that the clock of the row's time is ahead of UTC. */
export function offsetOf({ cells }: StoredRow, { index }: ChosenColumn<TimeFormat>): number {
  return offsetIn((cells[index] ?? '').trim());
}

/** The number in a row; null: it has none. */
export function numberOf(row: StoredRow, { index, format }: ChosenColumn<NumberFormat>): number | null {
  return readCell(row, index, (cell) => parseNumberIn(cell, format));
}

function readCell({ cells, line }: StoredRow, index: number, parse: (cell: string) => number | null): number | null {
  const cell = (cells[index] ?? '').trim();
  if (isMissing(cell)) return null;
  const value = parse(cell);
  // Every cell of the column was read in this format before the file was stored.
  if (value === null) throw new Error(`Line ${line} is not written as its file was described.`);
  return value;
}
