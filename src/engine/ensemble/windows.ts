/**
 * How the observed rows of a series are divided into folds, which choose the weights, and a validation window. All
 * numbers count rows, not periods.
 */
export interface Windows {
  /** The smallest number of rows that a fold may be fitted on. */
  readonly minTraining: number;
  /** Number of rows that each fold and the audit window score; 0 if there are too few rows. */
  readonly calibrationHorizon: number;
  /** The number of rows that each fold is fitted on, ascending. No fold scores a row of the audit window. */
  readonly folds: readonly number[];
  /** Number of rows that the audit forecast is fitted on; null if there is no audit window. */
  readonly audit: number | null;
  /** Number of rows that are held out if the folds do not choose the weights; 0 if there are too few rows. */
  readonly holdout: number;
}

/** The largest number of rows that a fold, the audit window or the holdout scores. */
const MAX_SCORED_ROWS = 30;
const MAX_FOLDS = 5;
const MIN_TRAINING = 8;
/** A fold scores at least this many rows, if there are enough, even for a horizon of one step. */
const MIN_SCORED_ROWS = 3;

/**
 * Returns how many of the last rows must not influence the season and the pooling space, because the audit window or
 * the holdout may contain them. The number is an upper bound, because the length of the audit window depends on the
 * season, which has not been detected yet.
 */
export function countReservedRows(horizon: number): number {
  return Math.min(MAX_SCORED_ROWS, Math.max(horizon, MIN_SCORED_ROWS));
}

/**
 * Divides `rows` observed rows into folds, audit window and holdout.
 *
 * @example planWindows(24, 8, 4) // calibrationHorizon 4, five folds fitted on 10 to 16 rows, audit fitted on 20
 */
export function planWindows(rows: number, horizon: number, season: number): Windows {
  const minTraining =
    season > 1 ? Math.max(MIN_TRAINING, Math.min(2 * season + 2, Math.floor(rows / 2))) : MIN_TRAINING;
  const room = rows - minTraining;
  const calibrationHorizon = Math.max(0, Math.min(countReservedRows(horizon), Math.floor(room / 3)));
  return {
    minTraining,
    calibrationHorizon,
    folds: calibrationHorizon === 0 ? [] : spreadEvenly(minTraining, rows - 2 * calibrationHorizon),
    audit: calibrationHorizon === 0 ? null : rows - calibrationHorizon,
    holdout: Math.max(0, Math.min(horizon, MAX_SCORED_ROWS, room)),
  };
}

/** Returns up to five integers, spread evenly from `first` to `last`. */
function spreadEvenly(first: number, last: number): number[] {
  const count = Math.min(MAX_FOLDS, last - first + 1);
  if (count === 1) return [last];
  return Array.from({ length: count }, (_, i) => first + Math.round((i * (last - first)) / (count - 1)));
}
