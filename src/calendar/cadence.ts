import type { Hours } from './exchange/session-hours.ts';
import type { Frequency } from './frequencies.ts';

/** Bars of a stock exchange, or anything else (economic data, currencies, a user's own rows). */
export type SeriesKind = 'exchange' | 'plain';

/**
 * What decides which timestamps a series can have.
 *
 * Weeks, months, quarters and years are calendar periods in UTC for both kinds. Days are exchange sessions for bars of
 * an exchange and calendar days otherwise. Within a day the steps are plain, unless bars of an exchange name their
 * `hours`: then only the UTC periods that overlap these hours count, so that nights and weekends are no gaps.
 */
export interface Cadence {
  readonly frequency: Frequency;
  readonly kind: SeriesKind;
  /** Which hours of the exchange the bars cover; they also say when a daily bar is complete (regular if left out). */
  readonly hours?: Hours | undefined;
}
