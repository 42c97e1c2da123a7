import { dateOf } from './weekdays.ts';

/**
 * Easter Sunday of the Gregorian calendar: the Sunday after the full moon (by the church's tables) on or after 21 March.
 * The steps are those of the anonymous algorithm printed in Nature in 1876, which holds for every Gregorian year.
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
