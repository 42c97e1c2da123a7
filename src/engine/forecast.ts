import { refuseOrphanQuantile } from './check-forecast.ts';
import { checkRequest } from './ensemble/check-request.ts';
import { decideWeights } from './ensemble/decide-weights.ts';
import { describeFailures, describeMember, describeWeighting, writeRows } from './ensemble/describe.ts';
import { ForecastError } from './ensemble/forecast-error.ts';
import { type QuantileRows, type RunOptions, rowsOf, runMembers } from './ensemble/members.ts';
import { periodsAhead } from './ensemble/periods-ahead.ts';
import { planForecast } from './ensemble/plan.ts';
import { poolRows } from './ensemble/pool.ts';
import { writeWeights } from './ensemble/quantile-keys.ts';
import type { ForecastRequest } from './ensemble/request.ts';
import type { ForecastResult, Prediction } from './ensemble/result.ts';
import { validate } from './ensemble/validate.ts';
import { REFERENCE } from './weighting/spread-calibration.ts';

/**
 * Forecasts a series with several models and pools what they say. In auto mode the weights are chosen on folds of the
 * past and judged on a later window that chose nothing.
 *
 * Throws a `ForecastError` (bad request, too little history, every model failed), a `SeriesError` (bad rows) or, when
 * `signal` was aborted, what the runner rejects with.
 *
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
  refuseOrphanQuantile(checked);
  const plan = planForecast(checked, request.timestamps, request.values);
  const future = periodsAhead(checked.cadence, plan.series.times.at(-1) as number, horizon);
  // The median and the reference quantiles of the spread are always made, and written only if asked for.
  const levels = [...new Set([...quantiles, ...Object.values(REFERENCE)])].sort((a, b) => a - b);
  const members = await runMembers(checked, plan, levels, options);
  const decision = decideWeights(checked, plan, levels, members);
  if (decision.members.length === 0) throw new ForecastError('ALL_MODELS_FAILED', describeFailures(members));

  const write = (rows: QuantileRows): Prediction[] => writeRows(rows, future, levels, quantiles);
  const finals = decision.members.map(({ final }) => rowsOf(final));
  const pooled = poolRows(
    finals,
    decision.weights,
    levels,
    plan.spaces.after(plan.series.values.length),
    decision.calibration,
  );
  const effective = writeWeights(decision.weights, decision.members, levels, quantiles);
  return {
    predictions: write(pooled),
    weight_mode: checked.weightMode,
    ...(checked.weightMode === 'auto'
      ? { weighting: describeWeighting(checked, plan, levels, members, decision) }
      : {}),
    historical_validation: validate(plan, levels, quantiles, models, decision),
    effective_weights_by_quantile: effective,
    members: members.map((member) => describeMember(member, decision, write)),
    season: plan.season,
  };
}
