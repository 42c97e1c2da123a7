import type { Cadence } from './cadence.ts';
import { checkAlignment, checkTimestamps, checkValues } from './check-rows.ts';
import { gridOf } from './grid.ts';
import { SeriesError } from './series-error.ts';
import type { Grid } from './timestamp-grid.ts';

/**
 * The maximum number of missing periods in a series. It equals the row limit of a forecast, so a series has at most
 * twice that many periods.
 */
export const MAX_GAPS = 50_000;

/** Consecutive periods, oldest first, with NaN for a missing row. The first and the last period are observed. */
export interface DenseSeries {
  /**
   * The timestamp of each period. For month-end, quarter-end and year-end frequencies it is the last day of the period.
   */
  readonly times: Float64Array;
  readonly values: Float64Array;
}

/**
 * Checks rows and places them on the grid of their cadence. The value of a missing period is NaN. Throws a
 * `SeriesError` that names the first invalid row.
 *
 * @example
 * checkSeries({ frequency: '1D', kind: 'plain' }, [Date.UTC(2024, 0, 1), Date.UTC(2024, 0, 3)], [1, 3]).values // [1, NaN, 3]
 */
export function checkSeries(
  cadence: Cadence,
  timestamps: ArrayLike<number>,
  values: ArrayLike<number>,
  maxGaps: number = MAX_GAPS,
): DenseSeries {
  if (timestamps.length !== values.length) {
    const counts = `${timestamps.length} timestamps and ${values.length} values`;
    throw new SeriesError('LENGTH_MISMATCH', `The rows have ${counts}; each row needs one of each.`);
  }
  const grid = gridOf(cadence);
  checkTimestamps(timestamps, grid);
  checkValues(values);
  checkAlignment(timestamps, grid);
  return placeOnGrid(grid, timestamps, values, maxGaps);
}

function placeOnGrid(
  grid: Grid,
  timestamps: ArrayLike<number>,
  values: ArrayLike<number>,
  maxGaps: number,
): DenseSeries {
  const [first, last] = [timestamps[0], timestamps[timestamps.length - 1]];
  if (first === undefined || last === undefined) throw new SeriesError('EMPTY', 'The series has no rows.');
  const periods = grid.steps(first, last) + 1;
  // The gaps are counted before anything is allocated, because two minute bars that are a century apart must not
  // allocate memory for every minute between them.
  const gaps = periods - timestamps.length;
  if (gaps > maxGaps) {
    throw new SeriesError(
      'TOO_MANY_GAPS',
      `${gaps} periods between the rows are missing; at most ${maxGaps} may be missing.`,
    );
  }
  const times = new Float64Array(periods);
  const dense = new Float64Array(periods).fill(Number.NaN);
  let row = 0;
  for (let period = 0, time = first; period < periods; period++) {
    if (period > 0) time = grid.next(time);
    times[period] = time;
    if (timestamps[row] === time) dense[period] = values[row++] ?? Number.NaN;
  }
  return { times, values: dense };
}
