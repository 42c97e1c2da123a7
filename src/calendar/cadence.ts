import type { Hours } from './exchange/session-hours.ts';
import type { Frequency } from './frequencies.ts';

/**
 * `exchange` for bars of a stock exchange, `currency` for bars of currency pairs and metals, `plain` for everything
 * else: economic data, coins, rows of an account.
 */
export const SERIES_KINDS = ['exchange', 'currency', 'plain'] as const;
export type SeriesKind = (typeof SERIES_KINDS)[number];

/**
 * Determines which timestamps a series can have.
 *
 * Weeks, months, quarters and years are calendar periods in UTC for every kind. Days are exchange sessions for bars of
 * an exchange and calendar days otherwise. Periods within a day follow one another without a break. If bars of an
 * exchange have `hours`, however, only the UTC periods that overlap these hours count, so that nights and weekends are
 * not gaps. Of the days and the periods within a day of currencies, only those count that overlap the trading hours,
 * Sunday 17:00 to Friday 17:00 in New York: Saturday is not a gap.
 */
export interface Cadence {
  readonly frequency: Frequency;
  readonly kind: SeriesKind;
  /**
   * The hours of the exchange that the bars cover. They also determine when a daily bar is complete (default: regular).
   * They have no meaning for other kinds.
   */
  readonly hours?: Hours | undefined;
}
