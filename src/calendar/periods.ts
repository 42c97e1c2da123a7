import type { Frequency } from './frequencies.ts';
import { DAY_MS, EARLIEST_INSTANT, formatInstant, HOUR_MS, LATEST_INSTANT, MINUTE_MS } from './time-range.ts';

/** 1970-01-01 was a Thursday; its week began on Monday, 1969-12-29. */
const MONDAY = -3 * DAY_MS;

/**
 * A period is either a fixed length of time counted from an origin, or a number of calendar months. All days are
 * equally long in UTC, so days and weeks have a fixed length.
 */
type Shape = { readonly step: number; readonly origin: number } | { readonly months: number };

const SHAPES: Record<Frequency, Shape> = {
  '1min': { step: MINUTE_MS, origin: 0 },
  '5min': { step: 5 * MINUTE_MS, origin: 0 },
  '15min': { step: 15 * MINUTE_MS, origin: 0 },
  '30min': { step: 30 * MINUTE_MS, origin: 0 },
  '1h': { step: HOUR_MS, origin: 0 },
  '4h': { step: 4 * HOUR_MS, origin: 0 },
  '1D': { step: DAY_MS, origin: 0 },
  '1W-MON': { step: 7 * DAY_MS, origin: MONDAY },
  '1MS': { months: 1 },
  '1ME': { months: 1 },
  '1QE': { months: 3 },
  '1YE': { months: 12 },
};

/**
 * Returns the number of an instant's period, counted from the period that contains 1970-01-01; negative for earlier
 * periods.
 */
function periodNumber(frequency: Frequency, instant: number): number {
  if (!(instant >= EARLIEST_INSTANT && instant <= LATEST_INSTANT)) {
    throw new RangeError(`${formatInstant(instant)} is outside the years 1800 to 2200.`);
  }
  const shape = SHAPES[frequency];
  if ('step' in shape) return Math.floor((instant - shape.origin) / shape.step);
  const date = new Date(instant);
  const months = (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
  return Math.floor(months / shape.months);
}

function startOfPeriod(frequency: Frequency, number: number): number {
  const shape = SHAPES[frequency];
  return 'step' in shape ? shape.origin + number * shape.step : Date.UTC(1970, number * shape.months);
}

/**
 * Returns the first instant of the UTC period that contains an instant. Instants are milliseconds since 1970. Every
 * function of this file throws a RangeError for instants outside the years 1800 to 2200.
 *
 * @example periodStart('1W-MON', Date.UTC(2024, 0, 3)) // Monday, 2024-01-01
 */
export function periodStart(frequency: Frequency, instant: number): number {
  return startOfPeriod(frequency, periodNumber(frequency, instant));
}

/**
 * Returns the first instant after the period that contains an instant, which is the start of the next period.
 *
 * @example periodEnd('1MS', Date.UTC(2024, 1, 10)) // 2024-03-01
 */
export function periodEnd(frequency: Frequency, instant: number): number {
  return startOfPeriod(frequency, periodNumber(frequency, instant) + 1);
}

/**
 * Returns the start of the period before the one that contains an instant.
 *
 * @example previousPeriod('1QE', Date.UTC(2024, 4, 1)) // 2024-01-01
 */
export function previousPeriod(frequency: Frequency, instant: number): number {
  return startOfPeriod(frequency, periodNumber(frequency, instant) - 1);
}

/**
 * Returns how many periods the period of the second instant is after that of the first; negative if it is earlier, 0 if
 * both are in the same period.
 *
 * @example countPeriods('1YE', Date.UTC(1999, 11, 31), Date.UTC(2000, 0, 1)) // 1
 */
export function countPeriods(frequency: Frequency, from: number, to: number): number {
  return periodNumber(frequency, to) - periodNumber(frequency, from);
}

/**
 * Returns the timestamp of the row for the period that contains an instant: the start of the period or, for month-end,
 * quarter-end and year-end frequencies, its last day at 00:00 UTC. The timestamp lies within its period, so every
 * function of this file accepts it as an instant.
 *
 * @example periodTimestamp('1ME', Date.UTC(2024, 1, 10)) // 2024-02-29
 */
export function periodTimestamp(frequency: Frequency, instant: number): number {
  const isEnd = frequency === '1ME' || frequency === '1QE' || frequency === '1YE';
  return isEnd ? periodEnd(frequency, instant) - DAY_MS : periodStart(frequency, instant);
}

/**
 * Returns the length of the periods of a frequency in milliseconds; null for months, quarters and years, whose lengths
 * vary.
 */
export function fixedStep(frequency: Frequency): number | null {
  const shape = SHAPES[frequency];
  return 'step' in shape ? shape.step : null;
}

/** Returns the length of the periods of a frequency in milliseconds if it is shorter than a day; null otherwise. */
export function intradayStep(frequency: Frequency): number | null {
  const step = fixedStep(frequency);
  return step !== null && step < DAY_MS ? step : null;
}
