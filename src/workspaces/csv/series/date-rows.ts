import {
  FREQUENCIES,
  type Frequency,
  findRhythm,
  gridOf,
  inferFrequency,
  SeriesError,
} from '../../../calendar/index.ts';
import { Fault } from '../../../contract/index.ts';
import { lineFault } from '../reading/line-fault.ts';
import { alignRows, type DatedBy, rowTimesOf, sharedPeriod } from './align-rows.ts';
import type { CollectedRows } from './ordered-rows.ts';

/** As many as a forecast takes; those before them cannot change its frequency. */
export const MAX_ROWS = 50_000;
/** A row is called the odd one out only where nearly all others agree. */
const AGREEING = 0.9;

/** Rows with the timestamps of their frequency. */
export interface DatedRows {
  readonly rows: CollectedRows;
  readonly frequency: Frequency;
  /** How they were dated anew; null: their times were left as they are. */
  readonly datedBy: DatedBy | null;
}

/**
 * The frequency of rows by the latest of them. Rows that lie in periods of their own without carrying their timestamps
 * get these: weeks by their Fridays, months by their last business day. Others are refused with what is in the way.
 */
export function dateRows(rows: CollectedRows): DatedRows {
  const latest = {
    times: rows.times.subarray(-MAX_ROWS),
    lines: rows.lines.subarray(-MAX_ROWS),
    offsets: rows.offsets.subarray(-MAX_ROWS),
  };
  try {
    return { rows, frequency: inferFrequency(latest.times), datedBy: null };
  } catch (error) {
    if (!(error instanceof SeriesError)) throw error;
    if (error.code === 'AMBIGUOUS_FREQUENCY') {
      const count = rows.times.length;
      throw new Fault('INSUFFICIENT_HISTORY', `The file has ${count} rows with a value; at least 3 are needed.`);
    }
    const rhythm = findRhythm(rowTimesOf(latest));
    if (rhythm?.kind === 'periods') return { ...alignRows(rows, rhythm.frequency), frequency: rhythm.frequency };
    if (rhythm?.kind === 'shared') throw sharedPeriod(latest, rhythm.frequency, rhythm.index);
    throw oddOneOut(latest) ?? new Fault('INVALID_REQUEST', `source: ${error.message}`);
  }
}

/** The fault that names the first row off the one rhythm that nearly all others keep; null: there is no such rhythm. */
function oddOneOut({ times, lines }: Pick<CollectedRows, 'times' | 'lines'>): Fault | null {
  for (const frequency of FREQUENCIES.toReversed()) {
    const grid = gridOf({ frequency, kind: 'plain' });
    const isOn = (time: number) => time >= grid.earliest && time <= grid.latest && grid.contains(time);
    const off = times.findIndex((time) => !isOn(time));
    if (off < 0 || times.filter(isOn).length < AGREEING * times.length) continue;
    const instant = new Date(times[off] as number).toISOString();
    return lineFault(
      lines[off] as number,
      `${instant} is not ${grid.rule}, as the times of nearly all other rows are.`,
    );
  }
  return null;
}
