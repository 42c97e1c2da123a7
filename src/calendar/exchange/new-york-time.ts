import { DAY_MS, formatInstant, HOUR_MS, MINUTE_MS } from '../time-range.ts';
import { nthWeekday, SUNDAY } from './weekdays.ts';

// Daylight saving time is computed from the law and not with Intl, whose results depend on the time-zone data of the
// Node release: a session must have the same hours on every machine.

const STANDARD = -5 * HOUR_MS;
const DAYLIGHT = -4 * HOUR_MS;

/** The law before 1987 is not implemented. */
const FIRST_YEAR = 1987;

interface Summer {
  readonly from: number;
  readonly to: number;
}

const summers = new Map<number, Summer>();

/** Returns the daylight saving time of a year. It is cached, because intraday grids need it for every bar. */
function summerOf(year: number): Summer {
  const known = summers.get(year) ?? computeSummer(year);
  summers.set(year, known);
  return known;
}

/**
 * Computes the daylight saving time of a year. Clocks go forward at 2:00 standard time and back at 2:00 daylight time.
 */
function computeSummer(year: number): Summer {
  const [first, last] =
    year < 2007
      ? [nthWeekday(year, 4, SUNDAY, 1), nthWeekday(year, 10, SUNDAY, -1)]
      : [nthWeekday(year, 3, SUNDAY, 2), nthWeekday(year, 11, SUNDAY, 1)];
  return { from: first + 2 * HOUR_MS - STANDARD, to: last + 2 * HOUR_MS - DAYLIGHT };
}

/** Returns the offset of New York's clocks from UTC at an instant, in milliseconds. */
export function newYorkOffset(instant: number): number {
  const year = new Date(instant).getUTCFullYear();
  if (!(year >= FIRST_YEAR))
    throw new RangeError(`New York time is known from ${FIRST_YEAR}, not ${formatInstant(instant)}.`);
  const { from, to } = summerOf(year);
  return instant >= from && instant < to ? DAYLIGHT : STANDARD;
}

/**
 * Returns the date in New York at an instant, as 00:00 UTC of that date.
 *
 * @example newYorkDate(Date.UTC(2024, 0, 3, 1)) // 2024-01-02: it is still 20:00 there
 */
export function newYorkDate(instant: number): number {
  return Math.floor((instant + newYorkOffset(instant)) / DAY_MS) * DAY_MS;
}

/**
 * Returns the instant at which New York's clocks showed the same time, a number of days earlier. Days before 1987, the
 * first year of the implemented law, have 24 hours.
 *
 * @example newYorkDaysBefore(Date.UTC(2018, 4, 11, 20), 120) // 2018-01-11T21:00Z: it is 16:00 on both days
 */
export function newYorkDaysBefore(instant: number, days: number): number {
  const earlier = instant - days * DAY_MS;
  if (earlier < Date.UTC(FIRST_YEAR, 0, 2)) return earlier;
  const day = newYorkDate(instant);
  const minutes = (instant + newYorkOffset(instant) - day) / MINUTE_MS;
  return newYorkInstant(day - days * DAY_MS, minutes);
}

/**
 * Returns the instant at which New York's clocks show a time of day. It is correct except in the early hours of the two
 * Sundays a year on which the clocks change, when there is no trading.
 *
 * @example newYorkInstant(Date.UTC(2024, 6, 1), 16 * 60) // 2024-07-01T20:00Z
 */
export function newYorkInstant(day: number, minutes: number): number {
  const wallClock = day + minutes * MINUTE_MS;
  return wallClock - newYorkOffset(wallClock - STANDARD);
}
