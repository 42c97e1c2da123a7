import { convexPerQuantile, type WeightingMethod, weightByEvidence } from './methods.ts';
import { equalWeights, type Panel, panelLoss, type Weights } from './panel.ts';

export const WEIGHTING_POLICIES = ['rolling_pinball_v1', 'rolling_loss_selection_v2'] as const;
export type WeightingPolicy = (typeof WEIGHTING_POLICIES)[number];

/** Weights, and how they were selected. */
interface Selection {
  readonly method: string;
  readonly weights: Weights;
  /** The weights that the method starts from. */
  readonly priorWeights: Weights;
  /**
   * The score of each method: the mean pinball loss of its weights, in the pooling space, on folds later than those
   * from which it chose them.
   */
  readonly innerScores: Readonly<Record<string, number>>;
}

const METHODS: Readonly<Record<string, WeightingMethod>> = {
  equal: ({ supports }) => equalWeights(supports),
  prior: ({ prior }) => prior,
  evidence: weightByEvidence,
  convex_per_quantile: convexPerQuantile,
};

/** Weights that differ by less are the same. */
const SAME = 1e-9;

/**
 * Selects weights on the folds. `rolling_pinball_v1` uses convex weights per quantile, which start from equal weights.
 * `rolling_loss_selection_v2` starts from the prior and moves away from it by the amount of evidence. No method has to
 * win a contest on the folds: a few folds are too few to choose between methods, and the errors on past series were
 * larger with such a choice.
 *
 * @param panel with at least two folds
 */
export function selectWeights(panel: Panel, policy: WeightingPolicy): Selection {
  const equal = equalWeights(panel.supports);
  const isConvex = policy === 'rolling_pinball_v1';
  const weights = isConvex ? convexPerQuantile(panel) : weightByEvidence(panel);
  const ofEvidence = areSame(weights, equal) ? 'equal' : 'evidence';
  return {
    method: isConvex ? 'convex_per_quantile' : ofEvidence,
    weights,
    priorWeights: isConvex ? equal : panel.prior,
    innerScores: Object.fromEntries(
      Object.entries(METHODS).map(([name, method]) => [name, scoreOnLaterFolds(panel, method)]),
    ),
  };
}

function areSame(one: Weights, other: Weights): boolean {
  return one.every((row, q) =>
    row.every((weight, i) => Math.abs(weight - ((other[q] as Float64Array)[i] as number)) < SAME),
  );
}

/** Returns the mean loss of a method on each fold but the first, with weights that it chose on the earlier folds. */
function scoreOnLaterFolds(panel: Panel, method: WeightingMethod): number {
  let sum = 0;
  let rows = 0;
  for (let f = 1; f < panel.folds.length; f++) {
    const weights = method({ ...panel, folds: panel.folds.slice(0, f) });
    const fold = panel.folds[f] as Panel['folds'][number];
    sum += panelLoss({ ...panel, folds: [fold] }, weights) * fold.rows.length;
    rows += fold.rows.length;
  }
  return rows > 0 ? sum / rows : 0;
}
