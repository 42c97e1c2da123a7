import { observeSeries, planPast } from './ensemble/plan.ts';
import type { CheckedRequest } from './ensemble/request.ts';
import { detectSeasonInSteps } from './seasonality/detect-season.ts';

/** What `forecast` will decide before it fits a model. */
export interface ForecastPreview {
  /** The detected season in periods; 1 if none is detected. */
  readonly season: number;
  /** The periods between the first and the last row. */
  readonly periods: number;
  /** The number of periods that have no row. */
  readonly gaps: number;
  /** Whether the folds score enough rows to choose weights. */
  readonly canChooseWeights: boolean;
  /** The number of steps that the folds score; 0 if there are no folds. */
  readonly calibrationHorizon: number;
  /** Whether rows are left that score the whole forecast. */
  readonly isValidated: boolean;
}

/**
 * Determines what `forecast` will decide about an accepted request before it fits a model, from the same rows. Yields
 * after each step of tens of milliseconds.
 */
export function* previewForecast(
  request: Pick<CheckedRequest, 'cadence' | 'horizon' | 'mode' | 'weightMode'>,
  timestamps: ArrayLike<number>,
  values: ArrayLike<number>,
): Generator<void, ForecastPreview> {
  const { dense, rows, selectionValues } = observeSeries(request, timestamps, values);
  yield;
  const season = selectionValues.length > 1 ? yield* detectSeasonInSteps(selectionValues, request.cadence) : 1;
  const { windows, folds, canChooseWeights, validation } = planPast(request, rows, season);
  return {
    season,
    periods: dense.values.length,
    gaps: dense.values.length - rows.count,
    canChooseWeights,
    calibrationHorizon: folds.length === 0 ? 0 : windows.calibrationHorizon,
    isValidated: validation !== null,
  };
}
