import { SeriesError, type SeriesErrorCode } from './series-error.ts';
import { sayInstant } from './time-range.ts';
import type { Grid } from './timestamp-grid.ts';

/**
 * The largest magnitude of a value. Below it every whole number has a double of its own with digits to spare, and sums
 * of squares over any series stay far from overflow.
 */
export const MAX_MAGNITUDE = 1e15;

type Range = Pick<Grid, 'earliest' | 'latest'>;

/** Refuses timestamps that are no numbers, outside the range, repeated or not ascending; names the first such row. */
export function checkTimestamps(timestamps: ArrayLike<number>, range: Range): void {
  let before = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < timestamps.length; index++) {
    const timestamp = timestamps[index] ?? Number.NaN;
    const refuse = (code: SeriesErrorCode, why: string) =>
      new SeriesError(code, `Row ${index} (${sayInstant(timestamp)}) ${why}.`, index);
    if (!Number.isFinite(timestamp)) throw refuse('NON_FINITE', 'has no timestamp');
    if (timestamp < range.earliest || timestamp > range.latest) {
      const served = `${sayInstant(range.earliest)} to ${sayInstant(range.latest)}`;
      throw refuse('OUT_OF_RANGE', `is outside the dates served, ${served}`);
    }
    if (timestamp === before) throw refuse('DUPLICATE', 'repeats the timestamp before it');
    if (timestamp < before) throw refuse('UNSORTED', 'is earlier than the row before it');
    before = timestamp;
  }
}

/** Refuses values that are not finite or too large to compute with; names the first such row. */
export function checkValues(values: ArrayLike<number>): void {
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? Number.NaN;
    if (!Number.isFinite(value)) throw new SeriesError('NON_FINITE', `Row ${index} has no finite value.`, index);
    if (Math.abs(value) > MAX_MAGNITUDE) {
      throw new SeriesError('OUT_OF_RANGE', `Row ${index} has a value beyond ${MAX_MAGNITUDE} either way.`, index);
    }
  }
}

/** Refuses the first timestamp that is not on the grid. */
export function checkAlignment(timestamps: ArrayLike<number>, grid: Grid): void {
  for (let index = 0; index < timestamps.length; index++) {
    const timestamp = timestamps[index] ?? Number.NaN;
    if (grid.contains(timestamp)) continue;
    throw new SeriesError('MISALIGNED', `Row ${index} (${sayInstant(timestamp)}) is not ${grid.rule}.`, index);
  }
}
