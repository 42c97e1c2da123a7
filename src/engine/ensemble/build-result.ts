import { NO_METRICS } from '../metrics.ts';
import type { QuantileRows } from '../runner.ts';
import { memberLosses, type Weights } from '../weighting/panel.ts';
import type { Decision } from './decide-weights.ts';
import { fitFailureOf, type MemberModel, rowsOf } from './members.ts';
import { buildPanel } from './past-rows.ts';
import type { ForecastPlan } from './plan.ts';
import type { CheckedRequest } from './request.ts';
import {
  type FoldResult,
  type MemberResult,
  type Prediction,
  quantileKey,
  toWeightsByQuantile,
  type Weighting,
} from './result.ts';
import { describeWindow, scoreValidation } from './validation.ts';

/** Returns rows with their timestamps, reduced to the requested quantiles for which they have values. */
export function toPredictions(
  rows: QuantileRows,
  times: Float64Array,
  levels: readonly number[],
  quantiles: readonly number[],
): Prediction[] {
  const requested = quantiles.map((quantile) => ({ key: quantileKey(quantile), q: levels.indexOf(quantile) }));
  return rows.map((row, step) => ({
    timestamp: new Date(times[step] as number).toISOString(),
    quantiles: Object.fromEntries(
      requested.flatMap(({ key, q }): [string, number][] => (Number.isNaN(row[q]) ? [] : [[key, row[q] as number]])),
    ),
  }));
}

/** Returns the part of the result that describes one member model. */
export function describeMember(
  member: MemberModel,
  { leftOut }: Decision,
  predictionsOf: (rows: QuantileRows) => Prediction[],
): MemberResult {
  const rows = rowsOf(member.final);
  const reason = leftOut.get(member.id) ?? null;
  const error = [member.final, ...member.folds].map(fitFailureOf).find((failure) => failure !== null) ?? null;
  const status = rows === null ? 'failed' : reason === null ? 'completed' : 'left_out';
  return { model: member.id, status, reason, error, predictions: rows === null ? [] : predictionsOf(rows) };
}

/** Returns the part of the result that describes a member of the default ensemble that was not fitted. */
export function describeNotFitted(model: string): MemberResult {
  return { model, status: 'left_out', reason: 'not_fitted_here', error: null, predictions: [] };
}

/** Returns the part of the result that describes how the weights were chosen. */
export function describeWeighting(
  request: CheckedRequest,
  plan: ForecastPlan,
  levels: readonly number[],
  all: readonly MemberModel[],
  decision: Decision,
): Weighting {
  const { quantiles, horizon } = request;
  const { calibrationHorizon } = plan.windows;
  const byQuantile = (weights: Weights) => toWeightsByQuantile(weights, decision.members, levels, quantiles);
  const weights = byQuantile(decision.weights);
  const { members, equal, equalCalibration } = decision;
  const baseline = { members, weights: equal, spread: null, calibration: equalCalibration };
  const isScored = (plan.validation?.outcomes.length ?? 0) > 0;
  const audit = isScored ? scoreValidation(plan, levels, quantiles, decision) : null;
  return {
    mode: 'auto',
    policy: request.weightingPolicy,
    status: decision.status as Weighting['status'],
    reason: decision.reason,
    pooling_space: plan.spaces.name,
    calibration_rows: plan.folds.reduce((sum, { outcomes }) => sum + outcomes.length, 0),
    calibration_horizon: calibrationHorizon,
    extrapolated_from_step:
      decision.calibration.rows > 0 && horizon > calibrationHorizon ? calibrationHorizon + 1 : null,
    weights_by_quantile: weights,
    effective_weights_by_quantile: weights,
    prior_weights: byQuantile(decision.priorWeights),
    ...(decision.spread && { spread_weights: byQuantile(decision.spread.weights) }),
    folds: describeFolds(plan, levels, all),
    selected_method: decision.selectedMethod,
    inner_scores: decision.innerScores,
    calibration: decision.calibration,
    audit_metrics: audit?.metrics ?? NO_METRICS,
    baseline_audit_metrics: (audit && scoreValidation(plan, levels, quantiles, baseline)?.metrics) ?? NO_METRICS,
  };
}

function describeFolds(plan: ForecastPlan, levels: readonly number[], all: readonly MemberModel[]): FoldResult[] {
  return plan.folds.map((fold, f) => {
    const { training_rows, training_end_at, validation_start_at, validation_end_at } = describeWindow(plan, fold);
    const loss = (member: MemberModel): number | null => {
      if (fold.outcomes.length === 0 || rowsOf(member.folds[f] ?? null) === null) return null;
      const alone = buildPanel({ ...plan, folds: [fold] }, levels, [
        { ...member, folds: member.folds.slice(f, f + 1) },
      ]);
      return memberLosses(alone)[0] as number;
    };
    return {
      training_rows,
      training_end_at,
      start_at: validation_start_at,
      end_at: validation_end_at,
      rows: fold.outcomes.length,
      losses: Object.fromEntries(all.map((member) => [member.id, loss(member)])),
    };
  });
}

/** Returns the error message for a forecast whose models all failed. */
export function describeFailures(members: readonly MemberModel[]): string {
  const causes = members.map(({ id, final }) => `${id}: ${fitFailureOf(final)?.message ?? 'left out'}`);
  return `Every model failed. ${causes.join(' ')}`;
}
