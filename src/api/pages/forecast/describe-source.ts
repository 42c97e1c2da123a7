import { PERIOD_WORDS } from '../../../calendar/index.ts';
import type { SourceReference } from '../../../contract/index.ts';

/**
 * Returns what a source is, in words. Of a workspace file, only the column is named.
 *
 * @param source null for rows that were sent with the request
 */
export function describeSource(source: SourceReference | null): string {
  if (source === null) return 'Rows that were sent with the request';
  switch (source.type) {
    case 'market': {
      const { symbol, timeframe, value_field = 'close', provider } = source;
      const words = [`${symbol}, ${wordOf(timeframe)} ${value_field}`, provider && `from ${nameProvider(provider)}`];
      return words.filter(Boolean).join(' ');
    }
    case 'economic_series':
      return `${source.series_id}, from ${nameProvider(source.provider)}`;
    case 'warehouse_table':
      return `${source.value_field} of the table ${source.table}`;
    case 'workspace_csv':
      return `The column ${source.value_field} of a file that is not public`;
  }
}

function nameProvider(provider: string): string {
  return provider === 'bundled' ? 'the data that come with Almanac' : provider;
}

function wordOf(timeframe: string): string {
  const words = PERIOD_WORDS[timeframe as keyof typeof PERIOD_WORDS];
  return words === undefined || words.adverb.includes(' ') ? timeframe : words.adverb;
}
