import { lineFault } from '../reading/line-fault.ts';

/** Rows of a series in the order of the file. */
export interface CollectedRows {
  readonly times: Float64Array;
  readonly values: Float64Array;
  readonly lines: Uint32Array;
}

/** The same rows by time, the earliest first. Two rows of one time are refused with their lines. */
export function orderByTime(rows: CollectedRows): CollectedRows {
  const sorted = rows.times.toSorted();
  refuseRepeated(sorted, rows);
  const values = new Float64Array(sorted.length);
  const lines = new Uint32Array(sorted.length);
  // Each time has one place. Sorting rows by a function that compares them takes ten times as long, for everybody.
  for (let row = 0; row < sorted.length; row++) {
    const time = rows.times[row] as number;
    const place = sorted[row] === time ? row : placeOf(time, sorted);
    values[place] = rows.values[row] as number;
    lines[place] = rows.lines[row] as number;
  }
  return { times: sorted, values, lines };
}

/** Where a time stands among others in order, of which it is one. */
function placeOf(time: number, sorted: Float64Array): number {
  let [low, high] = [0, sorted.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

function refuseRepeated(sorted: Float64Array, { times, lines }: CollectedRows): void {
  const repeated = sorted.findIndex((time, place) => time === sorted[place - 1]);
  if (repeated < 0) return;
  const time = sorted[repeated] as number;
  const first = times.indexOf(time);
  const second = times.indexOf(time, first + 1);
  const instant = new Date(time).toISOString();
  throw lineFault(lines[second] as number, `the time ${instant} is that of line ${lines[first]} already.`);
}
