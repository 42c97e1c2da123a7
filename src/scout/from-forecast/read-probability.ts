import type { RuleOperator } from '../../contract/index.ts';
import { type DistributionPart, distributionOf } from '../distribution/distribution.ts';
import { type PastPrices, pastShareAbove } from '../distribution/past-changes.ts';

export interface ReadProbability {
  readonly probability: number;
  /** Where the threshold lies among the quantiles. */
  readonly part: DistributionPart;
  /** What the quantiles alone say. */
  readonly ensemble_probability: number;
  /** How often prices have moved so far in so many steps; null: not asked, or too few rows to say. */
  readonly past_share: number | null;
}

/**
 * The probability of an outcome on one side of a threshold, for one step of a forecast: read from its quantiles; for
 * prices half from these and half from how often they have moved so far in so many steps. The ensemble knows how much
 * they move at present, their past knows their drift and their tails. Halves, because nothing was fitted.
 *
 * @param quantiles by their level, as a prediction has them
 * @param past left out: quantiles alone
 */
export function readProbability(
  quantiles: Readonly<Record<string, number>>,
  op: RuleOperator,
  threshold: number,
  past?: PastPrices,
): ReadProbability {
  const distribution = distributionOf(
    Object.entries(quantiles).map(([level, value]) => ({ probability: Number(level), value })),
  );
  const isOver = op === 'gt' || op === 'gte';
  const counted = op === 'gte' || op === 'lt';
  const { probability: over, part } = counted ? distribution.atLeast(threshold) : distribution.above(threshold);
  const pastOver = past === undefined ? null : pastShareAbove(past, threshold, counted);
  const side = (above: number): number => (isOver ? above : 1 - above);
  return {
    probability: side(pastOver === null ? over : (over + pastOver) / 2),
    part,
    ensemble_probability: side(over),
    past_share: pastOver === null ? null : side(pastOver),
  };
}
