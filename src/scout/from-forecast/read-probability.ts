import type { RuleOperator, SourceReference } from '../../contract/index.ts';
import type { Snapshot } from '../../snapshots/index.ts';
import { buildDistribution, type DistributionPart } from '../distribution/distribution.ts';
import { computePastShare, type PastPrices } from '../distribution/past-changes.ts';

export interface ProbabilityReading {
  readonly probability: number;
  /** The part of the distribution in which the threshold lies. */
  readonly part: DistributionPart;
  /** The probability according to the quantiles alone. */
  readonly ensemble_probability: number;
  /**
   * The share of past windows in which the price moved far enough to reach the threshold; null without enough past
   * prices.
   */
  readonly past_share: number | null;
}

/**
 * Returns the probability of an outcome on one side of a threshold, for one step of a forecast. The probability comes
 * from the quantiles. For prices, it is the mean of that probability and the share of past windows in which the price
 * moved far enough to reach the threshold: the ensemble reflects how much prices move at present, and the past reflects
 * drift and tails. Both have the same weight, because no weight was fitted.
 *
 * @param quantiles by level, as in a prediction
 * @param past past prices; if omitted, only the quantiles are used
 */
export function readProbability(
  quantiles: Readonly<Record<string, number>>,
  op: RuleOperator,
  threshold: number,
  past?: PastPrices,
): ProbabilityReading {
  const distribution = buildDistribution(
    Object.entries(quantiles).map(([level, value]) => ({ probability: Number(level), value })),
  );
  const isUpperSide = op === 'gt' || op === 'gte';
  // The probability below a threshold is one minus the probability of at least the threshold.
  const inclusive = op === 'gte' || op === 'lt';
  const { probability: above, part } = inclusive ? distribution.atLeast(threshold) : distribution.above(threshold);
  const pastAbove = past === undefined ? null : computePastShare(past, threshold, inclusive);
  const toSide = (share: number): number => (isUpperSide ? share : 1 - share);
  return {
    probability: toSide(pastAbove === null ? above : (above + pastAbove) / 2),
    part,
    ensemble_probability: toSide(above),
    past_share: pastAbove === null ? null : toSide(pastAbove),
  };
}

const PRICE_FIELDS = ['open', 'high', 'low', 'close'];

/**
 * Returns the values of a forecast's rows if they are prices, whose past changes influence the probability; null
 * otherwise.
 */
export function selectPrices({ table }: Pick<Snapshot, 'table'>, source: SourceReference | null): Float64Array | null {
  if (source?.type !== 'market' || !PRICE_FIELDS.includes(source.value_field ?? 'close')) return null;
  return table.columns[source.value_field ?? 'close'] ?? Object.values(table.columns)[0] ?? null;
}
