import { DAY_MS, previousSession, sessionsBetween } from '../../calendar/index.ts';

/** Returns the date of a session as it is stored. @example formatDay(Date.UTC(2024, 0, 2)) // '2024-01-02' */
export function formatDay(day: number): string {
  return new Date(day).toISOString().slice(0, 10);
}

export function parseDay(date: string): number {
  return Date.parse(`${date}T00:00:00Z`);
}

/** Returns the session that is a number of sessions before another one. */
export function sessionBefore(session: number, count: number): number {
  let day = session;
  for (let i = 0; i < count; i++) day = previousSession(day);
  return day;
}

/** Returns the last `count` sessions up to and including one. */
export function lastSessions(session: number, count: number): readonly number[] {
  // Two calendar days per session and two weeks are more than enough, holidays included.
  return [...sessionsBetween(session - (2 * count + 14) * DAY_MS, session)].slice(-count);
}
