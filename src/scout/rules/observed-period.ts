import { barEnd, type Cadence, gridOf, periodEnd, periodTimestamp } from '../../calendar/index.ts';

/** The period whose row decides. */
export interface ObservedPeriod {
  /** What that row carries. */
  readonly timestamp: number;
  /** From then on its value can no longer change, as far as the calendar knows. */
  readonly until: number;
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
  if (!isKnown || !grid.contains(timestamp)) return null;
  const until = barEnd(cadence, timestamp);
  return { timestamp, until, readUntil: Math.max(until, periodEnd(cadence.frequency, timestamp)) };
}
