import type { RuleOperator } from '../../contract/index.ts';
import { type DistributionPart, distributionOf } from '../distribution/index.ts';

export interface ReadProbability {
  readonly probability: number;
  readonly part: DistributionPart;
}

/**
 * The probability of an outcome on one side of a threshold, read from the quantiles of one step of a forecast.
 *
 * @param quantiles by their level, as a prediction has them
 */
export function readProbability(
  quantiles: Readonly<Record<string, number>>,
  op: RuleOperator,
  threshold: number,
): ReadProbability {
  const distribution = distributionOf(
    Object.entries(quantiles).map(([level, value]) => ({ probability: Number(level), value })),
  );
  const isOver = op === 'gt' || op === 'gte';
  const counts = op === 'gte' || op === 'lt';
  const { probability, part } = counts ? distribution.atLeast(threshold) : distribution.above(threshold);
  return { probability: isOver ? probability : 1 - probability, part };
}
