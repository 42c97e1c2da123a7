interface ScreenerFieldInfo {
  /** The column heading in an email. */
  readonly label: string;
  /** Null for a price, a ratio or an index. */
  readonly unit: 'percent' | 'shares' | null;
  /** What the field is, in one or two sentences. */
  readonly description: string;
}

/** The metrics that conditions can use. Each is one number per symbol and session, computed from final daily bars. */
export const SCREENER_FIELD_INFO = {
  close: { label: 'Close', unit: null, description: 'Close of the session.' },
  change_pct: { label: 'Change', unit: 'percent', description: 'Change from the previous close to the close.' },
  gap_pct: { label: 'Gap', unit: 'percent', description: 'Change from the previous close to the open.' },
  volume: { label: 'Volume', unit: 'shares', description: 'Volume of the session.' },
  rel_volume: {
    label: 'Relative volume',
    unit: null,
    description: 'Volume divided by the mean volume of the 20 previous bars.',
  },
  perf_5d: {
    label: '5-day change',
    unit: 'percent',
    description: 'Change from the close 5 bars earlier to the close.',
  },
  perf_21d: {
    label: '21-day change',
    unit: 'percent',
    description: 'Change from the close 21 bars earlier to the close, about a month.',
  },
  perf_63d: {
    label: '63-day change',
    unit: 'percent',
    description: 'Change from the close 63 bars earlier to the close, about a quarter.',
  },
  perf_126d: {
    label: '126-day change',
    unit: 'percent',
    description: 'Change from the close 126 bars earlier to the close, about half a year.',
  },
  perf_252d: {
    label: '252-day change',
    unit: 'percent',
    description: 'Change from the close 252 bars earlier to the close, about a year.',
  },
  pct_from_52w_high: {
    label: 'From 52-week high',
    unit: 'percent',
    description: 'Distance of the close from the highest high of 252 bars; 0 at the high, negative below it.',
  },
  pct_from_52w_low: {
    label: 'From 52-week low',
    unit: 'percent',
    description: 'Distance of the close from the lowest low of 252 bars; 0 at the low, positive above it.',
  },
  sma_20: { label: 'SMA 20', unit: null, description: 'Mean close of 20 bars.' },
  sma_50: { label: 'SMA 50', unit: null, description: 'Mean close of 50 bars.' },
  sma_200: { label: 'SMA 200', unit: null, description: 'Mean close of 200 bars.' },
  rsi_14: {
    label: 'RSI 14',
    unit: null,
    description:
      'Relative strength index of 14 bars, from 0 to 100. Below 30 counts as oversold, above 70 as overbought.',
  },
  atr_14: { label: 'ATR 14', unit: null, description: 'Average true range of 14 bars, in units of the price.' },
} as const satisfies Readonly<Record<string, ScreenerFieldInfo>>;
export type ScreenerField = keyof typeof SCREENER_FIELD_INFO;

export const SCREENER_FIELDS = Object.keys(SCREENER_FIELD_INFO) as unknown as readonly [
  ScreenerField,
  ...ScreenerField[],
];

/** The operators that compare a field with one number or with another field. */
export const SCREENER_COMPARISONS = ['gt', 'gte', 'lt', 'lte', 'eq', 'crosses_above', 'crosses_below'] as const;
export type ScreenerComparison = (typeof SCREENER_COMPARISONS)[number];

export const SCREENER_OPS = [...SCREENER_COMPARISONS, 'between'] as const;
export type ScreenerOp = (typeof SCREENER_OPS)[number];

/** One condition on a symbol. A metric that has no value because the history is too short meets no condition. */
export type ScreenerCondition =
  | { readonly field: ScreenerField; readonly op: ScreenerComparison; readonly value: number }
  | { readonly field: ScreenerField; readonly op: ScreenerComparison; readonly other_field: ScreenerField }
  /** Both ends are included. */
  | { readonly field: ScreenerField; readonly op: 'between'; readonly value: readonly [low: number, high: number] };

/** Whether a symbol must meet all conditions of a filter or any of them. */
export const SCREENER_COMBINATIONS = ['all', 'any'] as const;
export type ScreenerCombination = (typeof SCREENER_COMBINATIONS)[number];
