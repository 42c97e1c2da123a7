import { once, parseDate, parseNumber, readPackageCsv } from '../../../platform/index.ts';
import { type BundledSeries, US_GOVERNMENT_WORK } from '../bundled-series.ts';
import { buildTablesByMember } from '../series-rows.ts';

const FIELDS = ['precipitation', 'temp_max', 'temp_min', 'wind'] as const;
const SHAPE = {
  frequency: '1D',
  values: [
    { field: 'precipitation', label: 'Precipitation', units: 'mm' },
    { field: 'temp_max', label: 'Highest temperature', units: '°C' },
    { field: 'temp_min', label: 'Lowest temperature', units: '°C' },
    { field: 'wind', label: 'Average wind speed', units: 'm/s' },
  ],
} as const;

export const dailyWeather: BundledSeries = {
  ...SHAPE,
  id: 'daily-weather',
  title: 'Daily weather of Seattle and New York',
  keywords: ['rain', 'temperature', 'wind', 'NOAA', 'climate', 'United States'],
  dimension: { field: 'location', label: 'City' },
  publisher: 'NOAA National Centers for Environmental Information',
  package: 'vega-datasets',
  license: US_GOVERNMENT_WORK,
  notes:
    'Wind is in meters per second, as in the script that made the file (vega-datasets, scripts/weather.py); the ' +
    'package describes it as kilometers per hour, which is wrong.',
  load: once(async () => {
    const file = { package: 'vega-datasets', path: 'data/weather.csv' };
    const rows = (await readPackageCsv(file, ['location', 'date', ...FIELDS, 'weather'])).map(({ where, cells }) => ({
      where,
      member: cells.location,
      timestamp: parseDate(cells.date, where),
      values: FIELDS.map((field) => parseNumber(cells[field], where)),
    }));
    return buildTablesByMember(SHAPE, rows);
  }),
};
