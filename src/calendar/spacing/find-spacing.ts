import type { Frequency } from '../frequencies.ts';
import { countPeriods, fixedStep, intradayStep } from '../periods.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../time-range.ts';
import { hasConstantMonth, hasConstantPosition, isLateInMonth } from './position-in-period.ts';

/** Times of rows, ascending. */
export interface RowTimes {
  readonly instants: ArrayLike<number>;
  /** The local times of the rows, as if they were in UTC. They are needed because a day begins by the local clock. */
  readonly written: ArrayLike<number>;
}

/** The spacing of rows that are not on a grid. */
export type Spacing =
  /** Each row has its own period. */
  | { readonly kind: 'periods'; readonly frequency: Frequency }
  /**
   * Each row has its own period, except for some rows that lie in the period of the previous row. `index` is the first
   * of these.
   */
  | { readonly kind: 'shared'; readonly frequency: Frequency; readonly index: number }
  /** Each row has its own quarter or year, but the rows are not always in the same month of it. */
  | { readonly kind: 'floating'; readonly frequency: Frequency }
  /** The rows have a constant step that no frequency has. */
  | { readonly kind: 'step'; readonly step: string };

const PERIODS = ['1YE', '1QE', '1MS', '1W-MON', '1D', '4h', '1h', '30min', '15min', '5min', '1min'] as const;

/** If the position in the period varies, at least this share of the rows must be one period after the previous row. */
const NEARLY_ALL = 0.9;
/** If the position in the period is constant, this share is enough, as for rows on a grid. */
const HALF = 0.5;
/**
 * If at least this share of the steps is one period long, two rows in one period are a mistake and not a sign of a
 * shorter spacing. If at least this share of the steps has the same length, that length is the spacing.
 */
const MOST = 0.75;
/**
 * This many consecutive months, quarters or years never all have the same length. If that many steps are equal, each is
 * a fixed number of days.
 */
const NEVER_EQUAL = 6;
/** The shortest and the longest period in days, from business day to business day, for periods whose length varies. */
export const PERIOD_DAYS: Partial<Record<Frequency, readonly [number, number]>> = {
  '1MS': [28, 33],
  '1ME': [28, 33],
  '1QE': [89, 94],
  '1YE': [363, 368],
};

/**
 * Returns the spacing of rows whose timestamps are not on a grid, such as weeks dated by Fridays or months dated by
 * their last business day. The longest periods are tried first. Returns null if the rows have no recognizable spacing.
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
  // If rows are one day apart but were not recognized as daily, their local times contradict each other.
  if (fallback !== null || PERIODS.some((frequency) => fixedStep(frequency) === instantStep?.length)) return fallback;
  const step = formatCommonStep(instants);
  return step === null ? null : { kind: 'step', step };
}

function monthStartOrEnd(frequency: Frequency, times: ArrayLike<number>): Frequency {
  return frequency === '1MS' && isLateInMonth(times) ? '1ME' : frequency;
}

/**
 * Returns whether the steps contradict a frequency. Rows every 65 minutes, for example, each have their own hour for a
 * while but are not hourly.
 */
function isContradicted(frequency: Frequency, common: CommonStep | null, steps: number): boolean {
  if (common === null) return false;
  const length = fixedStep(frequency);
  if (length !== null) return common.length !== length;
  const [minDays, maxDays] = PERIOD_DAYS[frequency] ?? [0, 0];
  const isPossible = common.length >= minDays * DAY_MS && common.length <= maxDays * DAY_MS;
  return common.share >= NEARLY_ALL && (steps >= NEVER_EQUAL || !isPossible);
}

interface Steps {
  /** The number of rows that are one period after the previous row. */
  readonly direct: number;
  /** The first row that lies in the period of the previous row; null if there is none. */
  readonly shared: number | null;
  /** Whether the local times are in order: clocks can go back while the instants advance. */
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

/** Used for business days, where Monday directly follows Friday. */
function isFriday(time: number): boolean {
  return new Date(Math.floor(time / DAY_MS) * DAY_MS).getUTCDay() === 5;
}

/** The length that many steps between consecutive rows have. */
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
 * Formats the step between most rows, in months rather than days if possible; null if there is no common step.
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
