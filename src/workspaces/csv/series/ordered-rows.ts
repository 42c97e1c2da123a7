import { lineFault } from '../reading/line-fault.ts';

/** Rows of a series in the order of the file. */
export interface CollectedRows {
  readonly times: Float64Array;
  readonly values: Float64Array;
  readonly lines: Uint32Array;
  /** Minutes that the clocks by which the times were written are ahead of UTC. */
  readonly offsets: Int16Array;
}

/** Room for so many rows, to be filled one by one. */
export function roomFor(rows: number): CollectedRows {
  return {
    times: new Float64Array(rows),
    values: new Float64Array(rows),
    lines: new Uint32Array(rows),
    offsets: new Int16Array(rows),
  };
}

/** Some of the rows: the first so many, or those that are chosen. */
export function someOf(rows: CollectedRows, choice: number | ((row: number) => boolean)): CollectedRows {
  const take = <Column extends Float64Array | Uint32Array | Int16Array>(column: Column): Column =>
    (typeof choice === 'number'
      ? column.subarray(0, choice)
      : column.filter((_: number, row: number) => choice(row))) as Column;
  return {
    times: take(rows.times),
    values: take(rows.values),
    lines: take(rows.lines),
    offsets: take(rows.offsets),
  };
}

/** The same rows by time, the earliest first. Two rows of one time are refused with their lines. */
export function orderByTime(rows: CollectedRows): CollectedRows {
  const sorted = rows.times.toSorted();
  refuseRepeated(sorted, rows);
  const ordered = { ...roomFor(sorted.length), times: sorted };
  // Each time has one place. Sorting rows by a function that compares them takes ten times as long, for everybody.
  for (let row = 0; row < sorted.length; row++) {
    const time = rows.times[row] as number;
    const place = sorted[row] === time ? row : placeOf(time, sorted);
    ordered.values[place] = rows.values[row] as number;
    ordered.lines[place] = rows.lines[row] as number;
    ordered.offsets[place] = rows.offsets[row] as number;
  }
  return ordered;
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
