import { convexPerQuantile, greedySelection, inverseLoss, mostlyPretrained, type WeightingMethod } from './methods.ts';
import { equalWeights, type Panel, panelLoss, type Weights } from './panel.ts';

export const WEIGHTING_POLICIES = ['rolling_pinball_v1', 'rolling_loss_selection_v2'] as const;
export type WeightingPolicy = (typeof WEIGHTING_POLICIES)[number];

/** Weights, and how they were selected. */
interface Selection {
  readonly method: string;
  readonly weights: Weights;
  /** The weights that are used without any evidence. The selected method had to beat them or started from them. */
  readonly priorWeights: Weights;
  /**
   * The score of each method: the mean pinball loss of its weights, in the pooling space, on folds later than those
   * from which it chose them.
   */
  readonly innerScores: Readonly<Record<string, number>>;
}

const METHODS: Readonly<Record<string, WeightingMethod>> = {
  equal: (panel) => equalWeights(panel.supports),
  mostly_pretrained: mostlyPretrained,
  inverse_loss: inverseLoss,
  greedy_selection: greedySelection,
  convex_per_quantile: convexPerQuantile,
};

/**
 * The relative gain over the baseline weights that a method must reach, per squared distance from them. The baseline is
 * hard to beat and a few folds are weak evidence, so a large change needs far stronger evidence than a small one:
 * moving a tenth of the weights requires a gain of 1%, moving half of them 25%. Chosen for the lowest loss in the audit
 * windows of the M1 and M3 histories.
 */
const MARGIN = 1;

/**
 * Selects weights on the folds. `rolling_pinball_v1` always uses convex weights per quantile, which start from equal
 * weights. `rolling_loss_selection_v2` lets each method choose weights on earlier folds, scores them on later ones, and
 * takes the method that most clearly beats the baseline. The baseline is `mostly_pretrained` if the panel has both
 * pretrained and fitted member models, otherwise equal weights.
 *
 * @param panel with at least two folds
 */
export function selectWeights(panel: Panel, policy: WeightingPolicy): Selection {
  const isMixed = panel.isPretrained.includes(true) && panel.isPretrained.includes(false);
  const methods = Object.entries(METHODS).filter(([name]) => isMixed || name !== 'mostly_pretrained');
  const tried = methods.map(([name, method]) => ({
    name,
    weights: method(panel),
    score: scoreOnLaterFolds(panel, method),
  }));
  const trialOf = (method: string): Trial => tried.find(({ name }) => name === method) as Trial;
  const isConvex = policy === 'rolling_pinball_v1';
  const baseline = trialOf(isMixed && !isConvex ? 'mostly_pretrained' : 'equal');
  const { name, weights } = isConvex ? trialOf('convex_per_quantile') : chooseTrial(tried, baseline);
  return {
    method: name,
    weights,
    priorWeights: baseline.weights,
    innerScores: Object.fromEntries(tried.map((trial) => [trial.name, trial.score])),
  };
}

interface Trial {
  readonly name: string;
  readonly weights: Weights;
  readonly score: number;
}

/**
 * Returns the method whose gain over the baseline exceeds the required gain by the largest amount; the baseline if no
 * gain does.
 */
function chooseTrial(tried: readonly Trial[], baseline: Trial): Trial {
  let chosen = baseline;
  let largestExcess = 0;
  for (const trial of tried) {
    const demanded = MARGIN * baseline.score * distance(trial.weights, baseline.weights) ** 2;
    const excess = baseline.score - trial.score - demanded;
    if (excess > largestExcess) {
      largestExcess = excess;
      chosen = trial;
    }
  }
  return chosen;
}

/**
 * Returns the share of the weight, from 0 to 1, that has to move between member models to turn one set of weights into
 * the other, averaged over the quantiles.
 */
function distance(one: Weights, other: Weights): number {
  let sum = 0;
  one.forEach((row, q) => {
    row.forEach((weight, i) => {
      sum += Math.abs(weight - ((other[q] as Float64Array)[i] as number)) / 2;
    });
  });
  return sum / one.length;
}

/** Returns the mean loss of a method on each fold but the first, with weights that it chose on the earlier folds. */
function scoreOnLaterFolds(panel: Panel, method: WeightingMethod): number {
  let sum = 0;
  let rows = 0;
  for (let f = 1; f < panel.folds.length; f++) {
    const weights = method({ ...panel, folds: panel.folds.slice(0, f) });
    const fold = panel.folds[f] as Panel['folds'][number];
    sum += panelLoss({ ...panel, folds: [fold] }, weights) * fold.length;
    rows += fold.length;
  }
  return rows > 0 ? sum / rows : 0;
}
