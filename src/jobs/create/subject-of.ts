import type { ForecastSettings } from '../settings.ts';

/** What a forecast is about, in a few words. @example subjectOf(settings) // AAPL 1D 30 */
export function subjectOf({ source, horizon }: Pick<ForecastSettings, 'source' | 'horizon'>): string {
  if (source === null) return 'forecast';
  return source.type === 'market'
    ? `${source.symbol} ${source.timeframe} ${horizon}`
    : `${source.series_id} ${horizon}`;
}
