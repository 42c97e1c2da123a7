import { FREQUENCIES, type Frequency, gridOf, inferFrequency, SeriesError } from '../../../calendar/index.ts';
import { Fault } from '../../../contract/index.ts';
import { lineFault } from '../reading/line-fault.ts';
import type { CollectedRows } from './ordered-rows.ts';

/** As many as a forecast takes; those before them cannot change its frequency. */
export const MOST_ROWS = 50_000;
/** A row is called the odd one out only where nearly all others agree. */
const AGREEING = 0.9;

/** The frequency of the latest rows, or the fault that says what keeps them from having one. */
export function frequencyOf({ times, lines }: Pick<CollectedRows, 'times' | 'lines'>): Frequency {
  const latest = times.subarray(-MOST_ROWS);
  try {
    return inferFrequency(latest);
  } catch (error) {
    if (!(error instanceof SeriesError)) throw error;
    if (error.code === 'AMBIGUOUS_FREQUENCY') {
      throw new Fault('INSUFFICIENT_HISTORY', `The file has ${times.length} rows with a value; at least 3 are needed.`);
    }
    throw oddOneOut(latest, lines.subarray(-MOST_ROWS)) ?? new Fault('INVALID_REQUEST', `source: ${error.message}`);
  }
}

/** The fault that names the first row off the one rhythm that nearly all others keep; null: there is no such rhythm. */
function oddOneOut(times: Float64Array, lines: Uint32Array): Fault | null {
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
