import type { SeriesKind } from './cadence.ts';
import { checkTimestamps } from './check-rows.ts';
import type { Hours } from './exchange/session-hours.ts';
import { FREQUENCIES, type Frequency } from './frequencies.ts';
import { gridOf } from './grid.ts';
import { findRhythm } from './rhythm/find-rhythm.ts';
import { sayRhythm } from './rhythm/say-rhythm.ts';
import { SeriesError } from './series-error.ts';
import { EARLIEST_INSTANT, LATEST_INSTANT } from './time-range.ts';
import type { Grid } from './timestamp-grid.ts';

/** With two rows a single missing one changes the answer. */
const MIN_ROWS = 3;

function holds(grid: Grid, timestamps: readonly number[]): boolean {
  return timestamps.every((time) => time >= grid.earliest && time <= grid.latest && grid.contains(time));
}

/** Whether at least half of the rows follow directly on the one before: gaps are exceptions, not the rhythm itself. */
function isRegular(grid: Grid, timestamps: readonly number[]): boolean {
  let direct = 0;
  for (let index = 1; index < timestamps.length; index++) {
    if (grid.next(timestamps[index - 1] ?? Number.NaN) === timestamps[index]) direct++;
  }
  return 2 * direct >= timestamps.length - 1;
}

/**
 * The frequency of timestamps that came without one: of the grids that hold them all, the one with the fewest gaps,
 * which is the coarsest. Throws a `SeriesError`: AMBIGUOUS_FREQUENCY for fewer than three rows; NO_FREQUENCY where they
 * have a rhythm that is on no grid (weekly values on Wednesdays, years that start on 1 January: guessing days or months
 * would invent gaps), or none at all; IRREGULAR where a grid holds them and most steps on it are longer than a period.
 *
 * @example inferFrequency([Date.UTC(2024, 0, 31), Date.UTC(2024, 1, 29), Date.UTC(2024, 2, 31)]) // '1ME'
 */
export function inferFrequency(timestamps: ArrayLike<number>, kind: SeriesKind = 'plain', hours?: Hours): Frequency {
  checkTimestamps(timestamps, { earliest: EARLIEST_INSTANT, latest: LATEST_INSTANT });
  const times = Array.from(timestamps);
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined || times.length < MIN_ROWS) {
    const message = `A frequency cannot be told from ${times.length} rows; name it, or send at least ${MIN_ROWS}.`;
    throw new SeriesError('AMBIGUOUS_FREQUENCY', message);
  }
  const candidates = FREQUENCIES.map((frequency) => ({ frequency, grid: gridOf({ frequency, kind, hours }) }))
    .filter(({ grid }) => holds(grid, times))
    .map(({ frequency, grid }) => ({ frequency, grid, steps: grid.steps(first, last) }))
    .sort((one, other) => one.steps - other.steps);
  const best = candidates[0];
  if (best !== undefined && isRegular(best.grid, times)) return best.frequency;
  throw refusalOf(times, best?.frequency);
}

function refusalOf(times: readonly number[], best: Frequency | undefined): SeriesError {
  const rhythm = findRhythm({ instants: times, written: times });
  if (rhythm !== null) return new SeriesError('NO_FREQUENCY', sayRhythm(rhythm, times));
  const there = `Frequencies: ${FREQUENCIES.join(', ')}.`;
  if (best === undefined) {
    return new SeriesError('NO_FREQUENCY', `The timestamps are irregular: no frequency fits all rows. ${there}`);
  }
  return new SeriesError(
    'IRREGULAR',
    `The timestamps are irregular: most rows are not one ${best} period apart. ${there}`,
  );
}
