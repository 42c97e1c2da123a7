import type { SeriesKind } from './cadence.ts';
import { currencyGrid } from './currency/currency-grid.ts';
import { isSession, SESSIONS_KNOWN_FROM, SESSIONS_KNOWN_TO } from './exchange/sessions.ts';
import { SATURDAY, SUNDAY, weekday } from './exchange/weekdays.ts';
import { DAY_MS } from './time-range.ts';

const currencyDays = currencyGrid(DAY_MS);

/**
 * Returns whether a day, given as 00:00 UTC, can have a daily bar: a session for an exchange, a day from Sunday to
 * Friday for currencies, and every day otherwise. If the sessions of the exchange are not known, these are the days from
 * Monday to Friday.
 *
 * @example isTradingDay(Date.UTC(2024, 0, 7), 'currency') // true: a Sunday
 */
export function isTradingDay(day: number, kind: SeriesKind): boolean {
  if (kind === 'plain') return true;
  if (kind === 'currency') return currencyDays.contains(day);
  if (day >= SESSIONS_KNOWN_FROM && day <= SESSIONS_KNOWN_TO) return isSession(day);
  return weekday(day) !== SUNDAY && weekday(day) !== SATURDAY;
}
