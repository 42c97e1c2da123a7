import {
  assignTimestamps,
  DAY_MS,
  type Frequency,
  HOUR_MS,
  MINUTE_MS,
  PERIOD_WORDS,
  periodEnd,
  periodStart,
  periodTimestamp,
} from '../../calendar/index.ts';
import type { RawRows, WarehouseQuery } from './engine.ts';
import {
  noCadence,
  periodTooEarly,
  rowOffGrid,
  rowsAtOneTime,
  rowsOfOnePeriod,
  timeInvalid,
  tooFewRows,
  valueInfinite,
} from './faults.ts';
import { fromRawTime } from './raw-times.ts';

/** With two rows, a single missing row would change the frequency. */
const MIN_ROWS = 3;
/** Number of different steps that the fault for rows without a frequency shows. */
const MAX_STEPS_SHOWN = 3;

/** Rows with the timestamps of their frequency, ascending. Every row has a value. */
export interface TimedRows {
  readonly timestamps: Float64Array;
  readonly values: Float64Array;
  readonly frequency: Frequency;
}

/**
 * Gives the rows of a query their timestamps. Rows without a value are left out. The frequency is that of the
 * aggregate, or else it is inferred from all rows. Throws a fault with what was seen if the times have no frequency or
 * if two rows lie in one period.
 *
 * @param known the frequency, if it was inferred from more rows of the same series
 */
export function assignTimes(raw: RawRows, query: WarehouseQuery, known?: Frequency): TimedRows {
  const { times, values } = readRows(raw, query);
  const { frequency, timestamps } = findTimestamps(times, query, known);
  const [from, to] = findWholePeriods(timestamps, frequency, query);
  return { timestamps: timestamps.slice(from, to), values: values.slice(from, to), frequency };
}

/** Returns the rows that have a value, in milliseconds and ascending. */
function readRows(raw: RawRows, { time, value: { name }, aggregate }: WarehouseQuery): RawRows {
  const format = aggregate === null ? time.format : null;
  const times = new Float64Array(raw.times.length);
  const values = new Float64Array(raw.times.length);
  let count = 0;
  for (let row = 0; row < raw.times.length; row++) {
    const rawTime = raw.times[row] as number;
    const instant = fromRawTime(format, rawTime);
    if (instant === null) throw timeInvalid(time.column.name, time.format, formatRawTime(format, rawTime));
    const value = raw.values[row] ?? Number.NaN;
    const isMissing = Number.isNaN(value);
    // Queries leave out rows without a value, so that an aggregate is NaN only if infinite values cancel each other.
    if (isMissing && aggregate === null) continue;
    if (isMissing || !Number.isFinite(value)) throw valueInfinite(name, instant);
    // Rows are ordered by their raw times, which grow with the instants.
    if (count > 0 && instant < (times[count - 1] as number)) throw new Error('The rows of a query are not ascending.');
    times[count] = instant;
    values[count] = value;
    count++;
  }
  return { times: times.subarray(0, count), values: values.subarray(0, count) };
}

/** Formats a time that is not one; null if the query did not return it. */
function formatRawTime(format: WarehouseQuery['time']['format'], raw: number): string | null {
  if (Number.isNaN(raw)) return null;
  if (format !== null) return String(raw);
  const date = new Date(Math.floor(raw / 1_000));
  return Number.isNaN(date.getTime()) ? `${raw} microseconds since 1970` : date.toISOString();
}

type Assigned = Pick<TimedRows, 'timestamps' | 'frequency'>;

function findTimestamps(times: Float64Array, query: WarehouseQuery, known: Frequency | undefined): Assigned {
  if (query.aggregate !== null) return combined(times, query.aggregate.frequency);
  return known === undefined ? inferred(times, query.time.column.name) : aligned(times, known);
}

/** Returns the timestamps of rows whose frequency is known from more rows. */
function aligned(times: Float64Array, frequency: Frequency): Assigned {
  const timestamps = times.map((time) => periodTimestamp(frequency, time));
  const repeated = findRepeated(timestamps);
  if (repeated > 0) {
    const [first, second] = [times[repeated - 1] as number, times[repeated] as number];
    throw rowsOfOnePeriod(PERIOD_WORDS[frequency].noun, first, second);
  }
  return { timestamps, frequency };
}

/** Returns the timestamps of periods whose rows the query combined. */
function combined(starts: Float64Array, frequency: Frequency): Assigned {
  const timestamps = starts.map((start) => periodTimestamp(frequency, start));
  const repeated = findRepeated(timestamps);
  // The database returns each period once. Its reply is checked, because a repeated row would be counted twice.
  if (repeated > 0) throw rowsAtOneTime(starts[repeated] as number);
  return { timestamps, frequency };
}

/** Returns the timestamps of rows whose frequency is inferred. */
function inferred(times: Float64Array, column: string): Assigned {
  const repeated = findRepeated(times);
  if (repeated > 0) throw rowsAtOneTime(times[repeated] as number);
  const assigned = assignTimestamps({ instants: times, written: times }, times.length);
  switch (assigned.kind) {
    case 'assigned':
      return { timestamps: assigned.timestamps ?? times, frequency: assigned.frequency };
    case 'few':
      throw tooFewRows(times.length, MIN_ROWS);
    case 'shared': {
      const [first, second] = [times[assigned.row - 1] as number, times[assigned.row] as number];
      throw rowsOfOnePeriod(PERIOD_WORDS[assigned.frequency].noun, first, second);
    }
    case 'early':
      throw periodTooEarly(PERIOD_WORDS[assigned.frequency].noun, times[assigned.row] as number);
    case 'off-grid':
      throw rowOffGrid(times[assigned.row] as number, assigned.rule);
    case 'irregular':
      throw noCadence(column, times[0] as number, firstSteps(times));
  }
}

/** Returns the first row whose time is that of the row before it; -1 if there is none. */
function findRepeated(times: Float64Array): number {
  return times.findIndex((time, row) => row > 0 && time === times[row - 1]);
}

/** Returns the first different steps between rows, formatted. */
function firstSteps(times: Float64Array): readonly string[] {
  const steps = new Set<string>();
  for (let row = 1; row < times.length && steps.size < MAX_STEPS_SHOWN; row++) {
    steps.add(formatStep((times[row] as number) - (times[row - 1] as number)));
  }
  return [...steps];
}

const UNITS = [
  ['days', DAY_MS],
  ['hours', HOUR_MS],
  ['minutes', MINUTE_MS],
  ['seconds', 1_000],
] as const;

/** Formats a step in the largest unit that divides it. */
function formatStep(step: number): string {
  const [name, length] = UNITS.find(([, unit]) => step % unit === 0) ?? ['milliseconds', 1];
  return step === length ? `1 ${name.slice(0, -1)}` : `${step / length} ${name}`;
}

/**
 * Returns the first row whose period begins in the range of the query, and the row after the last one whose period ends
 * in it. The frequency is not known before the rows are read, so the query can include a part of a period at each end.
 */
function findWholePeriods(
  timestamps: Float64Array,
  frequency: Frequency,
  { from, to }: WarehouseQuery,
): readonly [number, number] {
  let [first, end] = [0, timestamps.length];
  while (from !== null && first < end && periodStart(frequency, timestamps[first] as number) < from) first++;
  while (to !== null && first < end && periodEnd(frequency, timestamps[end - 1] as number) > to) end--;
  return [first, end];
}
