/** How the observed rows of a series are divided between choosing and judging. Counts are of rows, not of periods. */
export interface Windows {
  /** Rows before the first fold's forecast. */
  readonly leastTraining: number;
  /** Rows that each fold and the audit score; 0 where there are too few for any. */
  readonly calibrationHorizon: number;
  /** For each fold the rows it is fitted on, ascending. None reaches the audit window. */
  readonly folds: readonly number[];
  /** Rows the audit is fitted on; null without an audit window. */
  readonly audit: number | null;
  /** Rows held out where no folds choose the weights; 0 where there are too few. */
  readonly holdout: number;
}

/** Rows that calibration, audit and holdout may score at most. */
export const MAX_SCORED_ROWS = 30;
const MAX_FOLDS = 5;
const MIN_TRAINING = 8;
/** Even a forecast of one step is judged on a few rows. */
const MIN_SCORED_ROWS = 3;

/**
 * Rows at the end that the season and the pooling space must not depend on, because an audit or a holdout may lie there:
 * an upper bound, since how long the audit is depends on the season.
 */
export function untouchableRows(horizon: number): number {
  return Math.min(MAX_SCORED_ROWS, Math.max(horizon, MIN_SCORED_ROWS));
}

/**
 * Lays folds, audit and holdout over a series of `rows` observed rows.
 *
 * @example planWindows(24, 8, 4) // calibrationHorizon 4, five folds fitted on 10 to 16 rows, audit fitted on 20
 */
export function planWindows(rows: number, horizon: number, season: number): Windows {
  const leastTraining =
    season > 1 ? Math.max(MIN_TRAINING, Math.min(2 * season + 2, Math.floor(rows / 2))) : MIN_TRAINING;
  const room = rows - leastTraining;
  const calibrationHorizon = Math.max(0, Math.min(untouchableRows(horizon), Math.floor(room / 3)));
  return {
    leastTraining,
    calibrationHorizon,
    folds: calibrationHorizon === 0 ? [] : spread(leastTraining, rows - 2 * calibrationHorizon),
    audit: calibrationHorizon === 0 ? null : rows - calibrationHorizon,
    holdout: Math.max(0, Math.min(horizon, MAX_SCORED_ROWS, room)),
  };
}

/** Up to five whole numbers, evenly from `first` to `last`. */
function spread(first: number, last: number): number[] {
  const count = Math.min(MAX_FOLDS, last - first + 1);
  if (count === 1) return [last];
  return Array.from({ length: count }, (_, i) => first + Math.round((i * (last - first)) / (count - 1)));
}
