import type { Frequency } from '../../calendar/index.ts';
import { priorOf } from './frequency-priors.ts';
import { equalWeights, type Panel, type Weights, weightsFromPreferences } from './panel.ts';

/** A member model, as far as its weight before any proof depends on it. */
interface PriorMember {
  readonly id: string;
  /** Whether it was trained on other series and is not fitted to this one. */
  readonly isPretrained: boolean;
}

/** What the prior weights of a series depend on. */
export interface PriorSeries {
  readonly frequency: Frequency;
  /** The number of observed rows. */
  readonly rows: number;
}

/** With this many rows, the pretrained models have gained half of the weight that they lack for a very short series. */
const HALFWAY_ROWS = 1000;
/** The share of a fitted model that the prior does not name. Evidence can raise it. */
const UNNAMED_SHARE = 0.02;

/**
 * Returns the weights that are used without any evidence from the series. With pretrained member models, these are the
 * ones that did best on most series of this frequency. Without them, all weights are equal.
 */
export function priorWeights(
  members: readonly PriorMember[],
  supports: Panel['supports'],
  { frequency, rows }: PriorSeries,
): Weights {
  const pretrained = members.filter(({ isPretrained }) => isPretrained).length;
  if (pretrained === 0 || pretrained === members.length) return equalWeights(supports);
  const prior = priorOf(frequency);
  const share = prior.pretrainedShare + (1 - prior.pretrainedShare) * (rows / (rows + HALFWAY_ROWS));
  const shareOf = ({ id }: PriorMember): number => prior.fitted[id] ?? UNNAMED_SHARE;
  const total = members.reduce((sum, member) => sum + (member.isPretrained ? 0 : shareOf(member)), 0);
  return weightsFromPreferences(
    supports,
    members.map((member) => (member.isPretrained ? share / pretrained : ((1 - share) * shareOf(member)) / total)),
  );
}

/**
 * Returns the weights with which the spreads of the member models are averaged: those of the pretrained member models
 * alone, at the quantiles that one of them supports. The spread of a fitted model says how well it explains the past;
 * averaged in, it made intervals of most series too wide. Returns null if no member model is pretrained: then the values
 * of each quantile are averaged.
 */
export function spreadWeights(
  members: readonly PriorMember[],
  supports: Panel['supports'],
  weights: Weights,
): Weights | null {
  if (!members.some(({ isPretrained }) => isPretrained)) return null;
  return supports.map((row, q) => {
    const trained = row.map((isSupported, i) => isSupported && members[i]?.isPretrained === true);
    return trained.includes(true) ? (equalWeights([trained])[0] as Float64Array) : (weights[q] as Float64Array);
  });
}

/** Returns the factor on the spread of pretrained member models before any fold was scored. */
export function priorWidth({ frequency, rows }: PriorSeries): number {
  return priorOf(frequency).width(rows);
}
