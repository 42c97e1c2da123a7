/** What a filter can look at: one number per symbol and session, from final daily bars. Percentages are in percent. */
export const SCREENER_FIELDS = [
  'close',
  'change_pct',
  'gap_pct',
  'volume',
  'rel_volume',
  'perf_5d',
  'perf_21d',
  'perf_63d',
  'perf_126d',
  'perf_252d',
  'pct_from_52w_high',
  'pct_from_52w_low',
  'sma_20',
  'sma_50',
  'sma_200',
  'rsi_14',
  'atr_14',
] as const;
export type ScreenerField = (typeof SCREENER_FIELDS)[number];

/** Those that compare with one number or with another field. */
export const SCREENER_COMPARISONS = ['gt', 'gte', 'lt', 'lte', 'eq', 'crosses_above', 'crosses_below'] as const;
export type ScreenerComparison = (typeof SCREENER_COMPARISONS)[number];

export const SCREENER_OPS = [...SCREENER_COMPARISONS, 'between'] as const;
export type ScreenerOp = (typeof SCREENER_OPS)[number];

/** One test of a symbol. A number that is not there (the history is too short) passes none. */
export type ScreenerCondition =
  | { readonly field: ScreenerField; readonly op: ScreenerComparison; readonly value: number }
  | { readonly field: ScreenerField; readonly op: ScreenerComparison; readonly other_field: ScreenerField }
  /** Both ends included. */
  | { readonly field: ScreenerField; readonly op: 'between'; readonly value: readonly [low: number, high: number] };

/** Whether a symbol must pass all conditions of a filter or any. */
export const SCREENER_COMBINATIONS = ['all', 'any'] as const;
export type ScreenerCombination = (typeof SCREENER_COMBINATIONS)[number];
