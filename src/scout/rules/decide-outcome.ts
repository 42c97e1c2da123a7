import type { RuleOperator } from '../../contract/index.ts';
import type { ResolutionRule } from '../tables.ts';

const HOLDS: Readonly<Record<RuleOperator, (value: number, threshold: number) => boolean>> = {
  gt: (value, threshold) => value > threshold,
  gte: (value, threshold) => value >= threshold,
  lt: (value, threshold) => value < threshold,
  lte: (value, threshold) => value <= threshold,
};

/** These texts are part of stored questions and outcomes, so they must not change. */
export const OPERATOR_TEXT: Readonly<Record<RuleOperator, string>> = {
  gt: 'above',
  gte: 'at or above',
  lt: 'below',
  lte: 'at or below',
};

/** Returns the outcome of a rule for an observed value. */
export function decideOutcome(
  { op, threshold }: Pick<ResolutionRule, 'op' | 'threshold'>,
  value: number,
): 'yes' | 'no' {
  if (!Number.isFinite(value)) throw new RangeError('An observation must be a finite number to decide a rule.');
  return HOLDS[op](value, threshold) ? 'yes' : 'no';
}
