import type { Cadence, Frequency } from '../calendar/index.ts';
import type { SourceReference } from '../contract/index.ts';
import type { ForecastSettings } from './tables.ts';

type NamedSettings = Pick<ForecastSettings, 'source' | 'horizon' | 'cadence'>;

interface NamedForecast {
  readonly title: string | null;
  readonly settings: NamedSettings;
}

/**
 * Returns the name under which a forecast is shown: its title or, without one, its source and horizon.
 *
 * @example nameForecast({ title: null, settings }) // ^GSPC, 30 sessions
 */
export function nameForecast({ title, settings }: NamedForecast): string {
  return title ?? `${formatSource(settings.source)}, ${formatHorizon(settings)}`;
}

/** @param source null for rows that were sent with the request */
function formatSource(source: SourceReference | null): string {
  if (source === null) return 'Inline rows';
  switch (source.type) {
    case 'market': {
      const { symbol, value_field = 'close' } = source;
      // Forecasts of bars are of the close unless the request names another column.
      return value_field === 'close' ? symbol : `${symbol} ${value_field}`;
    }
    case 'economic_series':
      return source.series_id;
    case 'warehouse_table':
      return `${source.value_field} of ${source.table}`;
    case 'workspace_csv':
      return source.value_field;
  }
}

/** The period of each frequency: how many of which unit. */
const PERIODS: Readonly<Record<Frequency, readonly [count: number, unit: string]>> = {
  '1min': [1, 'minute'],
  '5min': [5, 'minute'],
  '15min': [15, 'minute'],
  '30min': [30, 'minute'],
  '1h': [1, 'hour'],
  '4h': [4, 'hour'],
  '1D': [1, 'day'],
  '1W-MON': [1, 'week'],
  '1MS': [1, 'month'],
  '1ME': [1, 'month'],
  '1QE': [1, 'quarter'],
  '1YE': [1, 'year'],
};

/** @example formatHorizon({ horizon: 30, cadence: { frequency: '15min', kind: 'plain' } }) // 30 x 15 minutes */
export function formatHorizon({ horizon, cadence }: Pick<NamedSettings, 'horizon' | 'cadence'>): string {
  const [count, unit] = periodOf(cadence);
  if (count === 1) return formatCount(horizon, unit);
  const period = formatCount(count, unit);
  return horizon === 1 ? period : `${horizon} x ${period}`;
}

function periodOf({ frequency, kind }: Cadence): readonly [number, string] {
  return frequency === '1D' && kind === 'exchange' ? [1, 'session'] : PERIODS[frequency];
}

function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
