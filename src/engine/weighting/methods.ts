import { exp } from '../numerics/elementary.ts';
import {
  equalWeights,
  interpolateWeights,
  memberLosses,
  normalizeWeights,
  type Panel,
  type PanelFold,
  panelLoss,
  pooledValue,
  type Weights,
} from './panel.ts';

/** Derives weights from past rows. */
export type WeightingMethod = (panel: Panel) => Weights;

/**
 * How fast evidence outweighs the prior. With 100 scored rows, a member model whose loss is a tenth above the average
 * keeps half of its prior weight.
 */
const EVIDENCE_RATE = 0.7;
/** A smaller loss counts at most this much: the folds are few, and a member model can be lucky in all of them. */
const MAX_GAIN = 0.25;

/**
 * Multiplies the prior weight of each member model by `exp(-rate √rows (loss / average - 1))`, where the average is that
 * of the members' losses with the prior weights. The more rows were scored, the further the weights move from the prior,
 * until one member model stands alone.
 */
export const weightByEvidence: WeightingMethod = (panel) => {
  const rows = panel.folds.reduce((sum, fold) => sum + fold.rows.length, 0);
  const losses = memberLosses(withCommonLevels(panel), foldWeight);
  const rate = EVIDENCE_RATE * Math.sqrt(rows);
  return panel.prior.map((prior) => {
    const average = prior.reduce((sum, weight, i) => sum + weight * (losses[i] as number), 0);
    if (!(average > 0 && Number.isFinite(1 / average))) return prior;
    return normalizeWeights(
      prior.map((weight, i) => weight * exp(-rate * Math.max(-MAX_GAIN, (losses[i] as number) / average - 1))),
    );
  });
};

/** A fold that was fitted on few rows is weak evidence of a forecast from all rows, so it hardly counts. */
function foldWeight({ training }: PanelFold): number {
  const square = training * training;
  return square * square;
}

/**
 * Returns the panel with the levels that every member model supports, because losses at other levels cannot be compared.
 * The median is one of them.
 */
function withCommonLevels(panel: Panel): Panel {
  const common = panel.levels.flatMap((_, q) => (panel.supports[q]?.every(Boolean) ? [q] : []));
  if (common.length === panel.levels.length) return panel;
  const pick = <Value>(all: ArrayLike<Value>): Value[] => common.map((q) => all[q] as Value);
  return {
    ...panel,
    levels: pick(panel.levels),
    supports: pick(panel.supports),
    folds: panel.folds.map(({ rows, training }) => ({
      training,
      rows: rows.map(({ actual, values }) => ({ actual, values: values.map(pick) })),
    })),
  };
}

const CONVEX_ROUNDS = 60;
/** The number of rows at which optimized weights and equal weights count the same. */
const EQUAL_WEIGHT_ROWS = 60;

/**
 * Finds, for each quantile, the convex weights with the smallest pinball loss by exponentiated gradient. The fewer rows
 * there are, the more the weights are shrunk toward equal weights.
 */
export const convexPerQuantile: WeightingMethod = (panel) => {
  const rows = panel.folds.flatMap((fold) => fold.rows);
  const equal = equalWeights(panel.supports);
  const scale = panelLoss(panel, equal);
  // Either no loss is left to reduce, or the values are too small to compute a step size.
  if (!Number.isFinite(1 / scale)) return equal;
  const own = panel.levels.map((level, q) => {
    let weights = equal[q] as Float64Array;
    const mean = new Float64Array(weights.length);
    for (let round = 0; round < CONVEX_ROUNDS; round++) {
      const slope = new Float64Array(weights.length);
      for (const row of rows) {
        const isUnder = row.actual >= pooledValue(row, weights, q);
        for (let i = 0; i < weights.length; i++) {
          const value = (row.values[i] as ArrayLike<number>)[q] as number;
          if ((weights[i] as number) > 0) slope[i] = (slope[i] as number) + (isUnder ? -level : 1 - level) * value;
        }
      }
      const rate = 1 / (scale * rows.length * Math.sqrt(round + 1));
      const least = slope.reduce(
        (a, b, i) => ((weights[i] as number) > 0 ? Math.min(a, b) : a),
        Number.POSITIVE_INFINITY,
      );
      // A model without the quantile has no slope, so its factor could be infinite and its weight not a number.
      const raised = weights.map((weight, i) =>
        weight > 0 ? weight * exp(-rate * ((slope[i] as number) - least)) : 0,
      );
      const total = raised.reduce((sum, weight) => sum + weight, 0);
      weights = raised.map((weight) => weight / total);
      for (let i = 0; i < mean.length; i++) mean[i] = (mean[i] as number) + (weights[i] as number) / CONVEX_ROUNDS;
    }
    return mean;
  });
  return interpolateWeights(own, equal, EQUAL_WEIGHT_ROWS / (EQUAL_WEIGHT_ROWS + rows.length));
};
