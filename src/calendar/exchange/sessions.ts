import { DAY_MS, formatInstant } from '../time-range.ts';
import { holidaysOf } from './holidays.ts';
import { SPECIAL_CLOSURES } from './special-days.ts';
import { dateOf, SATURDAY, SUNDAY, weekday } from './weekdays.ts';

// A session is identified by its date in New York, given as 00:00 UTC of that date.

const FIRST_YEAR = 1990;
const LAST_YEAR = 2200;

/** The range of dates in which sessions are known, both ends included. */
export const SESSIONS_KNOWN_FROM = dateOf(FIRST_YEAR, 1, 1);
export const SESSIONS_KNOWN_TO = dateOf(LAST_YEAR, 12, 31);

interface Sessions {
  /** About 53,000 dates, oldest first. */
  readonly dates: Float64Array;
  /** For every day from the first known day on, the number of sessions before it. */
  readonly ranks: Int32Array;
}

let known: Sessions | undefined;

/** Returns the table of sessions. It is computed on the first call and kept, because every bar needs it. */
function allSessions(): Sessions {
  known ??= listSessions();
  return known;
}

function listSessions(): Sessions {
  const sessions: number[] = [];
  const ranks: number[] = [];
  for (let year = FIRST_YEAR; year <= LAST_YEAR; year++) {
    const holidays = holidaysOf(year);
    const newYear = dateOf(year + 1, 1, 1);
    for (let day = dateOf(year, 1, 1); day < newYear; day += DAY_MS) {
      const dayOfWeek = weekday(day);
      ranks.push(sessions.length);
      const isClosed = dayOfWeek === SATURDAY || dayOfWeek === SUNDAY || holidays.has(day) || SPECIAL_CLOSURES.has(day);
      if (!isClosed) sessions.push(day);
    }
  }
  return { dates: Float64Array.from(sessions), ranks: Int32Array.from(ranks) };
}

/** Returns the number of sessions before a date. */
function rank(day: number): number {
  if (day % DAY_MS !== 0) throw new RangeError(`A session date is 00:00 UTC, not ${formatInstant(day)}.`);
  if (!(day >= SESSIONS_KNOWN_FROM && day <= SESSIONS_KNOWN_TO)) {
    throw new RangeError(`Exchange sessions are known from ${FIRST_YEAR} to ${LAST_YEAR}, not ${formatInstant(day)}.`);
  }
  return allSessions().ranks[(day - SESSIONS_KNOWN_FROM) / DAY_MS] as number;
}

function sessionAt(index: number): number {
  const day = allSessions().dates[index];
  if (day === undefined)
    throw new RangeError(`No exchange session is known before ${FIRST_YEAR} or after ${LAST_YEAR}.`);
  return day;
}

/**
 * Returns whether the New York Stock Exchange trades on a date, given as 00:00 UTC. Every function of this file throws a
 * RangeError for any other time of day and for years outside 1990 to 2200.
 *
 * @example isSession(Date.UTC(2025, 0, 9)) // false: day of mourning for Jimmy Carter
 */
export function isSession(day: number): boolean {
  return allSessions().dates[rank(day)] === day;
}

/**
 * Returns the first session after a date.
 *
 * @example nextSession(Date.UTC(2024, 2, 28)) // 2024-04-01, over Good Friday and the weekend
 */
export function nextSession(day: number): number {
  return sessionAt(rank(day) + (isSession(day) ? 1 : 0));
}

/**
 * Returns the last session before a date.
 *
 * @example previousSession(Date.UTC(2024, 0, 1)) // 2023-12-29
 */
export function previousSession(day: number): number {
  return sessionAt(rank(day) - 1);
}

/**
 * Returns the sessions from one date to another, both included.
 *
 * @example sessionsBetween(Date.UTC(2024, 0, 1), Date.UTC(2024, 11, 31)).length // 252
 */
export function sessionsBetween(from: number, to: number): Float64Array {
  return allSessions().dates.slice(rank(from), rank(to) + (isSession(to) ? 1 : 0));
}

/**
 * Returns how many sessions the second session is after the first.
 *
 * @example countSessions(Date.UTC(2024, 2, 28), Date.UTC(2024, 3, 1)) // 1
 */
export function countSessions(from: number, to: number): number {
  return rank(to) - rank(from);
}
