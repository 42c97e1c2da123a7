import { formatInstant } from '../time-range.ts';
import { earlyClose } from './early-close.ts';
import { newYorkDate, newYorkInstant } from './new-york-time.ts';
import { isSession, previousSession } from './sessions.ts';
import { SPECIAL_HOURS } from './special-days.ts';

/** Regular: 9:30 to 16:00 in New York. Extended: from 4:00 until four hours after the regular close. */
export type Hours = 'regular' | 'extended';

/** The instants at which a session opens and closes. The close is the first instant after the session. */
export interface SessionHours {
  readonly open: number;
  readonly close: number;
}

const OPEN = 9 * 60 + 30;
const CLOSE = 16 * 60;
const EXTENDED_OPEN = 4 * 60;
/**
 * The length of the late session in minutes. According to the exchange, late sessions end at 20:00 after a full day and
 * at 17:00 after a half day.
 */
const LATE_SESSION = 4 * 60;

/**
 * Returns when a session opens and closes. Today's extended hours are used for every year, although they were shorter
 * in the past.
 *
 * @example sessionHours(Date.UTC(2024, 10, 29)) // 14:30Z to 18:00Z: a half day in winter
 */
export function sessionHours(day: number, hours: Hours = 'regular'): SessionHours {
  if (!isSession(day)) throw new RangeError(`${formatInstant(day)} is not an exchange session.`);
  const special = SPECIAL_HOURS.get(day);
  const close = special?.close ?? earlyClose(day) ?? CLOSE;
  if (hours === 'extended') {
    return { open: newYorkInstant(day, EXTENDED_OPEN), close: newYorkInstant(day, close + LATE_SESSION) };
  }
  return { open: newYorkInstant(day, special?.open ?? OPEN), close: newYorkInstant(day, close) };
}

/**
 * Returns the latest session that closed at least `lagMs` before now.
 *
 * @example latestClosedSession(Date.UTC(2024, 10, 29, 18, 30), 30 * 60_000) // 2024-11-29: a half day, closed at 18:00Z
 */
export function latestClosedSession(now: number, lagMs: number): number {
  const cutoff = now - lagMs;
  const day = newYorkDate(cutoff);
  return isSession(day) && sessionHours(day).close <= cutoff ? day : previousSession(day);
}
