import {
  DAY_MS,
  EARLIEST_INSTANT,
  FREQUENCIES,
  type Frequency,
  findSpacing,
  fixedStep,
  gridOf,
  inferFrequency,
  MINUTE_MS,
  PERIOD_WORDS,
  periodTimestamp,
  type RowTimes,
  SeriesError,
} from '../../../calendar/index.ts';
import type { Fault } from '../../../contract/index.ts';
import { lineFault, sourceInvalid, tooFewRows } from '../../faults.ts';
import type { CollectedRows } from './read-cells.ts';

/** Maximum number of rows of a forecast. Earlier rows do not affect the frequency. */
export const MAX_ROWS = 50_000;
/** Minimum number of rows, because a frequency is inferred from at least two intervals. */
const MIN_ROWS = 3;
/** The share of rows that must be on a grid for a row off the grid to be reported. */
const NEARLY_ALL = 0.9;

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
  const latest = {
    times: rows.times.subarray(-MAX_ROWS),
    lines: rows.lines.subarray(-MAX_ROWS),
    offsets: rows.offsets.subarray(-MAX_ROWS),
  };
  try {
    return { rows, frequency: inferFrequency(latest.times), datedBy: null };
  } catch (error) {
    if (!(error instanceof SeriesError)) throw error;
    if (error.code === 'AMBIGUOUS_FREQUENCY') throw tooFewRows(rows.times.length, MIN_ROWS);
    const spacing = findSpacing(rowTimesOf(latest));
    if (spacing?.kind === 'periods') return { ...alignRows(rows, spacing.frequency), frequency: spacing.frequency };
    if (spacing?.kind === 'shared') throw sharedPeriodFault(latest, spacing.frequency, spacing.index);
    throw rowOffGridFault(latest) ?? sourceInvalid(error.message);
  }
}

/** Returns the fault for the first row that is off the grid of nearly all rows, or null if there is no such grid. */
function rowOffGridFault({ times, lines }: Pick<CollectedRows, 'times' | 'lines'>): Fault | null {
  for (const frequency of FREQUENCIES.toReversed()) {
    const grid = gridOf({ frequency, kind: 'plain' });
    const isOnGrid = (time: number) => time >= grid.earliest && time <= grid.latest && grid.contains(time);
    const off = times.findIndex((time) => !isOnGrid(time));
    if (off < 0 || times.filter(isOnGrid).length < NEARLY_ALL * times.length) continue;
    const instant = new Date(times[off] as number).toISOString();
    return lineFault(
      lines[off] as number,
      `${instant} is not ${grid.rule}, as the times of nearly all other rows are.`,
    );
  }
  return null;
}

/** Returns the times of the rows, both as instants and as local times. */
function rowTimesOf({ times, offsets }: Pick<CollectedRows, 'times' | 'offsets'>): RowTimes {
  return { instants: times, written: times.map((time, row) => time + (offsets[row] as number) * MINUTE_MS) };
}

interface AlignedRows {
  readonly rows: CollectedRows;
  readonly datedBy: DatedBy;
}

/**
 * Gives each row the timestamp of the period in which it lies. Days and longer periods are found from the local time,
 * shorter ones from the instant, because a clock that is set back shows an hour twice. Throws a fault if two rows lie in
 * the same period.
 */
function alignRows(rows: CollectedRows, frequency: Frequency): AlignedRows {
  const { instants, written } = rowTimesOf(rows);
  const length = fixedStep(frequency);
  const source = length !== null && length < DAY_MS ? instants : written;
  const times = Float64Array.from(source, (time) => periodTimestamp(frequency, time));
  for (let row = 0; row < times.length; row++) {
    const time = times[row] as number;
    if (time < EARLIEST_INSTANT) {
      throw lineFault(rows.lines[row] as number, `its ${PERIOD_WORDS[frequency].noun} begins before the year 1800.`);
    }
    if (row > 0 && time <= (times[row - 1] as number)) throw sharedPeriodFault(rows, frequency, row);
  }
  return { rows: { ...rows, times }, datedBy: DATED_BY[frequency] };
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
