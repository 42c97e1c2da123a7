import type { Cadence } from '../calendar/index.ts';

/**
 * A series as the engine sees it: equally spaced periods, oldest first. A period without an observation is NaN: a gap
 * stays a gap. The first and the last value are observed.
 */
export interface Series {
  readonly values: Float64Array;
  /**
   * Timestamp of each period in milliseconds since 1970, UTC; as long as `values`. Models of the calendar (prophet) need
   * real dates; the others look at the order only.
   */
  readonly times: Float64Array;
  /** Which timestamps the series can have, and so which come next. */
  readonly cadence: Cadence;
  /** Periods in a season (12 for monthly data with a yearly season); 1: none. */
  readonly season: number;
}
