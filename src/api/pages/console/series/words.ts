import { type Frequency, PERIOD_WORDS } from '../../../../calendar/index.ts';
import type { PublicReference } from '../../../../contract/index.ts';

const PROVIDERS: Readonly<Record<string, string>> = {
  bundled: 'Bundled with Almanac',
  alpaca: 'Alpaca',
  massive: 'Massive',
  dukascopy: 'Dukascopy',
  fred: 'FRED',
  dbnomics: 'DBnomics',
  worldbank: 'World Bank',
  ecb: 'European Central Bank',
  eurostat: 'Eurostat',
  local: 'Tables of this service',
  bigquery: 'BigQuery public data',
};

/** Returns the name of a provider for people. */
export function nameProvider(id: string): string {
  return Object.hasOwn(PROVIDERS, id) ? (PROVIDERS[id] as string) : id;
}

const KINDS = {
  market: 'Market prices',
  economic_series: 'Economic series',
  warehouse_table: 'Warehouse table',
} as const;

export function nameKind({ type }: PublicReference): string {
  return KINDS[type];
}

const INTERVALS: Partial<Record<Frequency, string>> = {
  '1min': '1 min',
  '5min': '5 min',
  '15min': '15 min',
  '30min': '30 min',
  '1h': '1 hour',
  '4h': '4 hours',
  '1D': 'Day',
  '1W-MON': 'Week',
  '1MS': 'Month',
};

/** Returns the short name of the interval of bars. */
export function nameInterval(frequency: Frequency): string {
  return INTERVALS[frequency] ?? frequency;
}

/** Returns how often a series has rows, as the beginning of a sentence. */
export function nameFrequency(frequency: Frequency | null, stated: string): string {
  if (frequency === null) return stated === '' ? 'Not stated' : stated;
  const { adverb } = PERIOD_WORDS[frequency];
  return `${adverb.charAt(0).toUpperCase()}${adverb.slice(1)}`;
}

export const ADJUSTMENT_WORDS: Readonly<Record<string, string>> = {
  raw: 'As traded',
  split: 'For splits',
  all: 'For splits and dividends',
};

export const SESSION_WORDS: Readonly<Record<string, string>> = {
  regular: 'Regular hours',
  extended: 'With early and late hours',
};

export const SIDE_WORDS: Readonly<Record<string, string>> = { bid: 'Bid', ask: 'Ask', trade: 'Trades' };

const DROPPED: Readonly<Record<string, string>> = {
  not_a_number: 'not a number',
  bad_timestamp: 'with an invalid time',
  outside_the_request: 'outside the requested time',
  outside_the_session: 'outside the session',
  not_positive: 'not above zero',
  high_below_low: 'with a high below the low',
  outside_high_and_low: 'with an open or close outside high and low',
  negative_volume: 'with a negative volume',
  absurd: 'far from the bars around them',
  duplicate: 'given twice',
  not_completed: 'not complete',
};

/** @example describeDropped({ duplicate: 2 }) // 2 given twice */
export function describeDropped(dropped: Readonly<Record<string, number>>): string {
  return Object.entries(dropped)
    .filter(([, count]) => count > 0)
    .map(
      ([reason, count]) => `${count} ${Object.hasOwn(DROPPED, reason) ? DROPPED[reason] : reason.replaceAll('_', ' ')}`,
    )
    .join(', ');
}
