import {
  isSession,
  newYorkDate,
  previousSession,
  SESSIONS_KNOWN_FROM,
  SESSIONS_KNOWN_TO,
  sessionHours,
} from '../../calendar/index.ts';
import type { SessionDate } from '../evaluate/metrics-source.ts';

/** A session of the calendar as it is stored. @example sessionDate(Date.UTC(2024, 0, 2)) // '2024-01-02' */
export function sessionDate(day: number): SessionDate {
  return new Date(day).toISOString().slice(0, 10);
}

export function sessionDay(date: SessionDate): number {
  return Date.parse(`${date}T00:00:00Z`);
}

/** Whether the exchange is open on a date, as far as sessions are known. */
export function isSessionDate(date: SessionDate): boolean {
  const day = sessionDay(date);
  return day >= SESSIONS_KNOWN_FROM && day <= SESSIONS_KNOWN_TO && isSession(day);
}

/**
 * The latest session that closed at least so long before an instant.
 *
 * @example dueSession(Date.UTC(2024, 10, 29, 18, 30), 30 * 60_000) // 2024-11-29: a half day, closed at 18:00Z
 */
export function dueSession(now: number, lagMs: number): number {
  const at = now - lagMs;
  const day = newYorkDate(at);
  return isSession(day) && sessionHours(day).close <= at ? day : previousSession(day);
}

/** Sessions that count as of late: a week of them. What is older than that is over. */
const LATELY = 5;

/** The first of the last sessions before one. */
export function firstLately(session: number): number {
  let day = session;
  for (let i = 0; i < LATELY; i++) day = previousSession(day);
  return day;
}
