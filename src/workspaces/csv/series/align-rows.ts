import {
  EARLIEST_INSTANT,
  type Frequency,
  fixedStep,
  PERIOD_WORDS,
  periodTimestamp,
  type RowTimes,
} from '../../../calendar/index.ts';
import { lineFault } from '../reading/line-fault.ts';
import type { CollectedRows } from './ordered-rows.ts';

const [MINUTE, DAY] = [60_000, 86_400_000];

/** By which day or instant of their periods rows are dated that were dated in another way. */
const DATED_BY = {
  '1min': 'start_of_minute',
  '5min': 'start_of_5_minutes',
  '15min': 'start_of_15_minutes',
  '30min': 'start_of_30_minutes',
  '1h': 'start_of_hour',
  '4h': 'start_of_4_hours',
  '1D': 'day_as_written',
  '1W-MON': 'monday_of_week',
  '1MS': 'first_day_of_month',
  '1ME': 'last_day_of_month',
  '1QE': 'last_day_of_quarter',
  '1YE': 'last_day_of_year',
} as const satisfies Record<Frequency, string>;

export type DatedBy = (typeof DATED_BY)[Frequency];

/** The times of rows for `findRhythm`: as instants, and as the clocks showed that they were written by. */
export function rowTimesOf({ times, offsets }: Pick<CollectedRows, 'times' | 'offsets'>): RowTimes {
  return { instants: times, written: times.map((time, row) => time + (offsets[row] as number) * MINUTE) };
}

export interface AlignedRows {
  readonly rows: CollectedRows;
  readonly datedBy: DatedBy;
}

/**
 * Dates rows by the periods that they lie in: days and longer ones by what was written, shorter ones by the instant, as
 * clocks that are put back show an hour twice. Two rows in one period are refused with both lines.
 */
export function alignRows(rows: CollectedRows, frequency: Frequency): AlignedRows {
  const { instants, written } = rowTimesOf(rows);
  const length = fixedStep(frequency);
  const source = length !== null && length < DAY ? instants : written;
  const times = Float64Array.from(source, (time) => periodTimestamp(frequency, time));
  for (let row = 0; row < times.length; row++) {
    const time = times[row] as number;
    if (time < EARLIEST_INSTANT) {
      throw lineFault(rows.lines[row] as number, `its ${PERIOD_WORDS[frequency].noun} begins before the year 1800.`);
    }
    if (row > 0 && time <= (times[row - 1] as number)) throw sharedPeriod(rows, frequency, row);
  }
  return { rows: { ...rows, times }, datedBy: DATED_BY[frequency] };
}

/** The fault for a row that lies in the period of the one before it. */
export function sharedPeriod(
  { times, lines }: Pick<CollectedRows, 'times' | 'lines'>,
  frequency: Frequency,
  row: number,
) {
  const { adverb, noun } = PERIOD_WORDS[frequency];
  const [first, second] = [row - 1, row]
    .map((one) => ({ line: lines[one] as number, instant: new Date(times[one] as number).toISOString() }))
    .sort((one, other) => one.line - other.line);
  return lineFault(
    second?.line ?? 0,
    `${second?.instant} lies in the same ${noun} as ${first?.instant} on line ${first?.line}. The rows are ${adverb}: leave one for each ${noun}.`,
  );
}
