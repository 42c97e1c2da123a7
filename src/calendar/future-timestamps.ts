import type { Cadence } from './cadence.ts';
import { checkAlignment, checkTimestamps } from './check-rows.ts';
import { gridOf } from './grid.ts';

/** More steps than the horizon of any plan. Bounds the memory that a call can take. */
export const MAX_STEPS = 10_000;

/**
 * Returns the timestamps of the periods after a series, as its `Cadence` defines them. Throws a `SeriesError` if the
 * last timestamp does not fit the cadence, and a RangeError if the horizon is not a whole number from 1 to 10,000 or
 * reaches beyond the supported dates.
 *
 * @example futureTimestamps({ frequency: '1ME', kind: 'plain' }, Date.UTC(2024, 0, 31), 2) // 2024-02-29, 2024-03-31
 */
export function futureTimestamps(cadence: Cadence, last: number, horizon: number): Float64Array {
  if (!Number.isInteger(horizon) || horizon < 1 || horizon > MAX_STEPS) {
    throw new RangeError(`A horizon is a whole number from 1 to ${MAX_STEPS}, not ${horizon}.`);
  }
  const grid = gridOf(cadence);
  checkTimestamps([last], grid);
  checkAlignment([last], grid);
  const times = new Float64Array(horizon);
  let time = last;
  for (let step = 0; step < horizon; step++) {
    time = grid.next(time);
    times[step] = time;
  }
  return times;
}
