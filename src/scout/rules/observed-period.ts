import {
  barEnd,
  type Cadence,
  type Frequency,
  gridOf,
  periodEnd,
  periodTimestamp,
  previousSession,
  SESSIONS_KNOWN_FROM,
  SESSIONS_KNOWN_TO,
  sessionHours,
} from '../../calendar/index.ts';

/** The period whose row decides. */
export interface ObservedPeriod {
  /** What that row carries. */
  readonly timestamp: number;
  /** From then on its value can no longer change, as far as the calendar knows. */
  readonly until: number;
  /**
   * From then on nothing happens any more that could change it: a week of an exchange is over for whoever watches on
   * Friday evening, though its bar ends on Monday. Not after `until`.
   */
  readonly knownFrom: number;
  /**
   * Until when to read, so that the row is the last one whichever provider serves it: one that knows no sessions ends a
   * day at midnight. No later row has ended by then.
   */
  readonly readUntil: number;
}

/** The period of a series that contains an instant; null where the series has no row for it (a holiday, say). */
export function observedPeriod(cadence: Cadence, instant: number): ObservedPeriod | null {
  const timestamp = periodTimestamp(cadence.frequency, instant);
  const grid = gridOf(cadence);
  const isKnown = timestamp >= grid.earliest && timestamp <= grid.latest;
  return isKnown && grid.contains(timestamp) ? periodOf(cadence, timestamp) : null;
}

/** The period of a row. */
export function periodOf(cadence: Cadence, timestamp: number): ObservedPeriod {
  const until = barEnd(cadence, timestamp);
  const end = periodEnd(cadence.frequency, timestamp);
  const knownFrom = Math.min(until, lastClose(cadence, timestamp, end) ?? until);
  return { timestamp, until, knownFrom, readUntil: Math.max(until, end) };
}

/** Of many sessions each; a day's bar ends with its one session anyway. */
const LONG: ReadonlySet<Frequency> = new Set<Frequency>(['1W-MON', '1MS', '1ME', '1QE', '1YE']);

/** When the last session of a long period closes; null where the calendar knows of none. */
function lastClose({ frequency, kind, hours }: Cadence, timestamp: number, end: number): number | null {
  const isKnown = timestamp >= SESSIONS_KNOWN_FROM && end <= SESSIONS_KNOWN_TO;
  if (kind !== 'exchange' || !LONG.has(frequency) || !isKnown) return null;
  return sessionHours(previousSession(end), hours).close;
}
