import type { Hours } from './exchange/session-hours.ts';
import type { Frequency } from './frequencies.ts';

/** Bars of a stock exchange, or anything else (economic data, currencies, rows of an account). */
export type SeriesKind = 'exchange' | 'plain';

/**
 * Determines which timestamps a series can have.
 *
 * Weeks, months, quarters and years are calendar periods in UTC for both kinds. Days are exchange sessions for bars of
 * an exchange and calendar days otherwise. Within a day the steps are plain, unless bars of an exchange name their
 * `hours`: then only the UTC periods that overlap these hours count, so that nights and weekends are not gaps.
 */
export interface Cadence {
  readonly frequency: Frequency;
  readonly kind: SeriesKind;
  /** The hours of the exchange that the bars cover; they also decide when a daily bar is complete (default: regular). */
  readonly hours?: Hours | undefined;
}
