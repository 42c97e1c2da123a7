import type { Frequency } from '../frequencies.ts';
import { countPeriods, fixedStep, intradayStep } from '../periods.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../time-range.ts';
import { hasConstantMonth, hasConstantPosition, isLateInMonth } from './position-in-period.ts';

/** Times of rows, ascending. */
export interface RowTimes {
  readonly instants: ArrayLike<number>;
  /** The local clock times at which the rows were written, as if in UTC: a day begins by the local clock. */
  readonly written: ArrayLike<number>;
}

/** How rows that are on no grid follow one another. */
export type Spacing =
  /** Each row has a period of its own. */
  | { readonly kind: 'periods'; readonly frequency: Frequency }
  /** Each row has a period of its own, except some that lie in the period of the row before; `index` is the first. */
  | { readonly kind: 'shared'; readonly frequency: Frequency; readonly index: number }
  /** Each row has a quarter or year of its own, but not always in the same month of it. */
  | { readonly kind: 'floating'; readonly frequency: Frequency }
  /** The rows have a constant step that no frequency has. */
  | { readonly kind: 'step'; readonly step: string };

const PERIODS = ['1YE', '1QE', '1MS', '1W-MON', '1D', '4h', '1h', '30min', '15min', '5min', '1min'] as const;

/** Rows whose position in the period varies are accepted only if nearly all directly follow the row before. */
const NEARLY_ALL = 0.9;
/** Rows with a constant position may have as many gaps as rows on a grid. */
const HALF = 0.5;
/** From this share on, two rows in one period are a mistake rather than a shorter spacing, and a step is the step. */
const MOST = 0.75;
/** This many consecutive months (or quarters, or years) never have equal lengths: equal steps are then days. */
const NEVER_EQUAL = 6;
/** The range of lengths in days, from business day to business day, of periods whose length varies. */
const DAYS: Partial<Record<Frequency, readonly [number, number]>> = {
  '1MS': [28, 33],
  '1QE': [89, 94],
  '1YE': [363, 368],
};

/**
 * Returns the periods in which rows lie that do not carry the timestamps of a grid: weeks dated by Fridays, months by
 * their last business day. The longest periods are tried first; null if the rows have no spacing.
 *
 * @example findSpacing({ instants: fridays, written: fridays }) // { kind: 'periods', frequency: '1W-MON' }
 */
export function findSpacing({ instants, written }: RowTimes): Spacing | null {
  const steps = instants.length - 1;
  const [instantStep, writtenStep] = [commonStep(instants), commonStep(written)];
  let fallback: Spacing | null = null;
  for (const frequency of PERIODS) {
    const isIntraday = intradayStep(frequency) !== null;
    const times = isIntraday ? instants : written;
    const isConstant = hasConstantPosition(frequency, times);
    if (!isConstant && isContradicted(frequency, isIntraday ? instantStep : writtenStep, steps)) continue;
    const { direct, shared, isOrdered } = countSteps(frequency, times);
    if (!isOrdered) continue;
    if (shared !== null) {
      if (direct >= MOST * steps) fallback ??= { kind: 'shared', frequency, index: shared };
    } else if (direct >= (isConstant ? HALF : NEARLY_ALL) * steps) {
      if (hasConstantMonth(frequency, times)) return { kind: 'periods', frequency: monthStartOrEnd(frequency, times) };
      fallback ??= { kind: 'floating', frequency };
    }
  }
  // Rows a day apart that are still not daily were written by clocks that contradict each other.
  if (fallback !== null || PERIODS.some((frequency) => fixedStep(frequency) === instantStep?.length)) return fallback;
  const step = formatCommonStep(instants);
  return step === null ? null : { kind: 'step', step };
}

function monthStartOrEnd(frequency: Frequency, times: ArrayLike<number>): Frequency {
  return frequency === '1MS' && isLateInMonth(times) ? '1ME' : frequency;
}

/** Rows every 65 minutes each have an hour of their own for a while, but are not hourly. */
function isContradicted(frequency: Frequency, common: CommonStep | null, steps: number): boolean {
  if (common === null) return false;
  const length = fixedStep(frequency);
  if (length !== null) return common.length !== length;
  const [minDays, maxDays] = DAYS[frequency] ?? [0, 0];
  const isPossible = common.length >= minDays * DAY_MS && common.length <= maxDays * DAY_MS;
  return common.share >= NEARLY_ALL && (steps >= NEVER_EQUAL || !isPossible);
}

interface Steps {
  /** The number of rows that lie in the period after that of the row before. */
  readonly direct: number;
  /** The first row that lies in the period of the row before. */
  readonly shared: number | null;
  /** Local clocks can go back while the instants advance. */
  readonly isOrdered: boolean;
}

function countSteps(frequency: Frequency, times: ArrayLike<number>): Steps {
  let direct = 0;
  let shared: number | null = null;
  for (let row = 1; row < times.length; row++) {
    const [from, to] = [times[row - 1] as number, times[row] as number];
    const periods = countPeriods(frequency, from, to);
    if (periods < 0) return { direct, shared, isOrdered: false };
    if (periods === 0) shared ??= row;
    if (periods === 1 || (frequency === '1D' && periods === 3 && isFriday(from))) direct++;
  }
  return { direct, shared, isOrdered: true };
}

/** Business days: Monday directly follows Friday. */
function isFriday(time: number): boolean {
  return new Date(Math.floor(time / DAY_MS) * DAY_MS).getUTCDay() === 5;
}

/** A length that many of the steps between consecutive rows have. */
interface CommonStep {
  readonly length: number;
  /** The share of the steps with this length. */
  readonly share: number;
}

/** Returns the length in milliseconds that at least half of the steps have; null if there is none. */
function commonStep(times: ArrayLike<number>): CommonStep | null {
  return mostCommon(times, (from, to) => to - from);
}

/**
 * Returns the step of most rows in words, preferring months to days; null if there is none.
 *
 * @example formatCommonStep([0, 600_000, 1_200_000]) // 10 minutes
 */
function formatCommonStep(times: ArrayLike<number>): string | null {
  const months = mostCommon(times, (from, to) => countPeriods('1MS', from, to));
  const step = commonStep(times);
  if (months !== null && months.share >= MOST && months.length > 1 && step?.share !== 1)
    return `${months.length} months`;
  return step !== null && step.share >= MOST ? formatDuration(step.length) : null;
}

function mostCommon(times: ArrayLike<number>, lengthOf: (from: number, to: number) => number): CommonStep | null {
  const counts = new Map<number, number>();
  for (let row = 1; row < times.length; row++) {
    const length = lengthOf(times[row - 1] as number, times[row] as number);
    counts.set(length, (counts.get(length) ?? 0) + 1);
  }
  for (const [length, count] of counts) {
    const share = count / (times.length - 1);
    if (share >= 0.5) return { length, share };
  }
  return null;
}

const UNITS = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
  ['second', SECOND_MS],
] as const;

function formatDuration(milliseconds: number): string {
  const [unit, length] = UNITS.find(([, one]) => milliseconds % one === 0) ?? ['millisecond', 1];
  const count = milliseconds / length;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
