import { DAY_MS } from '../time-range.ts';
import type { Grid } from '../timestamp-grid.ts';
import { newYorkDate } from './new-york-time.ts';
import { type Hours, sessionHours } from './session-hours.ts';
import {
  countSessions,
  isSession,
  nextSession,
  SESSIONS_KNOWN_FROM,
  SESSIONS_KNOWN_TO,
  sessionsBetween,
} from './sessions.ts';

/**
 * Returns the grid of intraday bars: the UTC periods of one length that overlap the hours of the exchange. The first
 * and the last period of a session may extend beyond it (an hourly bar at 14:00 UTC holds the trades from 14:30),
 * because periods are aligned to UTC. No period overlaps two sessions, because there is no trading between 01:00 and
 * 08:00 UTC.
 */
export function sessionHoursGrid(step: number, hours: Hours): Grid {
  const floor = (instant: number) => Math.floor(instant / step) * step;
  // Rows are in order, so the session is nearly always the same as in the previous call.
  let cached = { day: Number.NaN, first: Number.NaN, last: Number.NaN };
  const boundsOf = (day: number) => {
    if (cached.day !== day) {
      const { open, close } = sessionHours(day, hours);
      cached = { day, first: floor(open), last: floor(close - 1) };
    }
    return cached;
  };
  const countOf = (day: number) => {
    const { first, last } = boundsOf(day);
    return (last - first) / step + 1;
  };
  const indexInSession = (timestamp: number) => (timestamp - boundsOf(newYorkDate(timestamp)).first) / step;

  return {
    rule: `the start of a period within the ${hours} hours of an exchange session`,
    // The range is one day shorter at each end, so that the date in New York is always within the range of known
    // sessions.
    earliest: SESSIONS_KNOWN_FROM + DAY_MS,
    latest: SESSIONS_KNOWN_TO - DAY_MS,
    contains(timestamp) {
      const day = newYorkDate(timestamp);
      if (timestamp % step !== 0 || !isSession(day)) return false;
      const { first, last } = boundsOf(day);
      return timestamp >= first && timestamp <= last;
    },
    next(timestamp) {
      const day = newYorkDate(timestamp);
      return timestamp < boundsOf(day).last ? timestamp + step : boundsOf(nextSession(day)).first;
    },
    steps(from, to) {
      const [firstDay, lastDay] = [newYorkDate(from), newYorkDate(to)];
      // The steps of each session from the first up to, but not including, the last, plus the difference between the
      // positions of the two timestamps in their sessions.
      let steps = indexInSession(to) - indexInSession(from);
      for (const day of sessionsBetween(firstDay, lastDay)) if (day !== lastDay) steps += countOf(day);
      return steps;
    },
  };
}

/** The grid of daily bars: one timestamp per session, its date at 00:00 UTC. Weekends and holidays are not gaps. */
export const sessionDayGrid: Grid = {
  rule: 'the date of an exchange session at 00:00 UTC',
  earliest: SESSIONS_KNOWN_FROM,
  latest: SESSIONS_KNOWN_TO,
  contains: (timestamp) => timestamp % DAY_MS === 0 && isSession(timestamp),
  next: nextSession,
  steps: countSessions,
};
