import { FREQUENCIES, type Frequency } from '../frequencies.ts';
import { gridOf } from '../grid.ts';
import { inferFrequency } from '../infer-frequency.ts';
import { intradayStep, periodTimestamp } from '../periods.ts';
import { SeriesError } from '../series-error.ts';
import { EARLIEST_INSTANT } from '../time-range.ts';
import { findSpacing, type RowTimes } from './find-spacing.ts';

/** The share of rows that must be on a grid for a row off the grid to be reported. */
const NEARLY_ALL = 0.9;

/** The frequency of rows, with their timestamps; null if the times of the rows are their timestamps. */
export interface AssignedTimestamps {
  readonly kind: 'assigned';
  readonly frequency: Frequency;
  readonly timestamps: Float64Array | null;
}

/** Why rows have no frequency. `row` counts from 0. */
export type TimestampProblem =
  /** There are fewer rows than a frequency can be inferred from. */
  | { readonly kind: 'few' }
  /** The row lies in the same period as the row before it. */
  | { readonly kind: 'shared'; readonly frequency: Frequency; readonly row: number }
  /** The period of the row begins before the first instant of the calendar. */
  | { readonly kind: 'early'; readonly frequency: Frequency; readonly row: number }
  /** The row is not what `rule` states, as nearly all other rows are. */
  | { readonly kind: 'off-grid'; readonly row: number; readonly rule: string }
  | { readonly kind: 'irregular'; readonly error: SeriesError };

/**
 * Infers the frequency of rows from the latest of them. If each row lies in its own period but does not have the
 * timestamp of that period, it gets that timestamp, for example if weeks are dated by Fridays or months by their last
 * business day.
 *
 * @param maxInferred the number of the latest rows from which the frequency is inferred
 */
export function assignTimestamps(times: RowTimes, maxInferred: number): AssignedTimestamps | TimestampProblem {
  const skipped = Math.max(0, times.instants.length - maxInferred);
  const latest: RowTimes = { instants: from(times.instants, skipped), written: from(times.written, skipped) };
  try {
    return { kind: 'assigned', frequency: inferFrequency(latest.instants), timestamps: null };
  } catch (error) {
    if (!(error instanceof SeriesError)) throw error;
    if (error.code === 'AMBIGUOUS_FREQUENCY') return { kind: 'few' };
    const spacing = findSpacing(latest);
    if (spacing?.kind === 'periods') return alignRows(times, spacing.frequency);
    if (spacing?.kind === 'shared') {
      return { kind: 'shared', frequency: spacing.frequency, row: skipped + spacing.index };
    }
    const off = findRowOffGrid(latest.instants);
    return off === null ? { kind: 'irregular', error } : { ...off, row: skipped + off.row };
  }
}

function from(times: ArrayLike<number>, row: number): Float64Array {
  return (times instanceof Float64Array ? times : Float64Array.from(times)).subarray(row);
}

/** Returns the first row that is off the grid of nearly all rows, or null if there is no such grid. */
function findRowOffGrid(times: ArrayLike<number>): Extract<TimestampProblem, { kind: 'off-grid' }> | null {
  const all = Array.from(times);
  for (const frequency of FREQUENCIES.toReversed()) {
    const grid = gridOf({ frequency, kind: 'plain' });
    const isOnGrid = (time: number) => time >= grid.earliest && time <= grid.latest && grid.contains(time);
    const row = all.findIndex((time) => !isOnGrid(time));
    if (row < 0 || all.filter(isOnGrid).length < NEARLY_ALL * all.length) continue;
    return { kind: 'off-grid', row, rule: grid.rule };
  }
  return null;
}

/**
 * Gives each row the timestamp of the period in which it lies. Days and longer periods are found from the local time,
 * shorter ones from the instant, because a clock that is set back shows an hour twice.
 */
function alignRows({ instants, written }: RowTimes, frequency: Frequency): AssignedTimestamps | TimestampProblem {
  const source = intradayStep(frequency) === null ? written : instants;
  const timestamps = Float64Array.from(source, (time) => periodTimestamp(frequency, time));
  for (let row = 0; row < timestamps.length; row++) {
    const timestamp = timestamps[row] as number;
    if (timestamp < EARLIEST_INSTANT) return { kind: 'early', frequency, row };
    if (row > 0 && timestamp <= (timestamps[row - 1] as number)) return { kind: 'shared', frequency, row };
  }
  return { kind: 'assigned', frequency, timestamps };
}
