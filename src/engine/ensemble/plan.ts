import { checkSeries } from '../../calendar/index.ts';
import { detectSeason, usualSeason } from '../seasonality/index.ts';
import type { Series } from '../series.ts';
import { ForecastError } from './forecast-error.ts';
import { type ObservedRows, type OutcomeRow, observeRows } from './observed-rows.ts';
import { choosePoolingSpace, type PoolingSpaces } from './pooling-space.ts';
import type { CheckedRequest } from './request.ts';
import { planWindows, untouchableRows, type Windows } from './windows.ts';

/** A forecast from a past origin, and the rows that judge it. */
export interface PastWindow {
  /** Rows it is fitted on. */
  readonly training: number;
  /** The periods these rows span. */
  readonly length: number;
  readonly horizon: number;
  readonly outcomes: readonly OutcomeRow[];
}

/** What is decided before any model runs, from rows that neither audit nor holdout score. */
export interface Plan {
  /** With the season that models are to try. */
  readonly series: Series;
  /** The season that was found; 1: none. */
  readonly season: number;
  readonly rows: ObservedRows;
  readonly spaces: PoolingSpaces;
  readonly windows: Windows;
  readonly folds: readonly PastWindow[];
  /** Whether the folds are enough to choose weights on. */
  readonly canChoose: boolean;
  /** The audit where the folds choose, a plain holdout where they do not; null where there are too few rows. */
  readonly validation: PastWindow | null;
}

const MIN_ROWS = 3;
const MIN_FOLDS = 2;
const MIN_CALIBRATION_ROWS = 12;

export function refuseTooFewRows(rows: number): void {
  if (rows >= MIN_ROWS) return;
  throw new ForecastError('INSUFFICIENT_HISTORY', `A forecast needs at least ${MIN_ROWS} rows; there are ${rows}.`);
}

export function planForecast(request: CheckedRequest, timestamps: ArrayLike<number>, values: ArrayLike<number>): Plan {
  refuseTooFewRows(values.length);
  const { cadence, horizon, weightMode, transform } = request;
  const dense = checkSeries(cadence, timestamps, values);
  const rows = observeRows(dense.values);
  const choosing = dense.values.subarray(0, rows.periodsOf(Math.max(1, rows.count - untouchableRows(horizon))));
  const season = choosing.length > 1 ? detectSeason(choosing, cadence) : 1;
  const windows = planWindows(rows.count, horizon, season);
  const past = (training: number, scored: number): PastWindow => ({
    training,
    length: rows.periodsOf(training),
    horizon: scored,
    outcomes: rows.outcomes(training, scored),
  });
  const isAuto = weightMode === 'auto';
  const folds = isAuto ? windows.folds.map((training) => past(training, windows.calibrationHorizon)) : [];
  const scored = folds.reduce((sum, { outcomes }) => sum + outcomes.length, 0);
  const useful = folds.filter(({ outcomes }) => outcomes.length > 0).length;
  const canChoose = useful >= MIN_FOLDS && scored >= MIN_CALIBRATION_ROWS;
  const holdout = windows.holdout > 0 ? past(rows.count - windows.holdout, windows.holdout) : null;
  return {
    series: { ...dense, cadence, season: season > 1 ? season : usualSeason(cadence) },
    season,
    rows,
    spaces: choosePoolingSpace(transform, dense.values, choosing, season),
    windows,
    folds,
    canChoose,
    validation: canChoose && windows.audit !== null ? past(windows.audit, windows.calibrationHorizon) : holdout,
  };
}
