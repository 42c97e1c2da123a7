import { type Frequency, isFrequency } from '../../../calendar/index.ts';

// The names of things that several pages show.

const PROVIDERS: Readonly<Record<string, string>> = {
  bundled: 'Bundled data',
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

/** Returns the name of a provider as people write it. */
export function formatProvider(id: string): string {
  return (Object.hasOwn(PROVIDERS, id) && PROVIDERS[id]) || id;
}

/** The types of sources, as lists name them. */
export const SOURCE_WORDS = {
  market: 'Market prices',
  economic_series: 'Economic series',
  warehouse_table: 'Warehouse tables',
  workspace_csv: 'Workspace files',
  inline: 'Rows that were sent',
} as const;

const FREQUENCY_WORDS: Readonly<Record<Frequency, string>> = {
  '1min': 'Every minute',
  '5min': 'Every 5 minutes',
  '15min': 'Every 15 minutes',
  '30min': 'Every 30 minutes',
  '1h': 'Hourly',
  '4h': 'Every 4 hours',
  '1D': 'Daily',
  '1W-MON': 'Weekly',
  '1MS': 'Monthly',
  '1ME': 'Monthly',
  '1QE': 'Quarterly',
  '1YE': 'Yearly',
};

/** Returns how often a series has rows; null if it is unknown. @example formatFrequency('1ME') // Monthly */
export function formatFrequency(frequency: string): string | null {
  if (isFrequency(frequency)) return FREQUENCY_WORDS[frequency];
  if (frequency === 'varies') return 'Several frequencies';
  return frequency === '' ? null : `${frequency[0]?.toUpperCase()}${frequency.slice(1)}`;
}
