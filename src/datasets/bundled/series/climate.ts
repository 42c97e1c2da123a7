import { once, parseNumber, readPackageCsv } from '../../../platform/index.ts';
import { type BundledSeries, CC_BY_4, US_GOVERNMENT_WORK } from '../bundled-series.ts';
import { singleTable, timestampFromFirstDay, yearEndTimestamp } from '../series-rows.ts';

const CO2 = {
  frequency: '1ME',
  values: [
    { field: 'co2', label: 'CO2 concentration', units: 'ppm' },
    { field: 'adjusted_co2', label: 'CO2 concentration, seasonally adjusted', units: 'ppm' },
  ],
} as const;

export const maunaLoaCo2: BundledSeries = {
  ...CO2,
  id: 'mauna-loa-co2',
  title: 'Atmospheric CO2 at Mauna Loa',
  keywords: ['carbon dioxide', 'Keeling curve', 'greenhouse gas', 'climate', 'Hawaii', 'Scripps'],
  publisher: 'Scripps CO2 Program, Scripps Institution of Oceanography',
  package: 'vega-datasets',
  license: CC_BY_4,
  notes:
    'Values are adjusted to the 15th of the month. Five months without valid data (1958 and 1964) are not in the file.',
  load: once(async () => {
    const file = { package: 'vega-datasets', path: 'data/co2-concentration.csv' };
    const rows = (await readPackageCsv(file, ['Date', 'CO2', 'adjusted CO2'])).map(({ where, cells }) => ({
      where,
      timestamp: timestampFromFirstDay('1ME', cells.Date, where),
      values: [parseNumber(cells.CO2, where), parseNumber(cells['adjusted CO2'], where)],
    }));
    return singleTable(CO2, rows);
  }),
};

const TEMPERATURE = {
  frequency: '1YE',
  values: [{ field: 'anomaly', label: 'Temperature anomaly', units: '°C above the mean of 1951-1980' }],
} as const;

export const globalTemperature: BundledSeries = {
  ...TEMPERATURE,
  id: 'global-temperature-anomaly',
  title: 'Global land and ocean temperature anomaly',
  keywords: ['global warming', 'climate', 'GISTEMP', 'NASA', 'surface temperature', 'land-ocean temperature index'],
  publisher: 'NASA Goddard Institute for Space Studies (GISTEMP)',
  package: 'vega-datasets',
  license: US_GOVERNMENT_WORK,
  notes: null,
  load: once(async () => {
    const file = { package: 'vega-datasets', path: 'data/global-temp.csv' };
    const rows = (await readPackageCsv(file, ['year', 'temp'])).map(({ where, cells }) => ({
      where,
      timestamp: yearEndTimestamp(parseNumber(cells.year, where), where),
      values: [parseNumber(cells.temp, where)],
    }));
    return singleTable(TEMPERATURE, rows);
  }),
};
