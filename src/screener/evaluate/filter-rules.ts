import type {
  ScreenerCombination,
  ScreenerComparison,
  ScreenerCondition,
  ScreenerField,
  ScreenerOp,
} from '../../contract/index.ts';
import type { ScreenerFilterTable } from '../tables.ts';

/** The rules of a filter as they are stored and evaluated. */
export interface FilterRules {
  readonly universe: 'all' | readonly string[];
  readonly combine: ScreenerCombination;
  readonly conditions: readonly ScreenerCondition[];
}

export interface SavedFilterRules extends FilterRules {
  readonly id: string;
}

/**
 * Values by field. For a crossing there are also the values of the previous session, as `previous_…`. A missing value
 * is null.
 */
export type MatchedValues = Readonly<Record<string, number | null>>;

export interface Match {
  readonly symbol: string;
  readonly values: MatchedValues;
}

/** A condition of a request. The contract has checked that the value fits the operator. */
interface RequestedCondition {
  readonly field: ScreenerField;
  readonly op: ScreenerOp;
  readonly value?: number | number[] | undefined;
  readonly other_field?: ScreenerField | undefined;
}

/** The rules of a filter as the API shows them. */
export interface RequestedRules {
  readonly universe: 'all' | readonly string[];
  readonly all?: readonly RequestedCondition[] | undefined;
  readonly any?: readonly RequestedCondition[] | undefined;
}

export function toFilterRules({ universe, ...combined }: RequestedRules): FilterRules {
  return { universe, ...toConditions(combined) };
}

export function toConditions({
  all,
  any,
}: Omit<RequestedRules, 'universe'>): Pick<FilterRules, 'combine' | 'conditions'> {
  return all === undefined
    ? { combine: 'any', conditions: (any ?? []).map(toCondition) }
    : { combine: 'all', conditions: all.map(toCondition) };
}

function toCondition({ field, op, value, other_field }: RequestedCondition): ScreenerCondition {
  if (op === 'between') {
    const [low = Number.NaN, high = Number.NaN] = Array.isArray(value) ? value : [];
    return { field, op, value: [low, high] };
  }
  const comparison: ScreenerComparison = op;
  return typeof value === 'number'
    ? { field, op: comparison, value }
    : { field, op: comparison, other_field: other_field ?? field };
}

/** Returns the rules of a stored filter as the API shows them. */
export function viewRules({
  universe,
  combine,
  conditions,
}: Pick<ScreenerFilterTable, 'universe' | 'combine' | 'conditions'>) {
  // The database does not keep the order of the keys in a condition.
  const list = conditions.map((condition) => {
    const { field, op } = condition;
    if ('other_field' in condition) return { field, op, other_field: condition.other_field };
    const { value } = condition;
    return { field, op, value: typeof value === 'number' ? value : [...value] };
  });
  return { universe: universe ?? ('all' as const), ...(combine === 'all' ? { all: list } : { any: list }) };
}
