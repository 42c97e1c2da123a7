import type { detectSeason } from '../../src/engine/index.ts';
import { periodSums, type Row, readCsv } from './dated-rows.ts';

/** Real series with the same known season. */
export interface KnownGroup {
  readonly name: string;
  readonly candidates: Parameters<typeof detectSeason>[1];
  /** The known season in periods; 1 if there is none. */
  readonly expected: number;
  readonly series: readonly Float64Array[];
}

/** Reads the series from data packages among the dependencies. */
export function bundledGroups(): KnownGroup[] {
  const carbon = readCsv('vega-datasets/data/co2-concentration.csv');
  const industries = readCsv('@observablehq/sample-datasets/industries.csv');
  const weather = splitBy(readCsv('vega-datasets/data/weather.csv'), 'location');
  const normals = readCsv('vega-datasets/data/seattle-weather-hourly-normals.csv');
  const pizza = splitBy(readCsv('@observablehq/sample-datasets/pizza.csv'), 'category');
  const stocks = splitBy(readCsv('vega-datasets/data/stocks.csv'), 'symbol');
  const index = readCsv('vega-datasets/data/sp500.csv');
  const bars = [
    readCsv('vega-datasets/data/sp500-2000.csv').map(({ close }) => Number(close)),
    readCsv('@observablehq/sample-datasets/aapl.csv').map(({ Close }) => Number(Close)),
  ].map((closes) => Float64Array.from(closes));
  const employment = readCsv('vega-datasets/data/us-employment.csv');
  const sectors = Object.keys(employment[0] ?? {}).filter((name) => name !== 'month');
  const temperatures = (period: 'day' | 'week' | 'month') =>
    weather.flatMap((rows) => ['temp_max', 'temp_min'].map((column) => periodSums(rows, period, 'date', column)));
  return [
    known('CO2 by month', '1MS', 12, [periodSums(carbon, 'month', 'Date', 'CO2')]),
    known(
      'unemployed by industry and month',
      '1MS',
      12,
      splitBy(industries, 'industry').map((rows) => periodSums(rows, 'month', 'date', 'unemployed')),
    ),
    known('temperature by day', '1D', 365, temperatures('day')),
    known('temperature by week', '1W-MON', 52, temperatures('week')),
    known('temperature by month', '1MS', 12, temperatures('month')),
    known(
      'normal weather by hour',
      '1h',
      24,
      ['temperature', 'pressure', 'wind'].map((column) => periodSums(normals, 'hour', 'date', column)),
    ),
    known(
      'pizza orders by category and day',
      '1D',
      7,
      pizza.map((rows) => periodSums(rows, 'day', 'order_date', 'orders')),
    ),
    known('CO2 by month, seasonally adjusted', '1MS', 1, [periodSums(carbon, 'month', 'Date', 'adjusted CO2')]),
    known(
      'employment by sector and month, seasonally adjusted',
      '1MS',
      1,
      sectors.map((sector) => periodSums(employment, 'month', 'month', sector)),
    ),
    known(
      'share prices by month',
      '1MS',
      1,
      [...stocks, index].map((rows) => periodSums(rows, 'month', 'date', 'price')),
    ),
    known('share prices by session', { frequency: '1D', kind: 'exchange' }, 1, bars),
  ];
}

function known(name: string, candidates: KnownGroup['candidates'], expected: number, series: readonly Float64Array[]) {
  return { name, candidates, expected, series };
}

function splitBy(rows: readonly Row[], column: string): Row[][] {
  return [...new Set(rows.map((row) => row[column]))].map((value) => rows.filter((row) => row[column] === value));
}
