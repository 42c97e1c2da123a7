import type { RuleOperator } from '../../contract/index.ts';
import type { ResolutionRule } from '../tables.ts';

const HOLDS: Readonly<Record<RuleOperator, (value: number, threshold: number) => boolean>> = {
  gt: (value, threshold) => value > threshold,
  gte: (value, threshold) => value >= threshold,
  lt: (value, threshold) => value < threshold,
  lte: (value, threshold) => value <= threshold,
};

export const OPERATOR_WORDS: Readonly<Record<RuleOperator, string>> = {
  gt: 'above',
  gte: 'at or above',
  lt: 'below',
  lte: 'at or below',
};

/** What an observation says to the question of a rule. */
export function decideOutcome(
  { op, threshold }: Pick<ResolutionRule, 'op' | 'threshold'>,
  value: number,
): 'yes' | 'no' {
  if (!Number.isFinite(value)) throw new RangeError('An observation decides only when it is a finite number.');
  return HOLDS[op](value, threshold) ? 'yes' : 'no';
}
