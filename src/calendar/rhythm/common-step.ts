import { countPeriods } from '../periods.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../time-range.ts';

/** A length that many of the steps from one row to the next have. */
export interface CommonStep {
  readonly length: number;
  /** The share of the steps that are of this length. */
  readonly share: number;
}

/** From here on rows have a step; below, it is one of several. */
const MOST = 0.75;

/** The length in milliseconds that at least half of the steps have; null where none has. */
export function commonStep(times: ArrayLike<number>): CommonStep | null {
  return mostCommon(times, (from, to) => to - from);
}

/**
 * The step of most rows in words, months before days; null where they have none.
 *
 * @example sayCommonStep([0, 600_000, 1_200_000]) // 10 minutes
 */
export function sayCommonStep(times: ArrayLike<number>): string | null {
  const months = mostCommon(times, (from, to) => countPeriods('1MS', from, to));
  const step = commonStep(times);
  if (months !== null && months.share >= MOST && months.length > 1 && step?.share !== 1)
    return `${months.length} months`;
  return step !== null && step.share >= MOST ? sayDuration(step.length) : null;
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
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
  ['second', SECOND],
] as const;

function sayDuration(milliseconds: number): string {
  const [unit, length] = UNITS.find(([, one]) => milliseconds % one === 0) ?? ['millisecond', 1];
  const count = milliseconds / length;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
