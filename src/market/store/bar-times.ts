import {
  barEnd,
  type Cadence,
  DAY_MS,
  fixedStep,
  gridOf,
  HOUR_MS,
  isSession,
  MINUTE_MS,
  newYorkDate,
  periodStart,
  previousSession,
  type SeriesKind,
  sessionHours,
} from '../../calendar/index.ts';
import type { SeriesKey } from '../providers/provider.ts';

/** How many later days must have ended before a day is settled. */
const SETTLED_DAYS = 3;
/** How long ago a bar within a day must have ended before it is settled. */
const SETTLED_AFTER_MS = DAY_MS;

/** Returns the cadence of a stored series. Bars of all hours are stored, and the bar of a day is that of its session. */
export function cadenceOf({ frequency }: Pick<SeriesKey, 'frequency'>, kind: SeriesKind): Cadence {
  return { frequency, kind, hours: frequency === '1D' ? 'regular' : 'extended' };
}

/**
 * Returns the last timestamp before an instant that a bar can have. Before the first known session, every period can
 * have one.
 *
 * @example lastBarBefore({ frequency: '1D', kind: 'exchange' }, Date.UTC(2024, 0, 2)) // Friday, 2023-12-29
 */
export function lastBarBefore(cadence: Cadence, instant: number): number {
  const grid = gridOf(cadence);
  const step = fixedStep(cadence.frequency) ?? DAY_MS;
  let time = periodStart(cadence.frequency, instant - 1);
  while (time >= grid.earliest && time <= grid.latest && !grid.contains(time)) {
    if (step === DAY_MS) time -= DAY_MS;
    else if (cadence.kind === 'exchange') time = lastBarOfSession(lastOpenedSession(time), step);
    // Currencies stop trading at a full hour, so only the last period of an hour can be the last one of a week.
    else time = periodStart('1h', time) - step;
  }
  return time;
}

/** Returns the last session whose extended hours began at or before an instant. */
function lastOpenedSession(instant: number): number {
  const day = newYorkDate(instant);
  return isSession(day) && sessionHours(day, 'extended').open <= instant ? day : previousSession(day);
}

function lastBarOfSession(session: number, step: number): number {
  return Math.floor((sessionHours(session, 'extended').close - 1) / step) * step;
}

/**
 * Returns the timestamp of the last bar that can have ended at an instant.
 *
 * @example lastEndedBar({ frequency: '1D', kind: 'exchange' }, Date.UTC(2024, 6, 3, 17)) // 2024-07-03: a half day
 */
export function lastEndedBar(cadence: Cadence, at: number): number {
  let time = lastBarBefore(cadence, at);
  while (barEnd(cadence, time) > at) time = lastBarBefore(cadence, time);
  return time;
}

/**
 * Returns the first instant whose bars may still be corrected: days settle after three more days of the calendar of the
 * series, shorter bars 24 hours after their end.
 */
export function settledBefore(cadence: Cadence, at: number): number {
  if (cadence.frequency !== '1D') return lastEndedBar(cadence, at - SETTLED_AFTER_MS) + 1;
  let time = lastEndedBar(cadence, at);
  for (let day = 0; day < SETTLED_DAYS; day++) time = lastBarBefore(cadence, time);
  return time + 1;
}

/**
 * Returns the session for which adjusted prices must have been checked: providers adjust the whole history overnight,
 * before the first trade of the session from which a split or a dividend applies.
 */
export function checkDateAt(instant: number): number {
  return lastOpenedSession(instant);
}

/** How long the newest bar must be missing before nothing more is expected. Minutes without a trade have no bar. */
const MAX_LATE_MS = 30 * MINUTE_MS;

/**
 * Returns the instant from which a request for a bar that should exist but was not in the reply can be repeated. The
 * time between the requests doubles, because the longer a bar is missing, the less likely it comes. Returns null if the
 * bar is not expected.
 *
 * @param requestedAt when the bar was missing
 */
export function retryTime(cadence: Cadence, bar: number, requestedAt: number, delayMs: number): number | null {
  const lateMs = Math.max(0, requestedAt - delayMs - barEnd(cadence, bar));
  if (cadence.frequency !== '1D' && lateMs > MAX_LATE_MS) return null;
  return requestedAt + Math.max(MINUTE_MS, lateMs);
}

/** How long a series must have had no bar, when it was read, before no further bars are expected soon. */
const QUIET_AFTER_MS = 10 * DAY_MS;
const QUIET_INTERVAL_MS = HOUR_MS;

/** Returns whether a series had no bar for so long when it was read that it is probably delisted. */
export function isQuiet(lastBar: number | null, requestedAt: number): boolean {
  return lastBar === null || requestedAt - lastBar > QUIET_AFTER_MS;
}

/** Returns the instant from which a probably delisted series is read again. */
export function nextQuietTime(requestedAt: number): number {
  return requestedAt + QUIET_INTERVAL_MS;
}
