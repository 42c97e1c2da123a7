import type { Frequency } from '../frequencies.ts';
import { countPeriods, fixedStep, intradayStep } from '../periods.ts';
import { DAY } from '../time-range.ts';
import { type CommonStep, commonStep, sayCommonStep } from './common-step.ts';
import { keepsItsMonth, keepsItsPlace, liesLateInMonth } from './place-in-period.ts';

/** Times of rows, ascending. */
export interface RowTimes {
  readonly instants: ArrayLike<number>;
  /** What the clocks showed where the rows were written, as though that were UTC: a day begins when they say so. */
  readonly written: ArrayLike<number>;
}

/** How rows follow on each other that are on no grid. */
export type Rhythm =
  /** Each has a period of its own. */
  | { readonly kind: 'periods'; readonly frequency: Frequency }
  /** Each would, but for some that lie in the period of the row before; this is the first of them. */
  | { readonly kind: 'shared'; readonly frequency: Frequency; readonly index: number }
  /** Each has a quarter or a year of its own, now in this month of it and now in that. */
  | { readonly kind: 'floating'; readonly frequency: Frequency }
  /** They keep a step that no frequency has. */
  | { readonly kind: 'step'; readonly step: string };

const PERIODS = ['1YE', '1QE', '1MS', '1W-MON', '1D', '4h', '1h', '30min', '15min', '5min', '1min'] as const;

/** Rows that lie anywhere in their periods could be anything, unless nearly all follow directly on the one before. */
const NEARLY_ALL = 0.9;
/** Rows that keep their place are as good as rows on a grid, where gaps may be as many. */
const HALF = 0.5;
/** From here on two rows in one period are a mistake in it, not a shorter rhythm. */
const MOST = 0.75;
/** So many months (or quarters, or years) in a row are never of one length: these are so many days. */
const NEVER_EQUAL = 6;
/** Days of periods that are not all of one length, from business day to business day. */
const DAYS: Partial<Record<Frequency, readonly [number, number]>> = {
  '1MS': [28, 33],
  '1QE': [89, 94],
  '1YE': [363, 368],
};

/**
 * The periods that rows lie in without carrying their timestamps: weeks by their Fridays, months by their last business
 * day. The longest are tried first; null where nothing can be told.
 *
 * @example findRhythm({ instants: fridays, written: fridays }) // { kind: 'periods', frequency: '1W-MON' }
 */
export function findRhythm({ instants, written }: RowTimes): Rhythm | null {
  const steps = instants.length - 1;
  const [ofInstants, ofWritten] = [commonStep(instants), commonStep(written)];
  let doubt: Rhythm | null = null;
  for (const frequency of PERIODS) {
    const isIntraday = intradayStep(frequency) !== null;
    const times = isIntraday ? instants : written;
    const keepsPlace = keepsItsPlace(frequency, times);
    if (!keepsPlace && isContradicted(frequency, isIntraday ? ofInstants : ofWritten, steps)) continue;
    const { direct, shared, isOrdered } = countSteps(frequency, times);
    if (!isOrdered) continue;
    if (shared !== null) {
      if (direct >= MOST * steps) doubt ??= { kind: 'shared', frequency, index: shared };
    } else if (direct >= (keepsPlace ? HALF : NEARLY_ALL) * steps) {
      if (keepsItsMonth(frequency, times)) return { kind: 'periods', frequency: exactly(frequency, times) };
      doubt ??= { kind: 'floating', frequency };
    }
  }
  // Rows a day apart that are no days all the same are written by clocks that contradict each other.
  if (doubt !== null || PERIODS.some((frequency) => fixedStep(frequency) === ofInstants?.length)) return doubt;
  const step = sayCommonStep(instants);
  return step === null ? null : { kind: 'step', step };
}

function exactly(frequency: Frequency, times: ArrayLike<number>): Frequency {
  return frequency === '1MS' && liesLateInMonth(times) ? '1ME' : frequency;
}

/** Rows every 65 minutes have an hour of their own each for a while, and are no hours. */
function isContradicted(frequency: Frequency, common: CommonStep | null, steps: number): boolean {
  if (common === null) return false;
  const length = fixedStep(frequency);
  if (length !== null) return common.length !== length;
  const [least, most] = DAYS[frequency] ?? [0, 0];
  const couldBe = common.length >= least * DAY && common.length <= most * DAY;
  return common.share >= NEARLY_ALL && (steps >= NEVER_EQUAL || !couldBe);
}

interface Steps {
  /** How many rows lie in the period after that of the row before. */
  readonly direct: number;
  /** The first row in the period of the row before. */
  readonly shared: number | null;
  /** What clocks show can go back where the rows go on. */
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

/** Monday follows on Friday where nobody works in between. */
function isFriday(time: number): boolean {
  return new Date(Math.floor(time / DAY) * DAY).getUTCDay() === 5;
}
