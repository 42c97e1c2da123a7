import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SeriesDescription, Source } from '../../contract/index.ts';
import { readPackageCsv } from '../../platform/index.ts';
import { BUNDLED_SERIES, createBundledEconomicProvider } from './bundled-provider.ts';

const provider = createBundledEconomicProvider();

/** The first and last row of a series, as in its file. */
interface Expected {
  readonly id: string;
  readonly choice?: Record<string, string>;
  readonly rows: number;
  readonly first: readonly [string, ...number[]];
  readonly last: readonly [string, ...number[]];
}

const EXPECTED: readonly Expected[] = [
  {
    id: 'vix-2009',
    rows: 44,
    first: ['2009-06-01', 28.7, 30.05, 28.45, 30.04],
    last: ['2009-07-31', 25.4, 26.22, 24.93, 25.92],
  },
  { id: 'monthly-close-msft', rows: 122, first: ['2000-01-31', 39.81], last: ['2010-02-28', 28.67] },
  { id: 'monthly-close-amzn', rows: 122, first: ['2000-01-31', 64.56], last: ['2010-02-28', 118.4] },
  { id: 'monthly-close-ibm', rows: 122, first: ['2000-01-31', 100.52], last: ['2010-02-28', 127.16] },
  { id: 'monthly-close-goog', rows: 67, first: ['2004-08-31', 102.37], last: ['2010-02-28', 526.8] },
  { id: 'monthly-close-aapl', rows: 122, first: ['2000-01-31', 25.94], last: ['2010-02-28', 204.62] },
  { id: 'monthly-close-sp500', rows: 122, first: ['2000-01-31', 1394.46], last: ['2010-02-28', 1104.49] },
  { id: 'us-cpi', rows: 1265, first: ['1913-01-31', 9.8], last: ['2018-05-31', 251.588] },
  { id: 'us-employment-nonfarm', rows: 120, first: ['2006-01-31', 135_450], last: ['2015-12-31', 143_093] },
  { id: 'us-employment-utilities', rows: 120, first: ['2006-01-31', 549.8], last: ['2015-12-31', 556.5] },
  { id: 'us-employment-nonfarm-change', rows: 120, first: ['2006-01-31', 282], last: ['2015-12-31', 234] },
  {
    id: 'us-employment-trade-transportation-utilities',
    rows: 120,
    first: ['2006-01-31', 26_162],
    last: ['2015-12-31', 27_036],
  },
  {
    id: 'us-unemployment-by-industry',
    choice: { industry: 'Government' },
    rows: 122,
    first: ['2000-01-31', 2.1, 430],
    last: ['2010-02-28', 4, 880],
  },
  { id: 'mauna-loa-co2', rows: 741, first: ['1958-03-31', 315.7, 314.44], last: ['2020-04-30', 416.18, 413.35] },
  { id: 'global-temperature-anomaly', rows: 144, first: ['1880-12-31', -0.17], last: ['2023-12-31', 1.17] },
  {
    id: 'daily-weather',
    choice: { location: 'Seattle' },
    rows: 1461,
    first: ['2012-01-01', 0, 12.8, 5, 4.7],
    last: ['2015-12-31', 0, 5.6, -2.1, 3.5],
  },
  {
    id: 'daily-weather',
    choice: { location: 'New York' },
    rows: 1461,
    first: ['2012-01-01', 1.8, 10, 3.3, 5.1],
    last: ['2015-12-31', 1.5, 11.1, 6.1, 5.5],
  },
  {
    id: 'iowa-electricity',
    choice: { source: 'Renewables' },
    rows: 17,
    first: ['2001-12-31', 1437],
    last: ['2017-12-31', 21_933],
  },
];

async function rowsOf(id: string, choice: Record<string, string> = {}): Promise<(string | number)[][]> {
  const table = (await provider.read({ seriesId: id, dimensions: choice }))?.table;
  assert.ok(table !== undefined);
  return [...table.timestamps].map((time, row) => [
    new Date(time).toISOString().slice(0, 10),
    ...Object.values(table.columns).map((column) => column[row] ?? Number.NaN),
  ]);
}

for (const { id, choice, rows, first, last } of EXPECTED) {
  test(`${[id, ...Object.values(choice ?? {})].join(', ')}: has the rows of its file`, async () => {
    const read = await rowsOf(id, choice);
    assert.equal(read.length, rows);
    assert.deepEqual([read[0], read.at(-1)], [first, last]);
  });
}

test('shiller-sp-composite: has every month from 1871, with NaN for null', async () => {
  const table = (await provider.read({ seriesId: 'shiller-sp-composite', dimensions: {} }))?.table;
  assert.ok(table !== undefined);
  const { timestamps, columns } = table;
  assert.equal(timestamps.length, 1829);
  assert.deepEqual([timestamps[0], timestamps.at(-1)], [Date.UTC(1871, 0, 31), Date.UTC(2023, 4, 31)]);
  assert.equal(timestamps[9], Date.UTC(1871, 9, 31), 'October, which the file dates 1871.1');
  assert.deepEqual([columns.price?.[0], columns.dividend?.[0], columns.earnings?.[0]], [4.44, 0.26, 0.4]);
  const missing = Object.entries(columns).map(([field, column]) => [field, column.filter(Number.isNaN).length]);
  assert.deepEqual(Object.fromEntries(missing), {
    price: 0,
    dividend: 2,
    earnings: 2,
    cpi: 0,
    long_interest_rate: 0,
    real_price: 0,
    real_dividend: 2,
    real_total_return_price: 0,
    real_earnings: 2,
    cape: 120,
    total_return_cape: 120,
  });
});

test('monthly-close-sp500 is the last close of each month in the daily file', async () => {
  const file = { package: 'vega-datasets', path: 'data/sp500-2000.csv' };
  const daily = await readPackageCsv(file, ['date', 'open', 'high', 'low', 'close', 'adjclose', 'volume']);
  const closes = new Map(daily.map(({ cells }) => [cells.date.slice(0, 7), Number(cells.close)]));
  for (const [day, close] of await rowsOf('monthly-close-sp500')) {
    const expected = closes.get(String(day).slice(0, 7)) ?? Number.NaN;
    assert.ok(Math.abs(Number(close) - expected) < 0.006, `${day}: ${close}, daily ${expected}`);
  }
});

test('us-employment-nonfarm-change is the change of us-employment-nonfarm', async () => {
  const [levels, changes] = await Promise.all([
    rowsOf('us-employment-nonfarm'),
    rowsOf('us-employment-nonfarm-change'),
  ]);
  for (let month = 1; month < levels.length; month++) {
    assert.equal(Number(levels[month]?.[1]) - Number(levels[month - 1]?.[1]), changes[month]?.[1]);
  }
});

test('lists each of 37 series once, with a description that matches its rows', async () => {
  const listed = await provider.list();
  assert.equal(listed.length, 37);
  assert.equal(new Set(BUNDLED_SERIES.map(({ id }) => id)).size, 37);
  assert.equal(BUNDLED_SERIES.filter(({ id }) => id.startsWith('us-employment-')).length, 23);
  for (const { source, span, keywords } of listed) {
    assert.equal(Source.parse(source).type, 'economic_series');
    assert.ok(source.type === 'economic_series' && /^[a-z0-9-]+$/.test(source.series_id));
    const description = SeriesDescription.parse(await provider.describe(source.series_id, {}));
    assert.deepEqual(description.span, span);
    assert.match(description.publisher, /, by way of \S+@\d+\.\d+\.\d+$/);
    for (const { values } of description.dimensions) {
      for (const { value } of values ?? []) assert.ok(keywords.includes(value), `${value} is a keyword`);
    }
  }
});

test('offers 14 industries', async () => {
  const [industry] = (await provider.describe('us-unemployment-by-industry', {}))?.dimensions ?? [];
  assert.equal(industry?.field, 'industry');
  assert.equal(industry?.required, true);
  assert.equal(industry?.values?.length, 14);
});

test('returns null for an unknown series and throws for an unchecked choice', async () => {
  assert.equal(await provider.describe('nothing', {}), null);
  assert.equal(await provider.read({ seriesId: 'nothing', dimensions: {} }), null);
  await assert.rejects(
    provider.read({ seriesId: 'daily-weather', dimensions: {} }),
    /daily-weather has no location undefined/,
  );
  await assert.rejects(
    provider.read({ seriesId: 'daily-weather', dimensions: { location: 'Paris' } }),
    /has no location "Paris"/,
  );
});
