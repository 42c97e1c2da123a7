import {
  between,
  equalWeights,
  memberLosses,
  type Panel,
  panelLoss,
  pooledValue,
  type Weights,
  weightsOfMembers,
} from './panel.ts';

/** A way to get weights from past rows. */
export type WeightingMethod = (panel: Panel) => Weights;

/** A quarter of the way back to equal: past losses are few and say little about the next ones. */
const SHRINKAGE = 0.25;

/** Shares in inverse proportion to the squared loss, shrunk to equal. */
export const inverseLoss: WeightingMethod = (panel) => {
  const losses = memberLosses(panel);
  const least = losses.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  // Nothing is left to tell apart where one never missed.
  if (!(least > 0)) return equalWeights(panel.supports);
  const preference = losses.map((loss) => (least / loss) ** 2);
  return between(weightsOfMembers(panel.supports, preference), equalWeights(panel.supports), SHRINKAGE);
};

/**
 * The first have seen far more than one series can show. Of 0.3 to 0.85 this share had the lowest errors on M1 and
 * M3 histories that end one horizon early.
 */
const PRETRAINED_SHARE = 0.6;

/** Three fifths to the members that were trained before, the rest to those that are fitted; equal where there is only one kind. */
export const mostlyPretrained: WeightingMethod = ({ supports, isPretrained }) =>
  supports.map((row, q) => {
    const givers = row.map((isGiven, i) => isGiven && isPretrained[i] === true);
    const trained = givers.filter(Boolean).length;
    const fitted = row.filter(Boolean).length - trained;
    if (trained === 0 || fitted === 0) return equalWeights(supports)[q] as Float64Array;
    return Float64Array.from(row, (isGiven, i) => {
      if (!isGiven) return 0;
      return givers[i] ? PRETRAINED_SHARE / trained : (1 - PRETRAINED_SHARE) / fitted;
    });
  });

const GREEDY_ROUNDS = 8;

/** Adds one member at a time, each as often as it lowers the loss of the pool most; shrunk to equal. */
export const greedySelection: WeightingMethod = (panel) => {
  const members = panel.supports[0]?.length ?? 0;
  const chosen = new Float64Array(members);
  for (let round = 0; round < GREEDY_ROUNDS; round++) {
    let best = 0;
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < members; i++) {
      chosen[i] = (chosen[i] as number) + 1;
      const loss = panelLoss(panel, pooledWhereGiven(panel, chosen));
      chosen[i] = (chosen[i] as number) - 1;
      if (loss < least) {
        least = loss;
        best = i;
      }
    }
    chosen[best] = (chosen[best] as number) + 1;
  }
  return between(pooledWhereGiven(panel, chosen), equalWeights(panel.supports), SHRINKAGE);
};

/** Quantiles that none of the chosen gives are pooled equally by those that do. */
function pooledWhereGiven(panel: Panel, chosen: Float64Array): Weights {
  const equal = equalWeights(panel.supports);
  return weightsOfMembers(panel.supports, chosen).map((row, q) =>
    row.some((weight) => weight > 0) ? row : (equal[q] as Float64Array),
  );
}

const CONVEX_ROUNDS = 60;
/** As many rows as this count as much as the wish to stay equal. */
const EQUAL_COUNTS_AS = 60;

/**
 * For each quantile the convex weights with the least pinball loss, by exponentiated gradient, shrunk to equal by how
 * few rows there are.
 */
export const convexPerQuantile: WeightingMethod = (panel) => {
  const rows = panel.folds.flat();
  const equal = equalWeights(panel.supports);
  const scale = panelLoss(panel, equal);
  // Nothing to gain, or values so small that a step cannot be measured in them.
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
      const raised = weights.map((weight, i) => weight * Math.exp(-rate * ((slope[i] as number) - least)));
      const total = raised.reduce((sum, weight) => sum + weight, 0);
      weights = raised.map((weight) => weight / total);
      for (let i = 0; i < mean.length; i++) mean[i] = (mean[i] as number) + (weights[i] as number) / CONVEX_ROUNDS;
    }
    return mean;
  });
  return between(own, equal, EQUAL_COUNTS_AS / (EQUAL_COUNTS_AS + rows.length));
};
