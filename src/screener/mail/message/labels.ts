import { SCREENER_FIELDS, type ScreenerField } from '../../../contract/index.ts';
import type { MatchedValues } from '../../evaluate/rules.ts';

const LABELS: Readonly<Record<ScreenerField, string>> = {
  close: 'Close',
  change_pct: 'Change',
  gap_pct: 'Gap',
  volume: 'Volume',
  rel_volume: 'Rel. volume',
  perf_5d: '5 sessions',
  perf_21d: '21 sessions',
  perf_63d: '63 sessions',
  perf_126d: '126 sessions',
  perf_252d: '252 sessions',
  pct_from_52w_high: 'From high',
  pct_from_52w_low: 'From low',
  sma_20: 'SMA 20',
  sma_50: 'SMA 50',
  sma_200: 'SMA 200',
  rsi_14: 'RSI 14',
  atr_14: 'ATR 14',
};

const PERCENT: readonly ScreenerField[] = [
  'change_pct',
  'gap_pct',
  'perf_5d',
  'perf_21d',
  'perf_63d',
  'perf_126d',
  'perf_252d',
  'pct_from_52w_high',
  'pct_from_52w_low',
];

/** A column of a table of matches. */
export interface Column {
  readonly label: string;
  readonly text: (values: MatchedValues) => string;
}

/** The columns that matches have values for, in the order of the fields; those of the session before beside today's. */
export function columnsOf(matches: readonly { readonly values: MatchedValues }[]): Column[] {
  const named = new Set(matches.flatMap(({ values }) => Object.keys(values)));
  return SCREENER_FIELDS.flatMap((field) => [
    { name: field, label: LABELS[field], field },
    { name: `previous_${field}`, label: `${LABELS[field]} before`, field },
  ])
    .filter(({ name }) => named.has(name))
    .map(({ name, label, field }) => ({ label, text: (values) => written(field, values[name] ?? null) }));
}

/** Short enough to read; the API has every digit. */
export function written(field: ScreenerField, value: number | null): string {
  if (value === null) return '–';
  // Nobody reads as many digits, and a mail has no room for them.
  if (Math.abs(value) >= 1e12) return value.toExponential(2);
  if (field === 'volume' || Math.abs(value) >= 100_000) return withUnit(field, value, grouped(value, 0));
  const digits = Math.abs(value) < 1 && !PERCENT.includes(field) ? 4 : 2;
  return withUnit(field, value, grouped(value, digits));
}

function withUnit(field: ScreenerField, value: number, text: string): string {
  return PERCENT.includes(field) ? `${value > 0 ? '+' : ''}${text} %` : text;
}

function grouped(value: number, digits: number): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
