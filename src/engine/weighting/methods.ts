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

/** The share of equal weights in the result. A few past losses are weak evidence of future losses. */
const SHRINKAGE = 0.25;

/** Gives each member model a weight in inverse proportion to its squared loss, shrunk toward equal weights. */
export const inverseLoss: WeightingMethod = (panel) => {
  const losses = memberLosses(panel);
  const least = losses.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  // A member model with a loss of 0 has no inverse loss.
  if (!(least > 0)) return equalWeights(panel.supports);
  const preference = losses.map((loss) => (least / loss) ** 2);
  return interpolateWeights(
    weightsFromPreferences(panel.supports, preference),
    equalWeights(panel.supports),
    SHRINKAGE,
  );
};

/**
 * The total weight of the pretrained member models, which were trained on far more data than one series has. Of the
 * shares from 0.3 to 0.85 this one had the lowest errors on M1 and M3 histories that end one horizon early.
 */
const PRETRAINED_SHARE = 0.6;

/**
 * Gives three fifths of the weight to the pretrained member models and the rest to the fitted ones. If all member
 * models are of one kind, they get equal weights.
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
 * Repeatedly adds the member model that lowers the loss of the pool most. The weights are proportional to how often
 * each was added, and are then shrunk toward equal weights.
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
 * Returns weights in proportion to how often each member model was chosen. A quantile that no chosen model supports
 * gets equal weights.
 */
function weightsOrEqual(panel: Panel, chosen: Float64Array): Weights {
  const equal = equalWeights(panel.supports);
  return weightsFromPreferences(panel.supports, chosen).map((row, q) =>
    row.some((weight) => weight > 0) ? row : (equal[q] as Float64Array),
  );
}

const CONVEX_ROUNDS = 60;
/** The number of rows at which optimized weights and equal weights count the same. */
const EQUAL_WEIGHT_ROWS = 60;

/**
 * Finds, for each quantile, the convex weights with the smallest pinball loss by exponentiated gradient. The fewer rows
 * there are, the more the weights are shrunk toward equal weights.
 */
export const convexPerQuantile: WeightingMethod = (panel) => {
  const rows = panel.folds.flat();
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
