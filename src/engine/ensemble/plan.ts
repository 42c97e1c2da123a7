import { checkSeries, type DenseSeries } from '../../calendar/index.ts';
import type { Series } from '../model.ts';
import { modelSeason } from '../seasonality/candidates.ts';
import { detectSeason } from '../seasonality/detect-season.ts';
import { choosePoolingSpace, type PoolingSpaces } from './pool.ts';
import { type CheckedRequest, ForecastError } from './request.ts';
import { countReservedRows, planWindows, type Windows } from './windows.ts';

/** A forecast from a past origin, and the rows that score it. */
export interface PastWindow {
  /** Number of rows that the forecast is fitted on. */
  readonly training: number;
  /** Number of periods that these rows span. */
  readonly length: number;
  readonly horizon: number;
  readonly outcomes: readonly OutcomeRow[];
}

/**
 * Everything that is decided before a model runs. The season is detected only from rows outside the audit window and
 * the holdout. The pooling space is chosen from the same rows, but also depends on the sign of every value.
 */
export interface ForecastPlan {
  /** The checked rows, with the season that models may use. */
  readonly series: Series;
  /** The detected season in periods; 1 if none was detected. */
  readonly season: number;
  readonly rows: ObservedRows;
  readonly spaces: PoolingSpaces;
  readonly windows: Windows;
  readonly folds: readonly PastWindow[];
  /** Whether the folds score enough rows to choose weights. */
  readonly canChooseWeights: boolean;
  /**
   * The audit window if the folds choose the weights or in fast mode, otherwise the holdout; null if there are too few
   * rows.
   */
  readonly validation: PastWindow | null;
}

const MIN_ROWS = 3;
const MIN_FOLDS = 2;
const MIN_CALIBRATION_ROWS = 12;

/** Refuses a history that is too short for any forecast. */
export function requireEnoughRows(rows: number): void {
  if (rows >= MIN_ROWS) return;
  throw new ForecastError('INSUFFICIENT_HISTORY', `A forecast needs at least ${MIN_ROWS} rows; there are ${rows}.`);
}

/** Checks the rows of a request and divides them into folds and a validation window. */
export function planForecast(
  request: CheckedRequest,
  timestamps: ArrayLike<number>,
  values: ArrayLike<number>,
): ForecastPlan {
  const { cadence, transform } = request;
  const { dense, rows, selectionValues } = observeSeries(request, timestamps, values);
  const season = selectionValues.length > 1 ? detectSeason(selectionValues, cadence) : 1;
  return {
    series: { ...dense, cadence, season: modelSeason(season, cadence) },
    season,
    rows,
    spaces: choosePoolingSpace(transform, dense.values, selectionValues, season),
    ...planPast(request, rows, season),
  };
}

/** The rows of a request on the grid of their cadence. */
interface ObservedSeries {
  readonly dense: DenseSeries;
  readonly rows: ObservedRows;
  /** The values outside the audit window and the holdout. */
  readonly selectionValues: Float64Array;
}

/** Checks the rows of a request. */
export function observeSeries(
  { cadence, horizon }: Pick<CheckedRequest, 'cadence' | 'horizon'>,
  timestamps: ArrayLike<number>,
  values: ArrayLike<number>,
): ObservedSeries {
  requireEnoughRows(values.length);
  const dense = checkSeries(cadence, timestamps, values);
  const rows = indexObservedRows(dense.values);
  const selection = rows.periodsThrough(Math.max(1, rows.count - countReservedRows(horizon)));
  return { dense, rows, selectionValues: dense.values.subarray(0, selection) };
}

type PastPlan = Pick<ForecastPlan, 'windows' | 'folds' | 'canChooseWeights' | 'validation'>;

/** Divides observed rows into folds and a validation window. */
export function planPast(
  { horizon, mode, weightMode }: Pick<CheckedRequest, 'horizon' | 'mode' | 'weightMode'>,
  rows: ObservedRows,
  season: number,
): PastPlan {
  const windows = planWindows(rows.count, horizon, season);
  const pastWindow = (training: number, scored: number): PastWindow => ({
    training,
    length: rows.periodsThrough(training),
    horizon: scored,
    outcomes: rows.outcomes(training, scored),
  });
  const isFast = mode === 'fast';
  const folds =
    weightMode === 'auto' && !isFast
      ? windows.folds.map((training) => pastWindow(training, windows.calibrationHorizon))
      : [];
  const scored = folds.reduce((sum, { outcomes }) => sum + outcomes.length, 0);
  const scoredFolds = folds.filter(({ outcomes }) => outcomes.length > 0).length;
  const canChooseWeights = scoredFolds >= MIN_FOLDS && scored >= MIN_CALIBRATION_ROWS;
  const holdout = windows.holdout > 0 ? pastWindow(rows.count - windows.holdout, windows.holdout) : null;
  // The fast mode scores the same window as the full mode, so that the scores of both can be compared.
  const isAudited = canChooseWeights || isFast;
  return {
    windows,
    folds,
    canChooseWeights,
    validation: isAudited && windows.audit !== null ? pastWindow(windows.audit, windows.calibrationHorizon) : holdout,
  };
}

/** A row that scores a window: how many steps it lies ahead (0 is the first step), and its actual value. */
interface OutcomeRow {
  readonly step: number;
  readonly actual: number;
}

/** The observed rows of a series with gaps. Windows count rows; fits read periods. */
interface ObservedRows {
  readonly count: number;
  /** Returns the number of periods up to and including the first `rows` observed rows. */
  periodsThrough(rows: number): number;
  /**
   * Returns the `count` rows after the first `rows` rows. Because a gap takes up steps, a forecast of `count` steps may
   * not reach all of them; rows beyond it are left out.
   */
  outcomes(rows: number, count: number): OutcomeRow[];
}

/** Indexes the rows of a series that are not NaN. */
function indexObservedRows(values: Float64Array): ObservedRows {
  const periods: number[] = [];
  values.forEach((value, period) => {
    if (!Number.isNaN(value)) periods.push(period);
  });
  const periodsThrough = (rows: number): number => (rows === 0 ? 0 : (periods[rows - 1] as number) + 1);
  return {
    count: periods.length,
    periodsThrough,
    outcomes: (rows, count) => {
      const start = periodsThrough(rows);
      return periods
        .slice(rows, rows + count)
        .map((period) => ({ step: period - start, actual: values[period] as number }))
        .filter(({ step }) => step < count);
    },
  };
}
