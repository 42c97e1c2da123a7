import type { SeriesKind } from './cadence.ts';
import { checkTimestamps } from './check-rows.ts';
import type { Hours } from './exchange/session-hours.ts';
import { FREQUENCIES, type Frequency } from './frequencies.ts';
import { gridOf } from './grid.ts';
import { SeriesError } from './series-error.ts';
import { describeSpacing } from './spacing/describe-spacing.ts';
import { findSpacing } from './spacing/find-spacing.ts';
import { EARLIEST_INSTANT, LATEST_INSTANT } from './time-range.ts';
import type { Grid } from './timestamp-grid.ts';

/** With two rows, a single missing row would change the result. */
const MIN_ROWS = 3;

function containsAll(grid: Grid, timestamps: readonly number[]): boolean {
  return timestamps.every((time) => time >= grid.earliest && time <= grid.latest && grid.contains(time));
}

/** Returns whether at least half of the rows are one period after the previous row, so that gaps are exceptions. */
function isRegular(grid: Grid, timestamps: readonly number[]): boolean {
  let direct = 0;
  for (let index = 1; index < timestamps.length; index++) {
    if (grid.next(timestamps[index - 1] ?? Number.NaN) === timestamps[index]) direct++;
  }
  return 2 * direct >= timestamps.length - 1;
}

/**
 * Infers the frequency of timestamps. Of the grids that contain all timestamps, the function chooses the one with the
 * fewest gaps, which is the coarsest. Throws a `SeriesError` with one of three codes. AMBIGUOUS_FREQUENCY: there are
 * fewer than three rows. NO_FREQUENCY: the timestamps fit no frequency, such as weekly values on Wednesdays or years
 * dated January 1; treating them as days or months would create gaps. IRREGULAR: a grid contains the timestamps, but
 * most steps are longer than one period.
 *
 * @example inferFrequency([Date.UTC(2024, 0, 31), Date.UTC(2024, 1, 29), Date.UTC(2024, 2, 31)]) // '1ME'
 */
export function inferFrequency(timestamps: ArrayLike<number>, kind: SeriesKind = 'plain', hours?: Hours): Frequency {
  checkTimestamps(timestamps, { earliest: EARLIEST_INSTANT, latest: LATEST_INSTANT });
  const times = Array.from(timestamps);
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined || times.length < MIN_ROWS) {
    const message = `The frequency cannot be inferred from ${times.length} rows. Set it, or send at least ${MIN_ROWS} rows.`;
    throw new SeriesError('AMBIGUOUS_FREQUENCY', message);
  }
  // The coarsest come first, so that long series are compared with few grids.
  const best = FREQUENCIES.map((frequency) => ({ frequency, grid: gridOf({ frequency, kind, hours }) }))
    .filter(({ grid }) => containsAll(grid, [first, last]))
    .map(({ frequency, grid }) => ({ frequency, grid, steps: grid.steps(first, last) }))
    .sort((one, other) => one.steps - other.steps)
    .find(({ grid }) => containsAll(grid, times));
  if (best !== undefined && isRegular(best.grid, times)) return best.frequency;
  throw noFrequencyError(times, best?.frequency);
}

function noFrequencyError(times: readonly number[], best: Frequency | undefined): SeriesError {
  const spacing = findSpacing({ instants: times, written: times });
  if (spacing !== null) {
    return new SeriesError('NO_FREQUENCY', (rowNumber) => describeSpacing(spacing, times, rowNumber));
  }
  const choices = `Resample the rows to one of these frequencies: ${FREQUENCIES.join(', ')}.`;
  if (best === undefined) {
    return new SeriesError('NO_FREQUENCY', `The timestamps are irregular: no frequency fits all rows. ${choices}`);
  }
  return new SeriesError(
    'IRREGULAR',
    `The timestamps are irregular: most rows are not one ${best} period apart. ${choices}`,
  );
}
