import { checkTimestamps } from './check-rows.ts';
import type { Frequency } from './frequencies.ts';
import { gridOf } from './grid.ts';
import { inferFrequency } from './infer-frequency.ts';
import { fixedStep } from './periods.ts';
import { SeriesError } from './series-error.ts';
import { PERIOD_DAYS } from './spacing/find-spacing.ts';
import { DAY_MS } from './time-range.ts';
import type { Grid } from './timestamp-grid.ts';

/** With only two rows, missing rows between them could explain any step. */
const MIN_ROWS = 3;

/**
 * Throws a `SeriesError` with the code OTHER_FREQUENCY if rows of a plain series contradict a frequency: no two
 * neighboring rows are one period of it apart. The message names the frequency of the rows or explains why they have
 * none. Rows that are one period apart but off the grid, such as weeks dated by Fridays, do not contradict the
 * frequency; `checkSeries` reports the first of these rows.
 */
export function checkFrequency(frequency: Frequency, timestamps: readonly number[]): void {
  if (timestamps.length < MIN_ROWS) return;
  const grid = gridOf({ frequency, kind: 'plain' });
  checkTimestamps(timestamps, grid);
  if (hasNeighbors(timestamps, (from, to) => isNext(grid, from, to))) return;
  const problem = `no two neighboring rows are one ${frequency} period apart.`;
  const actual = inferOrExplain(timestamps);
  if (typeof actual === 'string') {
    const remedy = `The rows are ${actual}. Omit frequency or set it to ${actual}.`;
    throw new SeriesError('OTHER_FREQUENCY', `${problem} ${remedy}`);
  }
  if (hasNeighbors(timestamps, (from, to) => isOneLengthApart(frequency, from, to))) return;
  throw new SeriesError('OTHER_FREQUENCY', (rowNumber) => `${problem} ${actual.formatMessage(rowNumber)}`);
}

function hasNeighbors(timestamps: readonly number[], test: (from: number, to: number) => boolean): boolean {
  return timestamps.some((to, row) => row > 0 && test(timestamps[row - 1] as number, to));
}

function isNext(grid: Grid, from: number, to: number): boolean {
  return grid.contains(from) && grid.next(from) === to;
}

function isOneLengthApart(frequency: Frequency, from: number, to: number): boolean {
  const step = fixedStep(frequency);
  if (step !== null) return to - from === step;
  const [minDays, maxDays] = PERIOD_DAYS[frequency] ?? [0, 0];
  return to - from >= minDays * DAY_MS && to - from <= maxDays * DAY_MS;
}

/** Returns the frequency of the rows, or the error that explains why they have none. */
function inferOrExplain(timestamps: readonly number[]): Frequency | SeriesError {
  try {
    return inferFrequency(timestamps);
  } catch (error) {
    if (error instanceof SeriesError) return error;
    throw error;
  }
}
