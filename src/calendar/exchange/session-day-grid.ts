import { DAY } from '../time-range.ts';
import type { Grid } from '../timestamp-grid.ts';
import { countSessions, isSession, nextSession, SESSIONS_KNOWN_FROM, SESSIONS_KNOWN_TO } from './sessions.ts';

/** Daily bars of the exchange: one timestamp per session, its date at 00:00 UTC. Weekends and holidays are no gaps. */
export const sessionDayGrid: Grid = {
  rule: 'the date of an exchange session at 00:00 UTC',
  earliest: SESSIONS_KNOWN_FROM,
  latest: SESSIONS_KNOWN_TO,
  contains: (timestamp) => timestamp % DAY === 0 && isSession(timestamp),
  next: nextSession,
  steps: countSessions,
};
