import { MODEL_CATALOGUE } from '../models/index.ts';
import { equalWeights, memberLosses, type Panel, type Weights, weightsOfMembers } from '../weighting/panel.ts';
import { selectWeights } from '../weighting/select-weights.ts';
import { calibrateSpread, REFERENCE, type SpreadCalibration, UNCALIBRATED } from '../weighting/spread-calibration.ts';
import { type Member, type QuantileRows, rowsOf } from './members.ts';
import type { PastWindow, Plan } from './plan.ts';
import { poolRow } from './pool.ts';
import type { CheckedRequest } from './request.ts';

export type LeftOutReason = 'failed' | 'failed_in_calibration' | 'exploded_in_calibration';

/** Who takes part with which weight, and how that was chosen. */
export interface Decision {
  readonly status: 'manual' | 'optimized' | 'fallback' | 'single_model';
  /** Why the weights are not optimised ones. */
  readonly reason: string | null;
  readonly members: readonly Member[];
  readonly leftOut: ReadonlyMap<string, LeftOutReason>;
  /** By level, then by member. */
  readonly weights: Weights;
  readonly selectedMethod: string;
  readonly innerScores: Readonly<Record<string, number>>;
  readonly calibration: SpreadCalibration;
  /** The same for equal weights: what the chosen ones are compared with. */
  readonly equal: Weights;
  readonly equalCalibration: SpreadCalibration;
}

/** A member whose loss in the folds is this many times that of the median member would spoil any average. */
const EXPLODED = 10;

/** Looks at final forecasts for failure, and at folds; never at the validation window. */
export function decideWeights(
  request: CheckedRequest,
  plan: Plan,
  levels: readonly number[],
  all: readonly Member[],
): Decision {
  const leftOut = new Map<string, LeftOutReason>();
  const leave = (members: readonly Member[], reason: LeftOutReason, stays: (member: Member) => boolean): Member[] =>
    members.filter((member) => stays(member) || !leftOut.set(member.id, reason));
  const alive = leave(all, 'failed', ({ final }) => rowsOf(final) !== null);

  const conclude = (status: Decision['status'], reason: string | null, members: readonly Member[], isJudged: boolean) =>
    settle(request, plan, levels, members, leftOut, status, reason, isJudged);

  if (request.weightMode === 'manual') return conclude('manual', null, alive, false);
  // Folds that are too few to choose may overlap the holdout: they must not even leave anyone out.
  const judged = plan.canChoose ? alive.filter(({ folds }) => folds.every((fold) => rowsOf(fold) !== null)) : [];
  const isJudged = judged.length > 0;
  // Where no member made it through the folds there is nothing to hold against the others.
  const able = isJudged ? leave(alive, 'failed_in_calibration', (one) => judged.includes(one)) : alive;
  const losses = isJudged ? memberLosses(panelOf(plan, levels, able)) : null;
  const limit = losses === null ? Number.POSITIVE_INFINITY : EXPLODED * median(losses);
  const members = leave(able, 'exploded_in_calibration', (one) => {
    return losses === null || limit === 0 || (losses[able.indexOf(one)] as number) <= limit;
  });
  if (members.length === 1) {
    const reason = request.models.length === 1 ? 'one_model_requested' : 'one_model_survived';
    return conclude('single_model', reason, members, isJudged);
  }
  if (!plan.canChoose) return conclude('fallback', 'insufficient_history', members, false);
  if (!isJudged) return conclude('fallback', 'calibration_failed', members, false);
  return conclude('optimized', null, members, true);
}

function settle(
  request: CheckedRequest,
  plan: Plan,
  levels: readonly number[],
  members: readonly Member[],
  leftOut: ReadonlyMap<string, LeftOutReason>,
  status: Decision['status'],
  reason: string | null,
  isJudged: boolean,
): Decision {
  const supports = levels.map((_, q) => members.map((member) => member.supports[q] as boolean));
  const equal = equalWeights(supports);
  const calibrationOf = (weights: Weights): SpreadCalibration =>
    isJudged ? calibrateSpread(spreadRows(plan, levels, members, weights)) : UNCALIBRATED;
  const shared = { status, reason, members, leftOut, equal, equalCalibration: calibrationOf(equal) };
  if (status === 'optimized') {
    const { method, weights, innerScores } = selectWeights(panelOf(plan, levels, members), request.weightingPolicy);
    return { ...shared, weights, selectedMethod: method, innerScores, calibration: calibrationOf(weights) };
  }
  const given = weightsOfMembers(
    supports,
    members.map(({ id }) => request.givenWeights.get(id) as number),
  ).map((row, q) => (row.some((weight) => weight > 0) ? row : (equal[q] as Float64Array)));
  const selectedMethod = { manual: 'manual', single_model: 'single_model', fallback: 'default_weights' }[status];
  return { ...shared, weights: given, selectedMethod, innerScores: {}, calibration: calibrationOf(given) };
}

/** What the members forecast for the scored rows of the folds, in the pooling space. */
export function panelOf(plan: Plan, levels: readonly number[], members: readonly Member[]): Panel {
  const folds = plan.folds.map((fold, f) => {
    const { enter } = plan.spaces.after(fold.length);
    return fold.outcomes.map(({ step, actual }) => ({
      actual: enter(actual),
      values: members.map(({ folds }) => (rowsOf(folds[f] ?? null) as QuantileRows)[step]?.map(enter) as Float64Array),
    }));
  });
  return {
    levels,
    supports: levels.map((_, q) => members.map((member) => member.supports[q] as boolean)),
    folds: folds.filter((rows) => rows.length > 0),
    isPretrained: members.map(({ id }) => MODEL_CATALOGUE.find((model) => model.id === id)?.isPretrained ?? false),
  };
}

function spreadRows(plan: Plan, levels: readonly number[], members: readonly Member[], weights: Weights) {
  const [low, middle, high] = [REFERENCE.low, REFERENCE.median, REFERENCE.high].map((level) => levels.indexOf(level));
  return plan.folds.flatMap((fold: PastWindow, f) => {
    const rows = members.map(({ folds }) => rowsOf(folds[f] ?? null));
    const space = plan.spaces.after(fold.length);
    return fold.outcomes.map(({ step, actual }) => {
      const pooled = poolRow(rows, weights, space, step);
      return {
        actual: space.enter(actual),
        low: pooled[low as number] as number,
        median: pooled[middle as number] as number,
        high: pooled[high as number] as number,
      };
    });
  });
}

/** Of an even number the lower of the two in the middle: of two members one may still have exploded. */
function median(values: Float64Array): number {
  return values.toSorted()[(values.length - 1) >> 1] as number;
}
