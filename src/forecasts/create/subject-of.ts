import type { ForecastSettings } from '../settings.ts';

/** What a forecast is about, in a few words. @example subjectOf(settings) // AAPL 1D 30 */
export function subjectOf({ source, horizon }: Pick<ForecastSettings, 'source' | 'horizon'>): string {
  if (source === null) return 'forecast';
  if (source.type === 'market') return `${source.symbol} ${source.timeframe} ${horizon}`;
  return `${source.type === 'workspace_csv' ? source.value_field : source.series_id} ${horizon}`;
}
