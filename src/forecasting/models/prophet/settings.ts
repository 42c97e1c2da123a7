/** How the trend of one fit behaves. */
export interface TrendSettings {
  /** Scale of the prior on changes of growth: large follows the series, small keeps one line. */
  readonly changepointPrior: number;
  /** Share of the history in which the growth may change. */
  readonly changepointRange: number;
}

/**
 * The two trends that are tried. On short business series the end of the history matters most: changes of growth up
 * to the last point, hardly punished. The other is Prophet's own default, for series that keep to one line.
 */
export const FOLLOWING: TrendSettings = { changepointPrior: 0.5, changepointRange: 1 };
export const STEADY: TrendSettings = { changepointPrior: 0.05, changepointRange: 0.9 };

/**
 * What is left of the growth after each further period. Prophet extends the last growth for ever (1), which is too bold
 * wherever the trend follows the data closely.
 */
export const USUAL_DAMPING = 0.85;
export const OTHER_DAMPINGS: readonly number[] = [0.97, 1];

/** Another choice replaces the usual one only if its past errors are this much smaller: one holdout is weak evidence. */
export const MARGIN = 0.7;

export const MAX_CHANGEPOINTS = 25;

/** Prior on seasonal weights, in units of the range of the series: shrinks patterns that are not there. */
export const SEASONALITY_PRIOR = 0.15;

/** Older rows are left out: time grows with the rows, and the forecast hardly depends on them. */
export const MAX_ROWS = 1500;
