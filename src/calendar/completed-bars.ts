import type { Cadence } from './cadence.ts';
import { sessionHours } from './exchange/session-hours.ts';
import { isSession, previousSession, SESSIONS_KNOWN_FROM, SESSIONS_KNOWN_TO } from './exchange/sessions.ts';
import { intradayStep, periodEnd, periodTimestamp } from './periods.ts';
import { DAY_MS } from './time-range.ts';

/**
 * Returns the instant from which a bar is complete and can no longer change: the end of its UTC period, with two
 * exceptions for bars of an exchange. A daily bar ends when the session closes; a date without a session, which
 * `checkSeries` refuses, ends with its day. A week or month does not end before its last session closes: extended hours
 * run past midnight UTC in winter. Bars of currencies always end with their UTC period, even on Friday, when
 * trading stops two or three hours before midnight.
 *
 * @example barEnd({ frequency: '1D', kind: 'exchange' }, Date.UTC(2024, 6, 3)) // 17:00Z: a half day in summer
 */
export function barEnd({ frequency, kind, hours = 'regular' }: Cadence, timestamp: number): number {
  const end = periodEnd(frequency, timestamp);
  const isKnown = timestamp >= SESSIONS_KNOWN_FROM && end <= SESSIONS_KNOWN_TO;
  if (kind !== 'exchange' || intradayStep(frequency) !== null || !isKnown) return end;
  if (frequency === '1D') {
    const day = periodTimestamp('1D', timestamp);
    return isSession(day) ? sessionHours(day, hours).close : end;
  }
  const lastSession = previousSession(end);
  return Math.max(end, sessionHours(lastSession, hours).close);
}

/**
 * Returns whether a bar is complete at an instant, such as now or the cutoff of a forecast.
 *
 * @example isCompleted({ frequency: '1ME', kind: 'plain' }, Date.UTC(2024, 0, 31), Date.UTC(2024, 1, 1)) // true
 */
export function isCompleted(cadence: Cadence, timestamp: number, at: number): boolean {
  // No session closes more than a day after its period ends, so the hours of older bars need no lookup.
  if (periodEnd(cadence.frequency, timestamp) + DAY_MS <= at) return true;
  return barEnd(cadence, timestamp) <= at;
}

/** Returns how many of the timestamps, which are ordered, are complete at an instant. They are the first ones. */
export function countCompleted(cadence: Cadence, timestamps: ArrayLike<number>, at: number): number {
  let [low, high] = [0, timestamps.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isCompleted(cadence, timestamps[middle] as number, at)) low = middle + 1;
    else high = middle;
  }
  return low;
}
