import type { Frequency } from '../frequencies.ts';
import { fixedStep, periodStart } from '../periods.ts';
import { DAY, MINUTE } from '../time-range.ts';

/**
 * Whether every row lies at the same place of its period: on one weekday, on one day of the month or always on its last,
 * at one time of day, at one minute of the hour.
 */
export function keepsItsPlace(frequency: Frequency, times: ArrayLike<number>): boolean {
  if (fixedStep(frequency) !== null) return isConstant(times, (time) => placeInStretch(frequency, time));
  const isSameDay = isConstant(times, (time) => new Date(time).getUTCDate());
  return keepsItsMonth(frequency, times) && (isSameDay || isConstant(times, daysLeftInMonth));
}

/** Whether every row lies in the same month of its quarter or year; true for every other period. */
export function keepsItsMonth(frequency: Frequency, times: ArrayLike<number>): boolean {
  if (frequency !== '1QE' && frequency !== '1YE') return true;
  const months = frequency === '1QE' ? 3 : 12;
  return isConstant(times, (time) => new Date(time).getUTCMonth() % months);
}

/** Whether every row lies in the last week of its month: month-ends, then, rather than beginnings. */
export function liesLateInMonth(times: ArrayLike<number>): boolean {
  return every(times, (time) => daysLeftInMonth(time) < 7);
}

function daysLeftInMonth(time: number): number {
  const date = new Date(time);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  return lastDay - date.getUTCDate();
}

function placeInStretch(frequency: Frequency, time: number): number {
  const into = time - periodStart(frequency, time);
  if (frequency === '1W-MON') return Math.floor(into / DAY);
  return frequency === '1min' ? into : Math.floor(into / MINUTE);
}

function isConstant(times: ArrayLike<number>, of: (time: number) => number): boolean {
  const first = of(times[0] as number);
  return every(times, (time) => of(time) === first);
}

function every(times: ArrayLike<number>, holds: (time: number) => boolean): boolean {
  for (let row = 0; row < times.length; row++) if (!holds(times[row] as number)) return false;
  return true;
}
