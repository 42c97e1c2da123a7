import { newYorkInstant } from '../exchange/new-york-time.ts';
import { DAY_MS } from '../time-range.ts';

const WEEK_MS = 7 * DAY_MS;
const OPEN_MINUTES = 17 * 60;

/**
 * Saturday, 1987-01-03, the start of week 0: the first week whose Sunday lies in the years for which New York time is
 * known. Weeks count from Saturday, 00:00 UTC, because no currency trades then, so that no week divides trading hours.
 */
const FIRST_KNOWN_WEEK = Date.UTC(1987, 0, 3);

/** The instants at which a trading week opens and closes. The close is the first instant after the week. */
export interface TradingWeek {
  readonly open: number;
  readonly close: number;
}

/** Returns the number of the week that contains an instant; negative before 1987. */
export function tradingWeekNumber(instant: number): number {
  return Math.floor((instant - FIRST_KNOWN_WEEK) / WEEK_MS);
}

/**
 * Returns the hours in which currencies trade in a week: from Sunday, 17:00, to Friday, 17:00, in New York. Before 1987,
 * they are the days from Monday to Friday in UTC: New York time is not known, and daily rates of that time have no
 * Sundays.
 *
 * @example tradingWeek(tradingWeekNumber(Date.UTC(2024, 6, 3))) // 2024-06-30T21:00Z to 2024-07-05T21:00Z
 */
export function tradingWeek(number: number): TradingWeek {
  const saturday = FIRST_KNOWN_WEEK + number * WEEK_MS;
  const open = number < 0 ? saturday + 2 * DAY_MS : newYorkInstant(saturday + DAY_MS, OPEN_MINUTES);
  // Clocks change early on Sundays, so every trading week has the same length.
  return { open, close: open + 5 * DAY_MS };
}

/**
 * Returns until when currencies have traded at an instant: the instant itself within trading hours, otherwise the last
 * close.
 *
 * @example currencyTradingEnd(Date.UTC(2024, 0, 6)) // Friday, 2024-01-05T22:00Z
 */
export function currencyTradingEnd(instant: number): number {
  const number = tradingWeekNumber(instant);
  const { open, close } = tradingWeek(number);
  return instant > open ? Math.min(instant, close) : tradingWeek(number - 1).close;
}
