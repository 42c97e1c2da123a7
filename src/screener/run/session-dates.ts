import { isSession, previousSession, SESSIONS_KNOWN_FROM, SESSIONS_KNOWN_TO } from '../../calendar/index.ts';
import type { SessionDate } from '../evaluate/metrics-source.ts';

/** Returns the date of a session as it is stored. @example formatSession(Date.UTC(2024, 0, 2)) // '2024-01-02' */
export function formatSession(day: number): SessionDate {
  return new Date(day).toISOString().slice(0, 10);
}

export function parseSession(date: SessionDate): number {
  return Date.parse(`${date}T00:00:00Z`);
}

/** Returns whether the exchange has a session on a date. Returns false outside the years that the calendar covers. */
export function isSessionDate(date: SessionDate): boolean {
  const day = parseSession(date);
  return day >= SESSIONS_KNOWN_FROM && day <= SESSIONS_KNOWN_TO && isSession(day);
}

/** How many sessions before a session count as recent: a week of sessions. */
const RECENT_SESSIONS = 5;

/** Returns the first of the recent sessions before a session. */
export function firstRecentSession(session: number): number {
  let day = session;
  for (let i = 0; i < RECENT_SESSIONS; i++) day = previousSession(day);
  return day;
}
