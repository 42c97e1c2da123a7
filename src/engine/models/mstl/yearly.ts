import { type Cadence, futureTimestamps, SeriesError } from '../../../calendar/index.ts';
import { type AbortFlag, ModelError, throwIfAborted } from '../../model.ts';
import { pow } from '../../numerics/elementary.ts';
import { solvePositiveDefinite } from '../../numerics/least-squares.ts';
import { cos, sin } from '../../numerics/trigonometric.ts';
import { addRow, createPositionSums, slowLevel } from './profile.ts';

/** Terms of a smooth year: pairs of sine and cosine. The largest number of pairs, and those that are tried. */
const MAX_PAIRS = 8;
const PAIRS = [0, 3, MAX_PAIRS];
/** What a date adds to the smooth year, such as a holiday, counts as nothing for so many years. */
const DATE_STRENGTHS = [Number.POSITIVE_INFINITY, 1];
const HALF_LIFE_YEARS = 6;
const DAY_MS = 86_400_000;
const YEAR_DAYS = 365.25;
/** Cells for 12 months of 31 days. */
const CELLS = 372;
const WEEK_HALF_LIFE = 365;
/** The pattern is estimated again so often, from the rows so far. */
const REFRESHES = 10;
/** A smaller gain in the past errors does not justify a year. */
const MIN_GAIN = 0.1;

/** The dates of daily rows. */
export interface DailyCalendar {
  readonly times: Float64Array;
  readonly cadence: Cadence;
  /** The rows of a week, such as 7; 1 if the series has none. */
  readonly week: number;
}

/** The pattern of a year: its value in each row, always from earlier rows, and in the steps after the series. */
export interface YearlyPattern {
  readonly past: Float64Array;
  readonly future: Float64Array;
}

/**
 * Returns the pattern of the year in daily rows, or null if it would not have made past forecasts better. The series
 * must cover at least two years.
 */
export function fitYear(
  values: Float64Array,
  calendar: DailyCalendar,
  horizon: number,
  signal: AbortFlag | undefined,
): YearlyPattern | null {
  const { times, cadence, week } = calendar;
  const n = values.length;
  const rowsPerYear = Math.round((n * YEAR_DAYS * DAY_MS) / ((times[n - 1] as number) - (times[0] as number) + DAY_MS));
  if (!(n >= 2 * rowsPerYear)) return null;
  const rest = withoutWeek(values, slowLevel(values, rowsPerYear), week);
  const all = new Float64Array(n + horizon);
  all.set(times);
  all.set(datesAfter(cadence, times[n - 1] as number, horizon), n);
  const terms = termsOf(all);
  const cells = Int32Array.from(all, cellOf);
  const first = Math.max(rowsPerYear, n - 3 * rowsPerYear);
  const shapes = PAIRS.flatMap((pairs) => DATE_STRENGTHS.map((strength) => ({ pairs, strength })));
  const patterns = shapes.map(() => new Float64Array(n + horizon));
  const sums = createYearSums();
  const step = Math.ceil((n - first) / REFRESHES);
  for (let t = 0; t <= n; t++) {
    if (t === n || (t >= first && (t - first) % step === 0)) {
      throwIfAborted(signal);
      const from = t === first ? 0 : t;
      const to = t === n ? n + horizon : Math.min(n, t + step);
      shapes.forEach((shape, i) => {
        writePattern(sums, shape, terms, cells, from, to, patterns[i] as Float64Array);
      });
    }
    if (t === n || Number.isNaN(rest[t])) continue;
    addToYear(
      sums,
      terms,
      cells[t] as number,
      t,
      rest[t] as number,
      pow(0.5, (n - t) / (HALF_LIFE_YEARS * rowsPerYear)),
    );
  }
  const errors = patterns.map((pattern) => {
    let sum = 0;
    for (let t = first; t < n; t++) {
      const error = Math.abs((rest[t] as number) - (pattern[t] as number));
      if (error >= 0) sum += error;
    }
    return sum;
  });
  const best = errors.reduce((a, error, i) => (error < (errors[a] as number) ? i : a), 0);
  if (!((errors[best] as number) < (1 - MIN_GAIN) * (errors[0] as number))) return null;
  const pattern = patterns[best] as Float64Array;
  return { past: pattern.subarray(0, n), future: pattern.subarray(n) };
}

/** Returns the rows without the slow level and without the mean of their weekday in earlier rows. */
function withoutWeek(values: Float64Array, level: Float64Array, week: number): Float64Array {
  const around = slowLevel(values, week);
  const sums = createPositionSums([week], WEEK_HALF_LIFE);
  return values.map((value, t) => {
    const position = t % week;
    const mean = (sums.sums[0]?.[position] as number) / ((sums.weights[0]?.[position] as number) + 1);
    addRow(sums, t, value - (around[t] as number));
    return value - (level[t] as number) - mean;
  });
}

function datesAfter(cadence: Cadence, last: number, horizon: number): Float64Array {
  try {
    return futureTimestamps(cadence, last, horizon);
  } catch (error) {
    if (error instanceof SeriesError) throw new ModelError('INVALID_SERIES', error.message);
    if (error instanceof RangeError) throw new ModelError('UNSUPPORTED_HORIZON', error.message);
    throw error;
  }
}

/** A constant and pairs of sine and cosine for each row. */
const WIDTH = 2 * MAX_PAIRS + 1;

function termsOf(times: Float64Array): Float64Array {
  const terms = new Float64Array(times.length * WIDTH);
  times.forEach((time, t) => {
    const angle = (2 * Math.PI * (time / DAY_MS)) / YEAR_DAYS;
    const c = cos(angle);
    const s = sin(angle);
    let real = 1;
    let imaginary = 0;
    terms[t * WIDTH] = 1;
    for (let k = 1; k <= MAX_PAIRS; k++) {
      const next = real * c - imaginary * s;
      imaginary = real * s + imaginary * c;
      real = next;
      terms[t * WIDTH + 2 * k - 1] = real;
      terms[t * WIDTH + 2 * k] = imaginary;
    }
  });
  return terms;
}

function cellOf(time: number): number {
  const date = new Date(time);
  return date.getUTCMonth() * 31 + date.getUTCDate() - 1;
}

interface YearSums {
  readonly products: Float64Array;
  readonly targets: Float64Array;
  readonly sums: Float64Array;
  readonly weights: Float64Array;
  readonly years: Float64Array;
}

function createYearSums(): YearSums {
  return {
    products: new Float64Array(WIDTH * WIDTH),
    targets: new Float64Array(WIDTH),
    sums: new Float64Array(CELLS),
    weights: new Float64Array(CELLS),
    years: new Float64Array(CELLS),
  };
}

function addToYear(into: YearSums, terms: Float64Array, cell: number, t: number, value: number, weight: number): void {
  const row = t * WIDTH;
  for (let i = 0; i < WIDTH; i++) {
    const weighted = weight * (terms[row + i] as number);
    into.targets[i] = (into.targets[i] as number) + weighted * value;
    for (let j = 0; j <= i; j++) {
      into.products[i * WIDTH + j] = (into.products[i * WIDTH + j] as number) + weighted * (terms[row + j] as number);
    }
  }
  into.sums[cell] = (into.sums[cell] as number) + weight * value;
  into.weights[cell] = (into.weights[cell] as number) + weight;
  into.years[cell] = (into.years[cell] as number) + 1;
}

function writePattern(
  { products, targets, sums, weights, years }: YearSums,
  { pairs, strength }: { readonly pairs: number; readonly strength: number },
  terms: Float64Array,
  cells: Int32Array,
  from: number,
  to: number,
  into: Float64Array,
): void {
  const width = 2 * pairs + 1;
  const a = new Float64Array(width * width);
  const b = targets.slice(0, width);
  for (let i = 0; i < width; i++)
    for (let j = 0; j <= i; j++)
      // The ridge keeps a pattern of few years small.
      a[i * width + j] = (products[i * WIDTH + j] as number) + (i === j ? 1e-3 * (products[0] as number) : 0);
  if (!solvePositiveDefinite(a, b, width)) b.fill(0);
  // The level is not a part of the pattern.
  if (pairs === 0) b.fill(0);
  for (let t = from; t < to; t++) {
    let smooth = 0;
    for (let i = 1; i < width; i++) smooth += (b[i] as number) * (terms[t * WIDTH + i] as number);
    const cell = cells[t] as number;
    const count = years[cell] as number;
    const own = count > 0 ? (sums[cell] as number) / (weights[cell] as number) - smooth : 0;
    into[t] = smooth + (strength === Number.POSITIVE_INFINITY ? 0 : (own * count) / (count + strength));
  }
}
