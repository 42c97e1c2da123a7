import { once } from '../../../platform/index.ts';
import { type BundledSeries, US_GOVERNMENT_WORK } from '../bundled-series.ts';
import { readJsonEntries } from '../json-entries.ts';
import { buildTablesByMember, monthEndTimestamp } from '../series-rows.ts';

const SHAPE = {
  frequency: '1ME',
  values: [
    { field: 'rate', label: 'Unemployment rate', units: 'percent' },
    { field: 'count', label: 'Unemployed persons', units: 'thousands of persons' },
  ],
} as const;

export const usUnemployment: BundledSeries = {
  ...SHAPE,
  id: 'us-unemployment-by-industry',
  title: 'US unemployment by industry',
  keywords: ['unemployment rate', 'jobless', 'labor market', 'CPS', 'BLS', 'United States', 'sector'],
  dimension: { field: 'industry', label: 'Industry' },
  publisher: 'U.S. Bureau of Labor Statistics, Current Population Survey (Table A-31)',
  package: 'vega-datasets',
  license: US_GOVERNMENT_WORK,
  notes:
    'Not seasonally adjusted. BLS.gov cannot vouch for the data or analyses derived from these data after the data ' +
    'have been retrieved from BLS.gov.',
  load: once(async () => {
    const file = { package: 'vega-datasets', path: 'data/unemployment-across-industries.json' };
    const rows = (await readJsonEntries(file)).map((entry) => ({
      where: entry.where,
      member: entry.text('series'),
      timestamp: monthEndTimestamp(entry.number('year'), entry.number('month'), entry.where),
      values: [entry.number('rate'), entry.number('count')],
    }));
    return buildTablesByMember(SHAPE, rows);
  }),
};
