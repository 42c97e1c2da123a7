import { forecastTimestamps, requireSupportedQuantiles } from './check-forecast.ts';
import {
  describeFailures,
  describeMember,
  describeNotFitted,
  describeWeighting,
  toPredictions,
} from './ensemble/build-result.ts';
import { checkRequest } from './ensemble/check-request.ts';
import { decideWeights } from './ensemble/decide-weights.ts';
import { type RunOptions, rowsOf, runMemberModels } from './ensemble/members.ts';
import { planForecast } from './ensemble/plan.ts';
import { poolRows } from './ensemble/pool.ts';
import { ForecastError, type ForecastRequest } from './ensemble/request.ts';
import { type ForecastResult, type Prediction, toWeightsByQuantile } from './ensemble/result.ts';
import { describeValidation } from './ensemble/validation.ts';
import type { QuantileRows } from './runner.ts';
import { REFERENCE_LEVELS } from './weighting/spread-calibration.ts';

/**
 * The version of everything that determines the digits of a forecast: models, pooling, weighting, calibration. Raise it
 * with every change that can alter a digit. It also serves as the checkpoint of the statistical models and is part of
 * the fingerprint.
 */
export const ENGINE_VERSION = '4';

/**
 * Forecasts a series with several models and pools their quantiles. In auto mode the weights are chosen on folds of the
 * past and scored on a later audit window, which is not used to choose them. The fast mode has no folds.
 *
 * Throws a `ForecastError` if the request is invalid, the history is too short or every model failed; a `SeriesError`
 * if rows are invalid; and the runner's error if `signal` was aborted.
 *
 * @param request the series and the horizon, with optional quantiles, models, weights, transform and seed
 * @param options `runner` fits the models, `signal` aborts the forecast, and `onProgress` is called at the start and
 * whenever a model completes
 * @example
 * const runner = createInlineRunner(createModels({}));
 * const { predictions } = await forecast(
 *   { cadence: { frequency: '1MS', kind: 'plain' }, timestamps, values, horizon: 12 },
 *   { runner },
 * );
 */
export async function forecast(request: ForecastRequest, options: RunOptions): Promise<ForecastResult> {
  options.signal?.throwIfAborted();
  const checked = checkRequest(request, options.runner.models);
  const { quantiles, models, horizon } = checked;
  requireSupportedQuantiles(checked);
  const plan = planForecast(checked, request.timestamps, request.values);
  const timestamps = forecastTimestamps(checked.cadence, plan.series.times.at(-1) as number, horizon);
  // The median and the reference levels are always computed, because pooling needs them. They are reported only if
  // requested.
  const levels = [...new Set([...quantiles, ...Object.values(REFERENCE_LEVELS)])].sort((a, b) => a - b);
  const members = await runMemberModels(checked, plan, levels, options);
  const decision = decideWeights(checked, plan, levels, members);
  if (decision.members.length === 0) throw new ForecastError('ALL_MODELS_FAILED', describeFailures(members));

  const predictionsOf = (rows: QuantileRows): Prediction[] => toPredictions(rows, timestamps, levels, quantiles);
  const finals = decision.members.map(({ final }) => rowsOf(final));
  const pooled = poolRows(
    finals,
    decision,
    levels,
    plan.spaces.atOrigin(plan.series.values.length),
    decision.calibration,
  );
  const effective = toWeightsByQuantile(decision.weights, decision.members, levels, quantiles);
  return {
    predictions: predictionsOf(pooled),
    weight_mode: checked.weightMode,
    ...(checked.weightMode === 'auto'
      ? { weighting: describeWeighting(checked, plan, levels, members, decision) }
      : {}),
    historical_validation: describeValidation(plan, levels, quantiles, models, decision),
    effective_weights_by_quantile: effective,
    members: [
      ...members.map((member) => describeMember(member, decision, predictionsOf)),
      ...checked.notFitted.map(describeNotFitted),
    ],
    season: plan.season,
  };
}
