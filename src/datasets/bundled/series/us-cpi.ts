import { once } from '../../../platform/index.ts';
import type { BundledSeries } from '../bundled-series.ts';
import { type JsonEntry, readJsonEntries } from '../json-entries.ts';
import { monthEndTimestamp, type SeriesRow, singleTable } from '../series-rows.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const SHAPE = {
  frequency: '1ME',
  values: [{ field: 'cpi', label: 'Consumer price index', units: 'index, 1982-84 = 100' }],
} as const;

export const usCpi: BundledSeries = {
  ...SHAPE,
  id: 'us-cpi',
  title: 'US consumer price index for all urban consumers (CPI-U)',
  keywords: ['CPI', 'CPI-U', 'inflation', 'consumer prices', 'cost of living', 'BLS', 'United States'],
  publisher: 'U.S. Bureau of Labor Statistics, Consumer Price Index',
  package: 'us-inflation',
  license: {
    name: 'CC BY-SA 4.0 (the package); the data are a U.S. Government work',
    url: 'https://creativecommons.org/licenses/by-sa/4.0/',
  },
  notes: 'Not seasonally adjusted. U.S. city average, all items.',
  load: once(async () => {
    const years = await readJsonEntries({ package: 'us-inflation', path: 'bls-cpi-data.json' });
    return singleTable(SHAPE, years.flatMap(monthsOf));
  }),
};

/** Returns the rows of a year. Months that were not yet published are blank, so only the last months may be blank. */
function monthsOf(year: JsonEntry): SeriesRow[] {
  const published = MONTHS.filter((name) => year.get(name) !== '');
  return published.map((name, index) => {
    const where = `${year.where}, ${name}`;
    if (name !== MONTHS[index]) throw new Error(`${where}: a month before it is blank.`);
    return { where, timestamp: monthEndTimestamp(year.number('Year'), index + 1, where), values: [year.number(name)] };
  });
}
