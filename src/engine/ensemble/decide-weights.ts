import { equalWeights, memberLosses, type Panel, type Weights, weightsFromPreferences } from '../weighting/panel.ts';
import { priorWeights, priorWidth, spreadWeights } from '../weighting/prior-weights.ts';
import { selectWeights } from '../weighting/select-weights.ts';
import { calibrateSpread, type SpreadCalibration, startingCalibration } from '../weighting/spread-calibration.ts';
import { type MemberModel, rowsOf } from './members.ts';
import { buildPanel, priorMemberOf, priorSeriesOf, spreadRows, supportsOf } from './past-rows.ts';
import type { ForecastPlan } from './plan.ts';
import type { PoolWeights } from './pool.ts';
import type { CheckedRequest } from './request.ts';
import type { LeftOutReason } from './result.ts';

/** The member models of the pool with their weights, and how the weights were chosen. */
export interface Decision extends PoolWeights {
  readonly status: 'manual' | 'optimized' | 'fallback' | 'single_model';
  /** Why the weights were not optimized; null if they were optimized or are manual. */
  readonly reason: string | null;
  readonly members: readonly MemberModel[];
  readonly leftOut: ReadonlyMap<string, LeftOutReason>;
  /** The weights before any fold was scored; equal to `weights` unless the folds chose the weights. */
  readonly priorWeights: Weights;
  readonly selectedMethod: string;
  readonly innerScores: Readonly<Record<string, number>>;
  readonly calibration: SpreadCalibration;
  /** Equal weights and their calibration, the baseline in the audit. */
  readonly equal: Weights;
  readonly equalCalibration: SpreadCalibration;
}

/**
 * A member model is left out if its loss in the folds exceeds the median loss by more than this factor: it would spoil
 * any average.
 */
const MAX_LOSS_RATIO = 10;

/**
 * Decides which member models are pooled, and with which weights. Uses the outcomes of the folds and whether the final
 * forecasts failed, but not the validation window.
 */
export function decideWeights(
  request: CheckedRequest,
  plan: ForecastPlan,
  levels: readonly number[],
  all: readonly MemberModel[],
): Decision {
  const leftOut = new Map<string, LeftOutReason>();
  const leaveOut = (
    members: readonly MemberModel[],
    reason: LeftOutReason,
    isKept: (member: MemberModel) => boolean,
  ): MemberModel[] => members.filter((member) => isKept(member) || !leftOut.set(member.id, reason));
  const completed = leaveOut(all, 'failed', ({ final }) => rowsOf(final) !== null);

  const decide = (
    status: Decision['status'],
    reason: string | null,
    members: readonly MemberModel[],
    isCalibrated: boolean,
  ) => buildDecision(request, plan, levels, members, leftOut, status, reason, isCalibrated);

  if (request.weightMode === 'manual') return decide('manual', null, completed, false);
  // If there are too few folds to choose weights, they may overlap the holdout, so they must not decide which models
  // are left out either.
  const calibrated = plan.canChooseWeights
    ? completed.filter(({ folds }) => folds.every((fold) => rowsOf(fold) !== null))
    : [];
  const isCalibrated = calibrated.length > 0;
  // If no member model has a forecast for every fold, the folds cannot be used to compare the models.
  const candidates = isCalibrated
    ? leaveOut(completed, 'failed_in_calibration', (member) => calibrated.includes(member))
    : completed;
  const losses = isCalibrated ? memberLosses(buildPanel(plan, levels, candidates)) : null;
  const limit = losses === null ? Number.POSITIVE_INFINITY : MAX_LOSS_RATIO * median(losses);
  const members = leaveOut(candidates, 'exploded_in_calibration', (member) => {
    return losses === null || limit === 0 || (losses[candidates.indexOf(member)] as number) <= limit;
  });
  if (members.length === 1) {
    const reason = request.models.length === 1 ? 'one_model_requested' : 'one_model_survived';
    return decide('single_model', reason, members, isCalibrated);
  }
  if (request.mode === 'fast') return decide('fallback', 'fast_mode', members, false);
  if (!plan.canChooseWeights) return decide('fallback', 'insufficient_history', members, false);
  if (!isCalibrated) return decide('fallback', 'calibration_failed', members, false);
  return decide('optimized', null, members, true);
}

function buildDecision(
  request: CheckedRequest,
  plan: ForecastPlan,
  levels: readonly number[],
  members: readonly MemberModel[],
  leftOut: ReadonlyMap<string, LeftOutReason>,
  status: Decision['status'],
  reason: string | null,
  isCalibrated: boolean,
): Decision {
  const supports = supportsOf(levels, members);
  const equal = equalWeights(supports);
  const calibrationOf = (pool: PoolWeights): SpreadCalibration => {
    const width = status === 'manual' || pool.spread === null ? 1 : priorWidth(priorSeriesOf(plan));
    return isCalibrated ? calibrateSpread(spreadRows(plan, levels, members, pool), width) : startingCalibration(width);
  };
  const complete = (weights: Weights, isPlain: boolean) => {
    const spread = isPlain ? null : spreadWeights(members.map(priorMemberOf), supports, weights);
    const equalCalibration = calibrationOf({ weights: equal, spread: null });
    const pool = { weights, spread };
    return { status, reason, members, leftOut, equal, equalCalibration, ...pool, calibration: calibrationOf(pool) };
  };
  if (status === 'optimized') {
    const { weightingPolicy } = request;
    const panel = buildPanel(plan, levels, members);
    const { method: selectedMethod, weights, ...selection } = selectWeights(panel, weightingPolicy);
    // Convex weights were fitted to averages of the values of each quantile.
    return { ...complete(weights, weightingPolicy === 'rolling_pinball_v1'), ...selection, selectedMethod };
  }
  const weights = weightsWithoutFolds(request, plan, supports, members);
  const selectedMethod = { manual: 'manual', single_model: 'single_model', fallback: 'default_weights' }[status];
  return { ...complete(weights, status === 'manual'), priorWeights: weights, selectedMethod, innerScores: {} };
}

/** Returns the manual weights, or those for a series without folds. */
function weightsWithoutFolds(
  { weightMode, baseWeights }: CheckedRequest,
  plan: ForecastPlan,
  supports: Panel['supports'],
  members: readonly MemberModel[],
): Weights {
  const priorMembers = members.map(priorMemberOf);
  if (weightMode === 'auto' && priorMembers.some(({ isPretrained }) => isPretrained)) {
    return priorWeights(priorMembers, supports, priorSeriesOf(plan));
  }
  const equal = equalWeights(supports);
  const weights = weightsFromPreferences(
    supports,
    members.map(({ id }) => baseWeights.get(id) as number),
  );
  return weights.map((row, q) => (row.some((weight) => weight > 0) ? row : (equal[q] as Float64Array)));
}

/**
 * Returns the median. If there are two middle values, returns the lower one, because one of two member models may have
 * exploded.
 */
function median(values: Float64Array): number {
  return values.toSorted()[(values.length - 1) >> 1] as number;
}
