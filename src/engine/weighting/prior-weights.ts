import { type PriorSeries, priorOf } from './frequency-priors.ts';
import { equalWeights, normalizeWeights, type Panel, type Weights, weightsFromPreferences } from './panel.ts';

/** A member model, as far as its weight before any proof depends on it. */
interface PriorMember {
  readonly id: string;
  /** Whether it was trained on other series and is not fitted to this one. */
  readonly isPretrained: boolean;
  /** Whether its spread is pooled with that of pretrained members. */
  readonly isSpreadPooled: boolean;
}

/** The share of a fitted model that the prior does not name. Evidence can raise it. */
const UNNAMED_SHARE = 0.02;

/** How the spreads of member models are pooled. */
export interface SpreadPool {
  /** The weights of the distances from the median. */
  readonly weights: Weights;
  /**
   * By level: the level whose pooled distance is scaled, in proportion to the distances of the member models that have
   * both; usually the level itself. A pretrained model ends at its outermost quantile, and the distances of the others
   * beyond it must not lie inside it or far outside.
   */
  readonly anchors: readonly number[];
}

/**
 * Returns the weights that are used without any evidence from the series. With pretrained member models, these are the
 * ones that did best on most series of this frequency. Without them, all weights are equal.
 */
export function priorWeights(
  members: readonly PriorMember[],
  supports: Panel['supports'],
  series: PriorSeries,
): Weights {
  const pretrained = members.filter(({ isPretrained }) => isPretrained).length;
  if (pretrained === 0 || pretrained === members.length) return equalWeights(supports);
  const prior = priorOf(series);
  const named = prior.pretrainedShare(series.rows);
  const shareOf = ({ id }: PriorMember): number => prior.fitted[id] ?? UNNAMED_SHARE;
  const total = members.reduce((sum, member) => sum + (member.isPretrained ? 0 : shareOf(member)), 0);
  // The shares of models that take no part, such as most of them in fast mode, go to the pretrained ones: what is left
  // of the fitted models deserves no more than before.
  const rest = (1 - named) * Math.min(1, total);
  return weightsFromPreferences(
    supports,
    members.map((member) => (member.isPretrained ? (1 - rest) / pretrained : (rest * shareOf(member)) / total)),
  );
}

/**
 * Returns the weights with which the spreads of the member models are averaged: those of the pretrained members and of the
 * fitted ones whose spread is pooled, in proportion to their weights. The spread of other fitted models measures how well they
 * explain the past; averaged in, it made the intervals of most series too wide. Returns null if no member model is
 * pretrained: then the values of each quantile are averaged.
 */
export function spreadWeights(
  members: readonly PriorMember[],
  supports: Panel['supports'],
  weights: Weights,
): SpreadPool | null {
  if (!members.some(({ isPretrained }) => isPretrained)) return null;
  const shares = supports.map((row, q) => {
    const isPooled = row.map((isSupported, i) => isSupported && isSpreadMember(members[i] as PriorMember));
    const own = weights[q] as Float64Array;
    const pooled = own.map((weight, i) => (isPooled[i] ? weight : 0));
    if (pooled.some((weight) => weight > 0)) return normalizeWeights(pooled);
    return isPooled.includes(true) ? (equalWeights([isPooled])[0] as Float64Array) : own;
  });
  return { weights: shares, anchors: findAnchors(members, supports) };
}

/** Returns for each level the nearest one, toward the median, that a pretrained member model supports. */
function findAnchors(members: readonly PriorMember[], supports: Panel['supports']): number[] {
  const known = supports.flatMap((row, q) => (row.some((has, i) => has && members[i]?.isPretrained) ? [q] : []));
  const [first = 0, last = first] = [known[0], known.at(-1)];
  return supports.map((_, q) => Math.max(first, Math.min(last, q)));
}

function isSpreadMember({ isPretrained, isSpreadPooled }: PriorMember): boolean {
  return isPretrained || isSpreadPooled;
}

/** Returns the factor on the spread of a pool with pretrained member models before any fold was scored. */
export function priorWidth(series: PriorSeries): number {
  return priorOf(series).width(series.rows);
}
