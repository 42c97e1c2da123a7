import type { Cadence } from './cadence.ts';
import { barEnd } from './completed-bars.ts';
import { currencyTradingEnd } from './currency/trading-week.ts';
import { sessionHours } from './exchange/session-hours.ts';
import { previousSession, SESSIONS_KNOWN_FROM, SESSIONS_KNOWN_TO } from './exchange/sessions.ts';
import type { Frequency } from './frequencies.ts';
import { gridOf } from './grid.ts';
import { periodEnd, periodTimestamp } from './periods.ts';

/** The period of a row, with the instants from which its value is known. */
export interface ObservedPeriod {
  /** The timestamp of the row. */
  readonly timestamp: number;
  /** When the bar of the period ends. */
  readonly until: number;
  /**
   * When the value can no longer change: at `until` or earlier. A week of an exchange is over on Friday evening,
   * although its bar ends on Monday, and Friday's daily bar of a currency when trading stops for the week.
   */
  readonly knownFrom: number;
  /**
   * The cutoff for reading rows. With it, the observed row is the last one that any provider returns: for a provider
   * without sessions, a day ends at midnight. No later row has ended by then.
   */
  readonly readUntil: number;
}

/** Returns the period that contains an instant; null if the series has no row for it, as on a holiday. */
export function findObservedPeriod(cadence: Cadence, instant: number): ObservedPeriod | null {
  const timestamp = periodTimestamp(cadence.frequency, instant);
  const grid = gridOf(cadence);
  const isCovered = timestamp >= grid.earliest && timestamp <= grid.latest;
  return isCovered && grid.contains(timestamp) ? periodOf(cadence, timestamp) : null;
}

/** Returns the period of the row with this timestamp. */
export function periodOf(cadence: Cadence, timestamp: number): ObservedPeriod {
  const until = barEnd(cadence, timestamp);
  const end = periodEnd(cadence.frequency, timestamp);
  const knownFrom = Math.min(until, lastClose(cadence, timestamp, end) ?? until);
  return { timestamp, until, knownFrom, readUntil: Math.max(until, end) };
}

/** Frequencies whose periods contain several sessions. A daily bar ends with its only session. */
const MULTI_SESSION: ReadonlySet<Frequency> = new Set<Frequency>(['1W-MON', '1MS', '1ME', '1QE', '1YE']);

/**
 * Returns when trading ends in a period of currencies, or in a period that contains several sessions of an exchange.
 * Returns null for other periods, and for periods that the calendar does not cover.
 */
function lastClose({ frequency, kind, hours }: Cadence, timestamp: number, end: number): number | null {
  if (kind === 'currency') return currencyTradingEnd(end);
  const isCovered = timestamp >= SESSIONS_KNOWN_FROM && end <= SESSIONS_KNOWN_TO;
  if (kind !== 'exchange' || !MULTI_SESSION.has(frequency) || !isCovered) return null;
  return sessionHours(previousSession(end), hours).close;
}
