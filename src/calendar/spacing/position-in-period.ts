import type { Frequency } from '../frequencies.ts';
import { fixedStep, periodStart } from '../periods.ts';
import { DAY_MS, MINUTE_MS } from '../time-range.ts';

/**
 * Returns whether every row has the same position in its period: for example the same weekday, the same (or always the
 * last) day of the month, the same time of day, or the same minute of the hour.
 */
export function hasConstantPosition(frequency: Frequency, times: ArrayLike<number>): boolean {
  if (fixedStep(frequency) !== null) return isConstant(times, (time) => positionInPeriod(frequency, time));
  const isSameDay = isConstant(times, (time) => new Date(time).getUTCDate());
  return hasConstantMonth(frequency, times) && (isSameDay || isConstant(times, daysLeftInMonth));
}

/** Returns whether every row lies in the same month of its quarter or year; true for all other frequencies. */
export function hasConstantMonth(frequency: Frequency, times: ArrayLike<number>): boolean {
  if (frequency !== '1QE' && frequency !== '1YE') return true;
  const months = frequency === '1QE' ? 3 : 12;
  return isConstant(times, (time) => new Date(time).getUTCMonth() % months);
}

/** Returns whether every row lies in the last week of its month. Such rows are month-ends rather than month-starts. */
export function isLateInMonth(times: ArrayLike<number>): boolean {
  return every(times, (time) => daysLeftInMonth(time) < 7);
}

function daysLeftInMonth(time: number): number {
  const date = new Date(time);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  return lastDay - date.getUTCDate();
}

function positionInPeriod(frequency: Frequency, time: number): number {
  const into = time - periodStart(frequency, time);
  if (frequency === '1W-MON') return Math.floor(into / DAY_MS);
  return frequency === '1min' ? into : Math.floor(into / MINUTE_MS);
}

function isConstant(times: ArrayLike<number>, of: (time: number) => number): boolean {
  const first = of(times[0] as number);
  return every(times, (time) => of(time) === first);
}

function every(times: ArrayLike<number>, holds: (time: number) => boolean): boolean {
  for (let row = 0; row < times.length; row++) if (!holds(times[row] as number)) return false;
  return true;
}
