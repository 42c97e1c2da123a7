import { DAY_MS } from '../time-range.ts';
import { thanksgiving } from './holidays.ts';
import { dateOf, FRIDAY, WEDNESDAY, weekday } from './weekdays.ts';

/** Returns when half days end: at 14:00 until 1992 and at 13:00 since 1993. */
function halfDayClose(year: number): number {
  return (year < 1993 ? 14 : 13) * 60;
}

/**
 * Returns whether a day is a half day next to Independence Day. These half days have existed since 1995. If July 4 is a
 * Thursday, the half day was the Friday after it until 2012, and has been the Wednesday before it since 2013. If July 3
 * is a Friday, it is the holiday itself, moved from Saturday.
 */
function isIndependenceHalfDay(day: number, year: number): boolean {
  if (year < 1995) return false;
  if (day === dateOf(year, 7, 5)) return weekday(day) === FRIDAY && year < 2013;
  return day === dateOf(year, 7, 3) && (weekday(day) !== WEDNESDAY || year >= 2013);
}

/**
 * Returns when a session ends early by rule, in minutes after midnight in New York; null for a full day. `day` must be
 * a session, because weekends and holidays are not checked.
 *
 * @example earlyClose(Date.UTC(2024, 10, 29)) // 780: 13:00 on the day after Thanksgiving
 */
export function earlyClose(day: number): number | null {
  const year = new Date(day).getUTCFullYear();
  const isHalfDay =
    day === dateOf(year, 12, 24) ||
    (day === thanksgiving(year) + DAY_MS && year >= 1992) ||
    isIndependenceHalfDay(day, year);
  return isHalfDay ? halfDayClose(year) : null;
}
