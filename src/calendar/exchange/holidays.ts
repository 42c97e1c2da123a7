import { DAY } from '../time-range.ts';
import { easterSunday } from './easter.ts';
import { dateOf, MONDAY, nthWeekday, SATURDAY, SUNDAY, THURSDAY, weekday } from './weekdays.ts';

/** A holiday on a weekend moves to the nearer weekday. */
function observed(date: number): number {
  if (weekday(date) === SATURDAY) return date - DAY;
  return weekday(date) === SUNDAY ? date + DAY : date;
}

/**
 * New Year's Day on a Saturday is not observed at all: the Friday before ends the accounting year, and the exchange's
 * rule 7.2 keeps it open. The Saturday itself is returned, which is no session anyway.
 */
function newYearsDay(year: number): number {
  const date = dateOf(year, 1, 1);
  return weekday(date) === SUNDAY ? date + DAY : date;
}

/**
 * Thanksgiving Day, the fourth Thursday of November.
 *
 * @example thanksgiving(2024) // 2024-11-28
 */
export function thanksgiving(year: number): number {
  return nthWeekday(year, 11, THURSDAY, 4);
}

/**
 * The days on which the New York Stock Exchange is closed by rule, from 1990 on, as dates at 00:00 UTC.
 *
 * @example holidaysOf(2027).has(Date.UTC(2027, 5, 18)) // true: Juneteenth is a Saturday that year
 */
export function holidaysOf(year: number): ReadonlySet<number> {
  const holidays = [
    newYearsDay(year),
    nthWeekday(year, 2, MONDAY, 3), // Washington's Birthday
    easterSunday(year) - 2 * DAY, // Good Friday
    nthWeekday(year, 5, MONDAY, -1), // Memorial Day
    observed(dateOf(year, 7, 4)), // Independence Day
    nthWeekday(year, 9, MONDAY, 1), // Labor Day
    thanksgiving(year),
    observed(dateOf(year, 12, 25)), // Christmas
  ];
  if (year >= 1998) holidays.push(nthWeekday(year, 1, MONDAY, 3)); // Martin Luther King, Jr. Day
  if (year >= 2022) holidays.push(observed(dateOf(year, 6, 19))); // Juneteenth
  return new Set(holidays);
}
