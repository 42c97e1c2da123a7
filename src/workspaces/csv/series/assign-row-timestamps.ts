import { assignTimestamps, type Frequency, MINUTE_MS, PERIOD_WORDS, type RowTimes } from '../../../calendar/index.ts';
import type { Fault } from '../../../contract/index.ts';
import { lineFault, sourceInvalid, tooFewRows } from '../../faults.ts';
import type { CollectedRows } from './read-cells.ts';

/** Maximum number of rows of a forecast. Earlier rows do not affect the frequency. */
export const MAX_ROWS = 50_000;
/** Minimum number of rows, because a frequency is inferred from at least two intervals. */
const MIN_ROWS = 3;

/** By frequency: the day or instant that dates a row if the file dates it in another way. */
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

type DatedBy = (typeof DATED_BY)[Frequency];

/** Rows whose times are the timestamps of their frequency. */
export interface DatedRows {
  readonly rows: CollectedRows;
  readonly frequency: Frequency;
  /** How the rows were dated; null if their times are unchanged. */
  readonly datedBy: DatedBy | null;
}

/**
 * Infers the frequency of the rows from the latest rows. If each row lies in its own period but does not have the
 * timestamp of that period, it gets that timestamp, for example if weeks are dated by Fridays or months by their last
 * business day. Throws a fault that names the problem if the rows have no frequency.
 */
export function assignRowTimestamps(rows: CollectedRows): DatedRows {
  const { times, lines } = rows;
  const assigned = assignTimestamps(rowTimesOf(rows), MAX_ROWS);
  switch (assigned.kind) {
    case 'assigned': {
      const { frequency, timestamps } = assigned;
      if (timestamps === null) return { rows, frequency, datedBy: null };
      return { rows: { ...rows, times: timestamps }, frequency, datedBy: DATED_BY[frequency] };
    }
    case 'few':
      throw tooFewRows(times.length, MIN_ROWS);
    case 'shared':
      throw sharedPeriodFault(rows, assigned.frequency, assigned.row);
    case 'early': {
      const { noun } = PERIOD_WORDS[assigned.frequency];
      throw lineFault(lines[assigned.row] as number, `its ${noun} begins before the year 1800.`);
    }
    case 'off-grid': {
      const instant = new Date(times[assigned.row] as number).toISOString();
      throw lineFault(
        lines[assigned.row] as number,
        `${instant} is not ${assigned.rule}, as the times of nearly all other rows are.`,
      );
    }
    case 'irregular':
      throw sourceInvalid(assigned.error.message);
  }
}

/** Returns the times of the rows, both as instants and as local times. */
function rowTimesOf({ times, offsets }: Pick<CollectedRows, 'times' | 'offsets'>): RowTimes {
  return { instants: times, written: times.map((time, row) => time + (offsets[row] as number) * MINUTE_MS) };
}

/** Returns the fault for a row that lies in the same period as the row before it. */
function sharedPeriodFault(
  { times, lines }: Pick<CollectedRows, 'times' | 'lines'>,
  frequency: Frequency,
  row: number,
): Fault {
  const { adverb, noun } = PERIOD_WORDS[frequency];
  const [first, second] = [row - 1, row]
    .map((index) => ({ line: lines[index] as number, instant: new Date(times[index] as number).toISOString() }))
    .sort((a, b) => a.line - b.line);
  return lineFault(
    second?.line ?? 0,
    `${second?.instant} lies in the same ${noun} as ${first?.instant} on line ${first?.line}. The rows are ${adverb}: keep one row for each ${noun}.`,
  );
}
