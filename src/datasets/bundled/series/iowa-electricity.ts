import { once, parseNumber, readPackageCsv } from '../../../platform/index.ts';
import { type BundledSeries, US_GOVERNMENT_WORK } from '../bundled-series.ts';
import { buildTablesByMember, timestampFromFirstDay } from '../series-rows.ts';

const SHAPE = {
  frequency: '1YE',
  values: [{ field: 'net_generation', label: 'Net generation', units: 'thousand megawatt-hours' }],
} as const;

export const iowaElectricity: BundledSeries = {
  ...SHAPE,
  id: 'iowa-electricity',
  title: 'Electricity generated in Iowa by source',
  keywords: ['energy', 'power', 'wind power', 'coal', 'EIA', 'net generation', 'United States'],
  dimension: { field: 'source', label: 'Source of energy' },
  publisher: 'U.S. Energy Information Administration',
  package: 'vega-datasets',
  license: US_GOVERNMENT_WORK,
  notes: 'As published in May 2018.',
  load: once(async () => {
    const file = { package: 'vega-datasets', path: 'data/iowa-electricity.csv' };
    const rows = (await readPackageCsv(file, ['year', 'source', 'net_generation'])).map(({ where, cells }) => ({
      where,
      member: cells.source,
      timestamp: timestampFromFirstDay('1YE', cells.year, where),
      values: [parseNumber(cells.net_generation, where)],
    }));
    return buildTablesByMember(SHAPE, rows);
  }),
};
