import {
  type BarFrequency,
  DAY_MS,
  fixedStep,
  isSession,
  MINUTE_MS,
  newYorkDate,
  newYorkInstant,
  sessionHours,
} from '../../../calendar/index.ts';
import type { PageQuery } from '../provider.ts';

/** The timestamps of the first and the last bar of a query. */
export interface BarRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Returns the bars that a query selects. Requests of whole bars return no part of a bar, whether a provider applies its
 * bounds to the bars or to the trades in them.
 *
 * @param earliest the oldest bar that the provider serves
 */
export function barRange({ frequency, start, end }: PageQuery, earliest: number): BarRange {
  const step = barStep(frequency);
  const first = Math.ceil(Math.max(start ?? earliest, earliest) / step) * step;
  return { first, last: Math.ceil(end / step) * step - step };
}

/** Returns the length of a bar in milliseconds. */
export function barStep(frequency: BarFrequency): number {
  const step = fixedStep(frequency);
  if (step === null) throw new RangeError(`Bars of ${frequency} have no fixed length.`);
  return step;
}

/** Returns the last bar of a frequency that ended a number of minutes ago or earlier. */
export function lastBarBefore(frequency: BarFrequency, now: number, delayMinutes: number): number {
  const instant = now - delayMinutes * MINUTE_MS;
  if (frequency !== '1D') {
    const step = barStep(frequency);
    return Math.floor(instant / step) * step - step;
  }
  const today = newYorkDate(instant);
  return isSession(today) && sessionHours(today).close > instant ? today - DAY_MS : today;
}

/**
 * Returns the session date, as 00:00 UTC, of a daily bar that begins at midnight in New York; NaN for any other instant.
 *
 * @example sessionDateOf(Date.UTC(2024, 0, 2, 5)) // 2024-01-02
 */
export function sessionDateOf(instant: number): number {
  if (!(instant >= FIRST_MIDNIGHT && instant <= LAST_MIDNIGHT)) return Number.NaN;
  const date = newYorkDate(instant);
  return newYorkInstant(date, 0) === instant ? date : Number.NaN;
}

/** New York's time is known from 1987. */
const FIRST_MIDNIGHT = Date.UTC(1987, 0, 2);
const LAST_MIDNIGHT = Date.UTC(2199, 11, 31);

/** Formats a date at 00:00 UTC. @example formatDay(Date.UTC(2024, 0, 2)) // '2024-01-02' */
export function formatDay(date: number): string {
  return new Date(date).toISOString().slice(0, 10);
}
