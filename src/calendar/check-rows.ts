import { type RowNumber, SeriesError, type SeriesErrorCode } from './series-error.ts';
import { formatInstant } from './time-range.ts';
import type { Grid } from './timestamp-grid.ts';

/**
 * The largest magnitude that a value may have. Up to this limit, every whole number is an exact double, and the sum of
 * the squares of any series is far from overflowing.
 */
export const MAX_MAGNITUDE = 1e15;

type Range = Pick<Grid, 'earliest' | 'latest'>;

/**
 * Throws for the first timestamp that is not a number, is outside the range, or is not later than the one before it.
 */
export function checkTimestamps(timestamps: ArrayLike<number>, range: Range): void {
  let before = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < timestamps.length; index++) {
    const timestamp = timestamps[index] ?? Number.NaN;
    const refuse = (code: SeriesErrorCode, why: string | ((rowNumber: RowNumber) => string)) =>
      new SeriesError(
        code,
        (rowNumber) => {
          const reason = typeof why === 'string' ? why : why(rowNumber);
          return `Row ${rowNumber(index)} (${formatInstant(timestamp)}) ${reason}.`;
        },
        index,
      );
    if (!Number.isFinite(timestamp)) throw refuse('NON_FINITE', 'has no timestamp');
    if (timestamp < range.earliest || timestamp > range.latest) {
      const served = `${formatInstant(range.earliest)} to ${formatInstant(range.latest)}`;
      throw refuse('OUT_OF_RANGE', `is outside the dates served, ${served}`);
    }
    if (timestamp === before) {
      throw refuse('DUPLICATE', (rowNumber) => `repeats the timestamp of row ${rowNumber(index - 1)}`);
    }
    if (timestamp < before) throw refuse('UNSORTED', 'is earlier than the row before it');
    before = timestamp;
  }
}

/** Throws for the first value that is not finite or is too large to compute with. */
export function checkValues(values: ArrayLike<number>): void {
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? Number.NaN;
    if (!Number.isFinite(value)) {
      throw new SeriesError('NON_FINITE', (rowNumber) => `Row ${rowNumber(index)} has no finite value.`, index);
    }
    if (Math.abs(value) > MAX_MAGNITUDE) {
      throw new SeriesError(
        'OUT_OF_RANGE',
        (rowNumber) => `Row ${rowNumber(index)} has a value beyond ${MAX_MAGNITUDE} either way.`,
        index,
      );
    }
  }
}

/** Throws for the first timestamp that is not on the grid. */
export function checkAlignment(timestamps: ArrayLike<number>, grid: Grid): void {
  for (let index = 0; index < timestamps.length; index++) {
    const timestamp = timestamps[index] ?? Number.NaN;
    if (grid.contains(timestamp)) continue;
    throw new SeriesError(
      'MISALIGNED',
      (rowNumber) => `Row ${rowNumber(index)} (${formatInstant(timestamp)}) is not ${grid.rule}.`,
      index,
    );
  }
}
