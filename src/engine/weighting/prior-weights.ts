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
  const share = prior.pretrainedShare(series.rows);
  const shareOf = ({ id }: PriorMember): number => prior.fitted[id] ?? UNNAMED_SHARE;
  const total = members.reduce((sum, member) => sum + (member.isPretrained ? 0 : shareOf(member)), 0);
  return weightsFromPreferences(
    supports,
    members.map((member) => (member.isPretrained ? share / pretrained : ((1 - share) * shareOf(member)) / total)),
  );
}

/**
 * Returns the weights with which the spreads of the member models are averaged: those of the pretrained members and of the
 * fitted ones whose spread is pooled, in proportion to their weights. The spread of other fitted models says how well they
 * explain the past; averaged in, it made the intervals of most series too wide. Returns null if no member model is
 * pretrained: then the values of each quantile are averaged.
 */
export function spreadWeights(
  members: readonly PriorMember[],
  supports: Panel['supports'],
  weights: Weights,
): Weights | null {
  if (!members.some(({ isPretrained }) => isPretrained)) return null;
  return supports.map((row, q) => {
    const isPooled = row.map((isSupported, i) => isSupported && isSpreadMember(members[i] as PriorMember));
    const own = weights[q] as Float64Array;
    const shares = own.map((weight, i) => (isPooled[i] ? weight : 0));
    if (shares.some((weight) => weight > 0)) return normalizeWeights(shares);
    return isPooled.includes(true) ? (equalWeights([isPooled])[0] as Float64Array) : own;
  });
}

function isSpreadMember({ isPretrained, isSpreadPooled }: PriorMember): boolean {
  return isPretrained || isSpreadPooled;
}

/** Returns the factor on the spread of a pool with pretrained member models before any fold was scored. */
export function priorWidth(series: PriorSeries): number {
  return priorOf(series).width(series.rows);
}
