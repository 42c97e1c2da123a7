import type { ScreenerComparison, ScreenerCondition, ScreenerField, ScreenerOp } from '../../contract/index.ts';
import type { FilterRules } from '../evaluate/rules.ts';
import type { ScreenerFilterTable } from '../tables.ts';

/** A condition as it was sent; the contract has checked what goes with what. */
export interface SentCondition {
  readonly field: ScreenerField;
  readonly op: ScreenerOp;
  readonly value?: number | number[] | undefined;
  readonly other_field?: ScreenerField | undefined;
}

/** The rules of a filter as they are sent and answered. */
export interface SentRules {
  readonly universe: 'all' | readonly string[];
  readonly all?: readonly SentCondition[] | undefined;
  readonly any?: readonly SentCondition[] | undefined;
}

/** The same as they are stored and evaluated. */
export function rulesOf({ universe, ...combined }: SentRules): FilterRules {
  return { universe, ...conditionsOf(combined) };
}

export function conditionsOf({ all, any }: Omit<SentRules, 'universe'>): Pick<FilterRules, 'combine' | 'conditions'> {
  return all === undefined
    ? { combine: 'any', conditions: (any ?? []).map(conditionOf) }
    : { combine: 'all', conditions: all.map(conditionOf) };
}

function conditionOf({ field, op, value, other_field }: SentCondition): ScreenerCondition {
  if (op === 'between') {
    const [low = Number.NaN, high = Number.NaN] = Array.isArray(value) ? value : [];
    return { field, op, value: [low, high] };
  }
  const comparison: ScreenerComparison = op;
  return typeof value === 'number'
    ? { field, op: comparison, value }
    : { field, op: comparison, other_field: other_field ?? field };
}

type StoredRules = Pick<ScreenerFilterTable, 'universe' | 'combine' | 'conditions'>;

/** How the rules of a stored filter are answered. */
export function sentRulesOf({ universe, combine, conditions }: StoredRules) {
  // In the order in which people write them, which the database does not keep.
  const list = conditions.map((condition) => {
    const { field, op } = condition;
    if ('other_field' in condition) return { field, op, other_field: condition.other_field };
    const { value } = condition;
    return { field, op, value: typeof value === 'number' ? value : [...value] };
  });
  return { universe: universe ?? ('all' as const), ...(combine === 'all' ? { all: list } : { any: list }) };
}
