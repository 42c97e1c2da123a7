import { MODEL_CATALOG } from '../models/catalog.ts';
import type { QuantileRows } from '../runner.ts';
import { countZeroShare, type PriorSeries } from '../weighting/frequency-priors.ts';
import type { Panel } from '../weighting/panel.ts';
import { priorWeights } from '../weighting/prior-weights.ts';
import { REFERENCE_LEVELS, type SpreadRow } from '../weighting/spread-calibration.ts';
import { type MemberModel, rowsOf } from './members.ts';
import type { ForecastPlan, PastWindow } from './plan.ts';
import { type PoolWeights, poolRow } from './pool.ts';

/** Returns the forecasts of the member models for the scored rows of the folds, in the pooling space. */
export function buildPanel(plan: ForecastPlan, levels: readonly number[], members: readonly MemberModel[]): Panel {
  const folds = plan.folds.map((fold, f) => {
    const { toSpace } = plan.spaces.atOrigin(fold.length);
    const rows = fold.outcomes.map(({ step, actual }) => ({
      actual: toSpace(actual),
      values: members.map(
        ({ folds }) => (rowsOf(folds[f] ?? null) as QuantileRows)[step]?.map(toSpace) as Float64Array,
      ),
    }));
    return { rows, training: trainingShare(plan, fold) };
  });
  const supports = supportsOf(levels, members);
  return {
    levels,
    supports,
    folds: folds.filter(({ rows }) => rows.length > 0),
    prior: priorWeights(members.map(priorMemberOf), supports, priorSeriesOf(plan)),
  };
}

/** Returns for each level which member models support it. */
export function supportsOf(levels: readonly number[], members: readonly MemberModel[]): Panel['supports'] {
  return levels.map((_, q) => members.map((member) => member.supports[q] as boolean));
}

function trainingShare({ rows }: ForecastPlan, { training }: PastWindow): number {
  return training / rows.count;
}

/** Returns the pooled forecasts of the scored rows of the folds, in the pooling space. */
export function spreadRows(
  plan: ForecastPlan,
  levels: readonly number[],
  members: readonly MemberModel[],
  pool: PoolWeights,
): SpreadRow[] {
  const [low, middle, high] = [REFERENCE_LEVELS.low, REFERENCE_LEVELS.median, REFERENCE_LEVELS.high].map((level) =>
    levels.indexOf(level),
  );
  return plan.folds.flatMap((fold: PastWindow, f) => {
    const rows = members.map(({ folds }) => rowsOf(folds[f] ?? null));
    const space = plan.spaces.atOrigin(fold.length);
    return fold.outcomes.map(({ step, actual }) => {
      const pooled = poolRow(rows, pool, levels, space, step);
      return {
        actual: space.toSpace(actual),
        low: pooled[low as number] as number,
        median: pooled[middle as number] as number,
        high: pooled[high as number] as number,
        weight: trainingShare(plan, fold),
      };
    });
  });
}

/** Returns what the prior weight of a member model depends on. */
export function priorMemberOf({ id }: MemberModel) {
  const { isPretrained = false, isSpreadPooled = false } = MODEL_CATALOG.find((model) => model.id === id) ?? {};
  return { id, isPretrained, isSpreadPooled };
}

/** Returns what the prior weights of a series depend on. */
export function priorSeriesOf({ series, season, rows }: ForecastPlan): PriorSeries {
  return { frequency: series.cadence.frequency, rows: rows.count, zeroShare: countZeroShare(series.values), season };
}
