import { convexPerQuantile, greedySelection, inverseLoss, mostlyPretrained, type WeightingMethod } from './methods.ts';
import { equalWeights, type Panel, panelLoss, type Weights } from './panel.ts';

export const WEIGHTING_POLICIES = ['rolling_pinball_v1', 'rolling_loss_selection_v2'] as const;
export type WeightingPolicy = (typeof WEIGHTING_POLICIES)[number];

/** Weights, and how they came about. */
export interface Selection {
  readonly method: string;
  readonly weights: Weights;
  /** The mean pinball loss, in the pooling space, of each method's weights on folds later than those it saw. */
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
 * By how much a method must beat the weights that stand without proof, per squared distance from them. Those are hard to
 * beat and a few folds prove little, so a bold choice needs far more proof than a mild one: a tenth of the weights elsewhere
 * asks for 1 %, half of them for 25 %. Chosen for the lowest loss in the audit windows of the M1 and M3 histories.
 */
const MARGIN = 1;

/**
 * Chooses weights on the folds. `rolling_pinball_v1` always takes convex weights per quantile; `rolling_loss_selection_v2`
 * lets each method choose on earlier folds, scores it on later ones, and takes the best that clearly beats what stands
 * without proof: equal weights, or three fifths to a member that was trained before.
 *
 * @param panel at least two folds
 */
export function selectWeights(panel: Panel, policy: WeightingPolicy): Selection {
  const isMixed = panel.isPretrained.includes(true) && panel.isPretrained.includes(false);
  const methods = Object.entries(METHODS).filter(([name]) => isMixed || name !== 'mostly_pretrained');
  const tried = methods.map(([name, method]) => ({
    name,
    weights: method(panel),
    score: scoreOnLaterFolds(panel, method),
  }));
  const standing = tried.find(({ name }) => name === (isMixed ? 'mostly_pretrained' : 'equal')) as Trial;
  const chosen =
    policy === 'rolling_pinball_v1' ? tried.find(({ name }) => name === 'convex_per_quantile') : best(tried, standing);
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

/** The method whose gain over the standing weights exceeds what its boldness demands by most; these where none does. */
function best(tried: readonly Trial[], standing: Trial): Trial {
  let chosen = standing;
  let most = 0;
  for (const trial of tried) {
    const demanded = MARGIN * standing.score * distance(trial.weights, standing.weights) ** 2;
    const excess = standing.score - trial.score - demanded;
    if (excess > most) {
      most = excess;
      chosen = trial;
    }
  }
  return chosen;
}

/** The share of the weights that lies elsewhere, averaged over the quantiles: 0 to 1. */
function distance(one: Weights, other: Weights): number {
  let sum = 0;
  one.forEach((row, q) => {
    row.forEach((weight, i) => {
      sum += Math.abs(weight - ((other[q] as Float64Array)[i] as number)) / 2;
    });
  });
  return sum / one.length;
}

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
