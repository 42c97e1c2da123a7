import { type BarFrequency, DAY_MS, newYorkDate, newYorkInstant } from '../../../calendar/index.ts';
import { ProviderError } from '../../../platform/index.ts';
import { barStep, lastBarBefore } from '../stocks/bar-range.ts';

/** The oldest bar of the most complete plan. */
const EARLIEST = Date.UTC(2003, 8, 10);
/** Plans with a short history include two years. One day less allows for a difference between two clocks. */
const SHORT_HISTORY_MS = (2 * 365 - 1) * DAY_MS;
/** One minute more than the delay of delayed plans, for a difference between two clocks. */
const DELAYED_MINUTES = 16;
/** From the close at 16:00 until midnight in New York. */
const MINUTES_UNTIL_MIDNIGHT = 8 * 60;

/**
 * What the account's plan includes, as replies show it: recent bars, bars that are 15 minutes old, or bars of earlier
 * dates; the whole history or that of two years. It is not stated anywhere else.
 */
export class MassivePlan {
  readonly now: () => number;
  #recency: 'recent' | 'delayed' | 'earlier_dates' = 'recent';
  #hasShortHistory = false;

  constructor(now: () => number) {
    this.now = now;
  }

  /** Whether the plan includes two years only. */
  get hasShortHistory(): boolean {
    return this.#hasShortHistory;
  }

  get earliest(): number {
    if (!this.#hasShortHistory) return EARLIEST;
    return newYorkDate(this.now() - SHORT_HISTORY_MS);
  }

  get delayMinutes(): number {
    if (this.#recency === 'recent') return 0;
    return this.#recency === 'delayed' ? DELAYED_MINUTES - 1 : MINUTES_UNTIL_MIDNIGHT;
  }

  /** Returns the last complete bar that the plan includes. */
  lastBar(frequency: BarFrequency): number {
    if (this.#recency !== 'earlier_dates') {
      return lastBarBefore(frequency, this.now(), this.#recency === 'delayed' ? DELAYED_MINUTES : 0);
    }
    const today = newYorkDate(this.now());
    return frequency === '1D' ? today - DAY_MS : newYorkInstant(today, 0) - barStep(frequency);
  }

  /** Records that replies are delayed. */
  learnDelay(): void {
    if (this.#recency === 'recent') this.#recency = 'delayed';
  }

  /**
   * Records what a refused request shows. Returns whether a request for fewer bars may succeed.
   *
   * @param first the oldest bar of the refused request
   */
  learnFrom(error: unknown, first: number): boolean {
    if (!(error instanceof ProviderError) || error.fault !== 'FORBIDDEN') return false;
    if (error.replyIncludes('before end of day')) {
      if (this.#recency === 'earlier_dates') return false;
      this.#recency = 'earlier_dates';
      return true;
    }
    const isTooOld = error.replyIncludes('data timeframe') && first < this.now() - SHORT_HISTORY_MS;
    if (!isTooOld || this.#hasShortHistory) return false;
    this.#hasShortHistory = true;
    return true;
  }
}
