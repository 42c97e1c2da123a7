import { exp } from '../numerics/elementary.ts';
import {
  equalWeights,
  interpolateWeights,
  memberLosses,
  type Panel,
  panelLoss,
  pooledValue,
  type Weights,
  weightsFromPreferences,
} from './panel.ts';

/** Derives weights from past rows. */
export type WeightingMethod = (panel: Panel) => Weights;

/** The share of equal weights in the result. Past losses are few and tell little about future ones. */
const SHRINKAGE = 0.25;

/** Weights in inverse proportion to the squared loss, shrunk toward equal weights. */
export const inverseLoss: WeightingMethod = (panel) => {
  const losses = memberLosses(panel);
  const least = losses.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  // A member model without any loss leaves nothing to compare.
  if (!(least > 0)) return equalWeights(panel.supports);
  const preference = losses.map((loss) => (least / loss) ** 2);
  return interpolateWeights(
    weightsFromPreferences(panel.supports, preference),
    equalWeights(panel.supports),
    SHRINKAGE,
  );
};

/**
 * The share of pretrained member models, which have seen far more than one series can show. Of the shares from 0.3 to
 * 0.85 this one had the lowest errors on M1 and M3 histories that end one horizon early.
 */
const PRETRAINED_SHARE = 0.6;

/**
 * Gives three fifths to the pretrained member models and the rest to those that are fitted; equal weights where there
 * is only one kind.
 */
export const mostlyPretrained: WeightingMethod = ({ supports, isPretrained }) =>
  supports.map((row, q) => {
    const isPretrainedMember = row.map((isSupported, i) => isSupported && isPretrained[i] === true);
    const trained = isPretrainedMember.filter(Boolean).length;
    const fitted = row.filter(Boolean).length - trained;
    if (trained === 0 || fitted === 0) return equalWeights(supports)[q] as Float64Array;
    return Float64Array.from(row, (isSupported, i) => {
      if (!isSupported) return 0;
      return isPretrainedMember[i] ? PRETRAINED_SHARE / trained : (1 - PRETRAINED_SHARE) / fitted;
    });
  });

const GREEDY_ROUNDS = 8;

/**
 * Adds one member model at a time, each time the one that lowers the loss of the pool most; shrunk toward equal
 * weights.
 */
export const greedySelection: WeightingMethod = (panel) => {
  const members = panel.supports[0]?.length ?? 0;
  const chosen = new Float64Array(members);
  for (let round = 0; round < GREEDY_ROUNDS; round++) {
    let best = 0;
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < members; i++) {
      chosen[i] = (chosen[i] as number) + 1;
      const loss = panelLoss(panel, weightsOrEqual(panel, chosen));
      chosen[i] = (chosen[i] as number) - 1;
      if (loss < least) {
        least = loss;
        best = i;
      }
    }
    chosen[best] = (chosen[best] as number) + 1;
  }
  return interpolateWeights(weightsOrEqual(panel, chosen), equalWeights(panel.supports), SHRINKAGE);
};

/**
 * Returns weights by how often each member model was chosen; equal weights for quantiles that no chosen model supports.
 */
function weightsOrEqual(panel: Panel, chosen: Float64Array): Weights {
  const equal = equalWeights(panel.supports);
  return weightsFromPreferences(panel.supports, chosen).map((row, q) =>
    row.some((weight) => weight > 0) ? row : (equal[q] as Float64Array),
  );
}

const CONVEX_ROUNDS = 60;
/** With this many rows, optimized and equal weights count the same. */
const EQUAL_WEIGHT_ROWS = 60;

/**
 * For each quantile the convex weights with the smallest pinball loss, found by exponentiated gradient, and shrunk
 * toward equal weights the more, the fewer rows there are.
 */
export const convexPerQuantile: WeightingMethod = (panel) => {
  const rows = panel.folds.flat();
  const equal = equalWeights(panel.supports);
  const scale = panelLoss(panel, equal);
  // Nothing can be gained, or the values are too small for the step size to be computed.
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
      const raised = weights.map((weight, i) => weight * exp(-rate * ((slope[i] as number) - least)));
      const total = raised.reduce((sum, weight) => sum + weight, 0);
      weights = raised.map((weight) => weight / total);
      for (let i = 0; i < mean.length; i++) mean[i] = (mean[i] as number) + (weights[i] as number) / CONVEX_ROUNDS;
    }
    return mean;
  });
  return interpolateWeights(own, equal, EQUAL_WEIGHT_ROWS / (EQUAL_WEIGHT_ROWS + rows.length));
};
