/** How the trend of one fit behaves. */
export interface TrendSettings {
  /** Scale of the prior on changes of growth: large follows the series, small keeps one line. */
  readonly changepointPrior: number;
  /** Share of the history in which the growth may change. */
  readonly changepointRange: number;
}

/**
 * Prophet's own prior. A trend that follows the data more closely is nearer to the last rows; with the distance of the
 * last rows carried on, the steady one had the smaller past errors on most groups.
 */
export const STEADY: TrendSettings = { changepointPrior: 0.05, changepointRange: 0.9 };

/**
 * What may be left of the growth after each further period. Prophet extends the last growth for ever (1), which is too
 * bold for most series.
 */
export const DAMPINGS: readonly number[] = [0.7, 0.8, 0.9, 1];

export const MAX_CHANGEPOINTS = 25;

/** Prior on seasonal weights, in units of the range of the series: shrinks patterns that are not there. */
export const SEASONALITY_PRIOR = 0.15;

/** Older rows are left out: time grows with the rows, and the forecast hardly depends on them. */
export const MAX_ROWS = 1500;
