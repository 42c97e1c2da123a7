import { once, parseDate } from '../../../platform/index.ts';
import { type BundledSeries, VEGA_UNSTATED_LICENSE } from '../bundled-series.ts';
import { readJsonEntries } from '../json-entries.ts';
import { singleTable } from '../series-rows.ts';

const FIELDS = ['open', 'high', 'low', 'close'] as const;
const SHAPE = {
  frequency: '1D',
  values: [
    { field: 'open', label: 'Opening level', units: 'index points' },
    { field: 'high', label: 'Highest level', units: 'index points' },
    { field: 'low', label: 'Lowest level', units: 'index points' },
    { field: 'close', label: 'Closing level', units: 'index points' },
  ],
} as const;

export const vix: BundledSeries = {
  ...SHAPE,
  id: 'vix-2009',
  title: 'VIX volatility index, June and July 2009',
  keywords: ['VIX', '^VIX', 'CBOE', 'volatility', 'implied volatility', 'fear index', 'S&P 500 options'],
  publisher: 'Cboe and Yahoo Finance',
  package: 'vega-datasets',
  license: VEGA_UNSTATED_LICENSE,
  notes:
    'Trading days only. The trading signal and the return of the file are left out, because their method is not documented.',
  load: once(async () => {
    const entries = await readJsonEntries({ package: 'vega-datasets', path: 'data/ohlc.json' });
    const rows = entries.map((entry) => ({
      where: entry.where,
      timestamp: parseDate(entry.text('date'), entry.where),
      values: FIELDS.map((field) => entry.number(field)),
    }));
    return singleTable(SHAPE, rows);
  }),
};
