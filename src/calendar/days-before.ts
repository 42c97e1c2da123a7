import type { Cadence } from './cadence.ts';
import { barEnd } from './completed-bars.ts';
import { newYorkDaysBefore } from './exchange/new-york-time.ts';
import { isSession, SESSIONS_KNOWN_FROM } from './exchange/sessions.ts';
import { intradayStep, periodEnd, previousPeriod } from './periods.ts';
import { DAY_MS } from './time-range.ts';

/**
 * Returns the instant a number of days before a bar. Days of an exchange are dates in New York, not periods of 24
 * hours. In UTC, sessions close at another hour after a clock change, and they close earlier on half days. Counting
 * hours could therefore miss the session that is exactly that many days earlier.
 *
 * For bars of an exchange, the result is the end of the last bar whose date is at least that many days before the date
 * of `last`. The date of a week or a month is its last day. For intraday bars, the result is the same time on New
 * York's clocks. For other series, each day is 24 hours, counted back from the end of the bar.
 *
 * @param last the timestamp of the bar
 * @example daysBefore({ frequency: '1D', kind: 'exchange' }, Date.UTC(2018, 4, 11), 120) // the close of 2018-01-11
 */
export function daysBefore(cadence: Cadence, last: number, days: number): number {
  const { frequency, kind } = cadence;
  if (kind !== 'exchange') return barEnd(cadence, last) - days * DAY_MS;
  if (intradayStep(frequency) !== null) return newYorkDaysBefore(barEnd(cadence, last), days);
  const end = periodEnd(frequency, last) - days * DAY_MS;
  // Bars from before the first known session end with their UTC period.
  if (end <= SESSIONS_KNOWN_FROM) return end;
  let bar = previousPeriod(frequency, end);
  while (frequency === '1D' && bar >= SESSIONS_KNOWN_FROM && !isSession(bar)) bar -= DAY_MS;
  return barEnd(cadence, bar);
}
