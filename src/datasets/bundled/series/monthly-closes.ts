import { once, parseNumber, readPackageCsv } from '../../../platform/index.ts';
import { type BundledSeries, type ValueColumn, VEGA_UNSTATED_LICENSE } from '../bundled-series.ts';
import { monthEndTimestamp, type SeriesRow, singleTable } from '../series-rows.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * Both files were created on 2010-03-09 and end with the close of that day, dated "Mar 1 2010": in the daily file, the
 * S&P 500 closed at 1140.45 on that day and at 1169.43 on March 31. This is not a monthly close, so the row is left
 * out.
 */
const UNFINISHED_MONTH = Date.UTC(2010, 2, 31);
const DATES_NOTE =
  'The file dates a price by the first day of its month; it is the close of the last session of that month. ' +
  'Its last row, March 2010, holds the close of 9 March and is left out.';

const readStocks = once(() =>
  readPackageCsv({ package: 'vega-datasets', path: 'data/stocks.csv' }, ['symbol', 'date', 'price']),
);

const STOCKS = [
  { symbol: 'MSFT', company: 'Microsoft' },
  { symbol: 'AMZN', company: 'Amazon' },
  { symbol: 'IBM', company: 'IBM' },
  { symbol: 'GOOG', company: 'Google' },
  { symbol: 'AAPL', company: 'Apple' },
];

const stocks = STOCKS.map(({ symbol, company }): BundledSeries => {
  return monthlyClose({
    id: `monthly-close-${symbol.toLowerCase()}`,
    title: `${company} (${symbol}), monthly closing price`,
    keywords: [symbol, company, 'stock', 'share price', 'equities'],
    units: 'USD',
    notes: `${DATES_NOTE} Prices are adjusted for splits and dividends as of March 2010.`,
    rows: async () => {
      const all = await readStocks();
      return all.filter(({ cells }) => cells.symbol === symbol);
    },
  });
});

const index = monthlyClose({
  id: 'monthly-close-sp500',
  title: 'S&P 500 index, monthly close',
  keywords: ['S&P 500', 'SP500', "Standard & Poor's", 'SPX', '^GSPC', 'stock index'],
  units: 'index points',
  notes: DATES_NOTE,
  rows: () => readPackageCsv({ package: 'vega-datasets', path: 'data/sp500.csv' }, ['date', 'price']),
});

export const monthlyCloses: readonly BundledSeries[] = [...stocks, index];

interface PriceRow {
  readonly where: string;
  readonly cells: { readonly date: string; readonly price: string };
}

function monthlyClose({
  units,
  rows,
  ...about
}: Pick<BundledSeries, 'id' | 'title' | 'keywords' | 'notes'> & {
  readonly units: string;
  rows(): Promise<readonly PriceRow[]>;
}): BundledSeries {
  const values: readonly ValueColumn[] = [{ field: 'close', label: 'Closing price of the month', units }];
  return {
    ...about,
    frequency: '1ME',
    values,
    publisher: 'Not stated (vega-datasets names no source)',
    package: 'vega-datasets',
    license: VEGA_UNSTATED_LICENSE,
    load: once(async () => {
      const finished = (await rows()).map(parseRow).filter(({ timestamp }) => timestamp < UNFINISHED_MONTH);
      return singleTable({ frequency: '1ME', values }, finished);
    }),
  };
}

function parseRow({ where, cells }: PriceRow): SeriesRow {
  const [, month = '', year = ''] = /^([A-Z][a-z]{2}) 1 (\d{4})$/.exec(cells.date) ?? [];
  const timestamp = monthEndTimestamp(year === '' ? Number.NaN : Number(year), MONTHS.indexOf(month) + 1, where);
  return { where, timestamp, values: [parseNumber(cells.price, where)] };
}
