import { DAY_MS } from '../time-range.ts';
import { dateOf, MONDAY, nthWeekday, SATURDAY, SUNDAY, THURSDAY, weekday } from './weekdays.ts';

/** Returns the day on which a holiday is observed. A holiday on a weekend moves to the nearest weekday. */
function observed(date: number): number {
  if (weekday(date) === SATURDAY) return date - DAY_MS;
  return weekday(date) === SUNDAY ? date + DAY_MS : date;
}

/**
 * Returns the day on which New Year's Day is observed. If it is a Saturday, it is not observed: the Friday before ends
 * the accounting year, and the exchange stays open under its rule 7.2. The function then returns the Saturday, which is
 * not a session anyway.
 */
function newYearsDay(year: number): number {
  const date = dateOf(year, 1, 1);
  return weekday(date) === SUNDAY ? date + DAY_MS : date;
}

/**
 * Returns Thanksgiving Day, the fourth Thursday of November.
 *
 * @example thanksgiving(2024) // 2024-11-28
 */
export function thanksgiving(year: number): number {
  return nthWeekday(year, 11, THURSDAY, 4);
}

/**
 * Returns the days on which the New York Stock Exchange is closed by rule, from 1990 on, as dates at 00:00 UTC.
 *
 * @example holidaysOf(2027).has(Date.UTC(2027, 5, 18)) // true: Juneteenth is a Saturday that year
 */
export function holidaysOf(year: number): ReadonlySet<number> {
  const holidays = [
    newYearsDay(year),
    nthWeekday(year, 2, MONDAY, 3), // Washington's Birthday
    easterSunday(year) - 2 * DAY_MS, // Good Friday
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

/**
 * Returns Easter Sunday: the Sunday after the first ecclesiastical full moon on or after March 21. The steps are those
 * of the anonymous algorithm printed in Nature in 1876, which is correct for every Gregorian year.
 *
 * @example easterSunday(2024) // 2024-03-31
 */
export function easterSunday(year: number): number {
  const goldenNumber = year % 19;
  const century = Math.floor(year / 100);
  const yearOfCentury = year % 100;
  const moonCorrection = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const moon = (19 * goldenNumber + century - Math.floor(century / 4) - moonCorrection + 15) % 30;
  const daysToSunday = (32 + 2 * (century % 4) + 2 * Math.floor(yearOfCentury / 4) - moon - (yearOfCentury % 4)) % 7;
  const lateMoon = Math.floor((goldenNumber + 11 * moon + 22 * daysToSunday) / 451);
  const daysFromMarch = moon + daysToSunday - 7 * lateMoon + 114;
  return dateOf(year, Math.floor(daysFromMarch / 31), (daysFromMarch % 31) + 1);
}
