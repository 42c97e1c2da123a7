import type { Hours } from './exchange/session-hours.ts';
import type { Frequency } from './frequencies.ts';

/**
 * `exchange` for bars of a stock exchange, `plain` for everything else: economic data, currencies, rows of an account.
 */
export type SeriesKind = 'exchange' | 'plain';

/**
 * Determines which timestamps a series can have.
 *
 * Weeks, months, quarters and years are calendar periods in UTC for both kinds. Days are exchange sessions for bars of
 * an exchange and calendar days otherwise. Periods within a day follow one another without a break. If bars of an
 * exchange have `hours`, however, only the UTC periods that overlap these hours count, so that nights and weekends are
 * not gaps.
 */
export interface Cadence {
  readonly frequency: Frequency;
  readonly kind: SeriesKind;
  /**
   * The hours of the exchange that the bars cover. They also determine when a daily bar is complete (default: regular).
   */
  readonly hours?: Hours | undefined;
}
