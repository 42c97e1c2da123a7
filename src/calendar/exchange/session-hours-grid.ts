import { DAY } from '../time-range.ts';
import type { Grid } from '../timestamp-grid.ts';
import { newYorkDate } from './new-york-time.ts';
import { type Hours, sessionHours } from './session-hours.ts';
import { isSession, nextSession, SESSIONS_KNOWN_FROM, SESSIONS_KNOWN_TO, sessionsBetween } from './sessions.ts';

/**
 * Intraday bars of the exchange: the UTC periods of one length that overlap its hours. The first and the last of a
 * session may stick out (an hourly bar at 14:00 UTC holds the trades from 14:30), because periods are cut in UTC. No
 * period touches two sessions, as nothing trades between 01:00 and 08:00 UTC.
 */
export function sessionHoursGrid(step: number, hours: Hours): Grid {
  const floor = (instant: number) => Math.floor(instant / step) * step;
  // Rows come in order, so the session asked about is nearly always the one asked about before.
  let remembered = { day: Number.NaN, first: Number.NaN, last: Number.NaN };
  const boundsOf = (day: number) => {
    if (remembered.day !== day) {
      const { open, close } = sessionHours(day, hours);
      remembered = { day, first: floor(open), last: floor(close - 1) };
    }
    return remembered;
  };
  const countOf = (day: number) => {
    const { first, last } = boundsOf(day);
    return (last - first) / step + 1;
  };
  const placeInSession = (timestamp: number) => (timestamp - boundsOf(newYorkDate(timestamp)).first) / step;

  return {
    rule: `the start of a period within the ${hours} hours of an exchange session`,
    // A day in from both ends, so that the date in New York is always one of the known ones.
    earliest: SESSIONS_KNOWN_FROM + DAY,
    latest: SESSIONS_KNOWN_TO - DAY,
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
      // Whole sessions from the first one up to, not including, the last one; then the places within these two.
      let steps = placeInSession(to) - placeInSession(from);
      for (const day of sessionsBetween(firstDay, lastDay)) if (day !== lastDay) steps += countOf(day);
      return steps;
    },
  };
}
