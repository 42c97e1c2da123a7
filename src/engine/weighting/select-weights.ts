import { convexPerQuantile, greedySelection, inverseLoss, mostlyPretrained, type WeightingMethod } from './methods.ts';
import { equalWeights, type Panel, panelLoss, type Weights } from './panel.ts';

export const WEIGHTING_POLICIES = ['rolling_pinball_v1', 'rolling_loss_selection_v2'] as const;
export type WeightingPolicy = (typeof WEIGHTING_POLICIES)[number];

/** Weights, and how they were selected. */
interface Selection {
  readonly method: string;
  readonly weights: Weights;
  /** By method: the mean pinball loss, in the pooling space, of its weights on folds later than those it used. */
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
 * How much a method must gain over the baseline weights, per squared distance from them. The baseline is hard to beat
 * and a few folds prove little, so a large change needs far more proof than a small one: moving a tenth of the weights
 * demands a gain of 1 %, moving half of them 25 %. Chosen for the lowest loss in the audit windows of the M1 and M3
 * histories.
 */
const MARGIN = 1;

/**
 * Selects weights on the folds. `rolling_pinball_v1` always uses convex weights per quantile.
 * `rolling_loss_selection_v2` lets each method choose weights on earlier folds, scores them on later ones, and takes
 * the method that most clearly beats the baseline: equal weights, or three fifths to a pretrained member model.
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
  const baseline = tried.find(({ name }) => name === (isMixed ? 'mostly_pretrained' : 'equal')) as Trial;
  const chosen =
    policy === 'rolling_pinball_v1'
      ? tried.find(({ name }) => name === 'convex_per_quantile')
      : chooseTrial(tried, baseline);
  const { name, weights } = chosen as Trial;
  return {
    method: name,
    weights,
    innerScores: Object.fromEntries(tried.map((trial) => [trial.name, trial.score])),
  };
}

interface Trial {
  readonly name: string;
  readonly weights: Weights;
  readonly score: number;
}

/** Returns the method whose gain over the baseline exceeds the demanded gain by most; the baseline where none does. */
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

/** Returns the share of the weights that differs, averaged over the quantiles: 0 to 1. */
function distance(one: Weights, other: Weights): number {
  let sum = 0;
  one.forEach((row, q) => {
    row.forEach((weight, i) => {
      sum += Math.abs(weight - ((other[q] as Float64Array)[i] as number)) / 2;
    });
  });
  return sum / one.length;
}

/** Returns the loss of a method that chooses weights on the earlier folds and is scored on the next one. */
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
