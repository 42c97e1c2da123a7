import { DAY_MS, EARLIEST_INSTANT, LATEST_INSTANT } from '../../calendar/index.ts';
import type { TimeFormat } from '../../contract/index.ts';
import type { ColumnKind } from './engine.ts';

const SECOND_MS = 1_000;
const MICROSECONDS_PER_MS = 1_000;

/**
 * Returns the value that a column with times is compared with, so that rows at an instant or later have that value or a
 * larger one. It is rounded up to the unit of the column: days for dates, the time format for integers. Dates and other
 * times stay milliseconds since 1970.
 *
 * @example toRawBound('integer', 'year', Date.UTC(2024, 5, 1)) // 2025
 */
export function toRawBound(kind: ColumnKind, format: TimeFormat | null, instant: number): number {
  if (kind === 'date') return roundUp(instant, DAY_MS);
  switch (format) {
    case null:
    case 'epoch_ms':
      return instant;
    case 'epoch_s':
      return roundUp(instant, SECOND_MS) / SECOND_MS;
    case 'yyyymmdd':
      return toDigits(roundUp(instant, DAY_MS));
    case 'year': {
      const year = new Date(instant).getUTCFullYear();
      return instant > Date.UTC(year, 0, 1) ? year + 1 : year;
    }
  }
}

function roundUp(instant: number, unit: number): number {
  return Math.ceil(instant / unit) * unit;
}

/** Returns the day of an instant as a number of eight digits. */
function toDigits(day: number): number {
  const date = new Date(day);
  return (date.getUTCFullYear() * 100 + date.getUTCMonth() + 1) * 100 + date.getUTCDate();
}

/**
 * Returns the milliseconds since 1970 of a time as a query returns it, or null if it is not a time between the years
 * 1800 and 2200. Times that are finer than milliseconds are rounded down.
 *
 * @param format the format of an integer; null for microseconds since 1970
 * @example fromRawTime('yyyymmdd', 20010113) // Date.UTC(2001, 0, 13)
 */
export function fromRawTime(format: TimeFormat | null, raw: number): number | null {
  if (!Number.isSafeInteger(raw)) return null;
  const instant = toInstant(format, raw);
  return instant !== null && isServedInstant(instant) ? instant : null;
}

/** Returns whether the calendar has an instant. */
export function isServedInstant(instant: number): boolean {
  return instant >= EARLIEST_INSTANT && instant <= LATEST_INSTANT;
}

function toInstant(format: TimeFormat | null, raw: number): number | null {
  switch (format) {
    case null:
      return Math.floor(raw / MICROSECONDS_PER_MS);
    case 'epoch_ms':
      return raw;
    case 'epoch_s':
      return raw * SECOND_MS;
    case 'yyyymmdd': {
      const day = Date.UTC(Math.floor(raw / 10_000), (Math.floor(raw / 100) % 100) - 1, raw % 100);
      // Date.UTC moves days and months that do not exist into the next month or year.
      return toDigits(day) === raw ? day : null;
    }
    case 'year':
      return raw < 100 ? null : Date.UTC(raw, 0, 1);
  }
}
