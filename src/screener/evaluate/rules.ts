import type { ScreenerCombination, ScreenerCondition } from '../../contract/index.ts';

/** What a filter asks, without its name. */
export interface FilterRules {
  readonly universe: 'all' | readonly string[];
  readonly combine: ScreenerCombination;
  readonly conditions: readonly ScreenerCondition[];
}

export interface StoredRules extends FilterRules {
  readonly id: string;
}

/** By field, and by `previous_…` where something had to cross; null where there is no such number. */
export type MatchedValues = Readonly<Record<string, number | null>>;

export interface Match {
  readonly symbol: string;
  readonly values: MatchedValues;
}

export interface FilterMatch extends Match {
  readonly filterId: string;
}
