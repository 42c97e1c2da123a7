import { DAY_MS } from '../time-range.ts';

// Dates are given as 00:00 UTC of the date, in milliseconds since 1970. Months count from 1.

export const SUNDAY = 0;
export const MONDAY = 1;
export const TUESDAY = 2;
export const WEDNESDAY = 3;
export const THURSDAY = 4;
export const FRIDAY = 5;
export const SATURDAY = 6;

export function dateOf(year: number, month: number, day: number): number {
  return Date.UTC(year, month - 1, day);
}

/** Returns the day of the week; 0 is Sunday. 1970-01-01 was a Thursday. */
export function weekday(date: number): number {
  return (((date / DAY_MS + THURSDAY) % 7) + 7) % 7;
}

/**
 * Returns the date of the nth weekday `day` of a month, or of the last such weekday if `nth` is -1.
 *
 * @example nthWeekday(2024, 11, THURSDAY, 4) // 2024-11-28, Thanksgiving
 */
export function nthWeekday(year: number, month: number, day: number, nth: 1 | 2 | 3 | 4 | -1): number {
  if (nth === -1) {
    const last = dateOf(year, month + 1, 0);
    return last - ((weekday(last) - day + 7) % 7) * DAY_MS;
  }
  const first = dateOf(year, month, 1);
  return first + (((day - weekday(first) + 7) % 7) + (nth - 1) * 7) * DAY_MS;
}
