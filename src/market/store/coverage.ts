import type { Cadence } from '../../calendar/index.ts';
import { lastBarBefore } from './bar-times.ts';

/** From one instant to another, exclusive: every bar that begins in between and that the provider has is stored. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** What is stored of a series. */
export interface Coverage {
  /** In order, with at least one missing bar between two ranges. */
  readonly ranges: readonly Range[];
  /** Bars of the last range before this instant were settled when they were read. All bars of earlier ranges were. */
  readonly settledTo: number;
  /** The newest settled bar of the last range; null if it has none. */
  readonly settledBar: number | null;
  /** The newest bar of the last range; null if it has none. */
  readonly lastBar: number | null;
  /** The session for which adjusted prices were last checked; null if they are not adjusted. */
  readonly checkedOn: number | null;
  /** When the newest bars were last requested; null if only older ones were. */
  readonly requestedAt: number | null;
}

/** A range that was read from the provider. */
export interface ReadRange extends Range {
  /** The timestamps of its bars, oldest first. */
  readonly timestamps: ArrayLike<number>;
  /** Bars before this instant were settled at the time. */
  readonly settledTo: number;
  /** When it was requested, if it ends with the newest bar that could be read; null otherwise. */
  readonly requestedAt: number | null;
  /** The session for which its prices hold; null if they are not adjusted. */
  readonly checkDate: number | null;
}

/** Returns the range that holds the bars just before an instant, or undefined. */
export function rangeBefore(ranges: readonly Range[], instant: number): Range | undefined {
  return ranges.find(({ from, to }) => from < instant && instant <= to);
}

/** Returns the part of each range whose bars are settled. */
export function settledRanges({ ranges, settledTo }: Coverage): readonly Range[] {
  return ranges.map((range, i) => (i < ranges.length - 1 ? range : { ...range, to: Math.min(range.to, settledTo) }));
}

/** Returns the coverage of a series of which only one range was read. */
export function coverRange(read: ReadRange): Coverage {
  const { from, to, requestedAt, checkDate } = read;
  const settledTo = Math.max(from, Math.min(to, read.settledTo));
  return {
    ranges: [{ from, to }],
    settledTo,
    settledBar: lastBelow(read.timestamps, settledTo),
    lastBar: lastBelow(read.timestamps, to),
    checkedOn: checkDate,
    requestedAt,
  };
}

/**
 * Adds a range that was read to the coverage. Only the newest range can have bars that are not settled: an earlier one
 * ends where they begin, because they are not read again.
 */
export function extendCoverage(cadence: Cadence, coverage: Coverage, read: ReadRange): Coverage {
  const last = coverage.ranges.at(-1);
  if (last === undefined) return coverRange(read);
  const isTouching = touches(cadence, last, read);
  const checkedOn = read.checkDate;
  if (!isTouching && read.from > last.from) {
    const earlier = addRange(cadence, coverage.ranges.slice(0, -1), {
      from: last.from,
      to: Math.min(last.to, coverage.settledTo),
    });
    return { ...coverRange(read), ranges: [...earlier, { from: read.from, to: read.to }] };
  }
  if (!isTouching) {
    const ranges = addRange(cadence, coverage.ranges, { from: read.from, to: Math.min(read.to, read.settledTo) });
    return { ...coverage, ranges, checkedOn };
  }
  const ranges = addRange(cadence, coverage.ranges, read);
  // Bars between the settled ones and the range were not read again, so they are not settled.
  const isContiguous = touches(cadence, { from: last.from, to: coverage.settledTo }, read);
  const settledTo = isContiguous ? Math.max(coverage.settledTo, Math.min(read.to, read.settledTo)) : coverage.settledTo;
  const readLast = lastBelow(read.timestamps, read.to);
  return {
    ranges,
    settledTo,
    settledBar: latest(coverage.settledBar, lastBelow(read.timestamps, settledTo)),
    lastBar: read.to >= last.to ? replaceLast(coverage.lastBar, readLast, read.from) : coverage.lastBar,
    checkedOn,
    requestedAt: read.requestedAt ?? coverage.requestedAt,
  };
}

/** Returns the newest bar after a range was read that begins at `from`: bars within the range were replaced. */
function replaceLast(before: number | null, read: number | null, from: number): number | null {
  return read ?? (before !== null && before < from ? before : null);
}

function latest(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}

function lastBelow(timestamps: ArrayLike<number>, instant: number): number | null {
  for (let i = timestamps.length - 1; i >= 0; i--) {
    const time = timestamps[i] as number;
    if (time < instant) return time;
  }
  return null;
}

function addRange(cadence: Cadence, ranges: readonly Range[], added: Range): readonly Range[] {
  if (added.to <= added.from) return ranges;
  let joined: Range = { from: added.from, to: added.to };
  const others: Range[] = [];
  for (const range of ranges) {
    if (touches(cadence, range, joined)) {
      joined = { from: Math.min(range.from, joined.from), to: Math.max(range.to, joined.to) };
    } else others.push(range);
  }
  return [...others, joined].sort((a, b) => a.from - b.from);
}

/** Returns whether no bar can lie between two ranges. */
function touches(cadence: Cadence, one: Range, other: Range): boolean {
  const [early, late] = one.from <= other.from ? [one, other] : [other, one];
  return late.from <= early.to || lastBarBefore(cadence, late.from) < early.to;
}
