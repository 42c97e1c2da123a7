import type { Cadence } from '../../src/calendar/index.ts';
import { drawNormal } from '../../src/engine/numerics/distributions.ts';
import { createRandom } from '../../src/engine/numerics/random.ts';
import { type Row, readCsv } from '../seasonality/dated-rows.ts';

/** Series of one kind, each with more than 590 rows: a past of 500 and a horizon of 90. */
export interface LongSeries {
  readonly name: string;
  readonly cadence: Cadence;
  readonly series: readonly { readonly timestamps: readonly number[]; readonly values: readonly number[] }[];
}

const BARS: Cadence = { frequency: '1D', kind: 'exchange' };
const DAYS: Cadence = { frequency: '1D', kind: 'plain' };
const GENERATED = 10;

/** Returns real daily histories from the data packages, and generated ones whose distribution is known. */
export function longSeries(): LongSeries[] {
  const weather = readCsv('vega-datasets/data/weather.csv');
  const at = (location: string, column: string) =>
    dated(
      weather.filter((row) => row.location === location),
      'date',
      column,
    );
  const cities = ['Seattle', 'New York'];
  return [
    {
      name: 'S&P 500, closes',
      cadence: BARS,
      series: [dated(readCsv('vega-datasets/data/sp500-2000.csv'), 'date', 'close')],
    },
    {
      name: 'AAPL, closes',
      cadence: BARS,
      series: [dated(readCsv('@observablehq/sample-datasets/aapl.csv'), 'Date', 'Close')],
    },
    { name: 'daily highs, two cities', cadence: DAYS, series: cities.map((city) => at(city, 'temp_max')) },
    { name: 'daily lows, two cities', cadence: DAYS, series: cities.map((city) => at(city, 'temp_min')) },
    generated('random walk', (_, noise, last) => last + noise),
    generated('noise around a level', (_, noise) => 100 + noise),
    generated('week with a walk', (t, noise, last) => last + noise + 3 * (week(t) - week(t - 1))),
    generated('trend with autoregression', (t, noise, last) => 0.1 * t + 0.8 * (last - 0.1 * (t - 1)) + noise),
  ];
}

function week(t: number): number {
  return Math.sin((2 * Math.PI * t) / 7);
}

function dated(rows: readonly Row[], date: string, column: string): LongSeries['series'][number] {
  return {
    timestamps: rows.map((row) => Date.parse(`${row[date]?.replaceAll('/', '-').slice(0, 10)}T00:00:00Z`)),
    values: rows.map((row) => Number(row[column])),
  };
}

function generated(name: string, next: (t: number, noise: number, last: number) => number): LongSeries {
  const series = Array.from({ length: GENERATED }, (_, i) => {
    const random = createRandom(1000 + i);
    let last = 100;
    const values = Array.from({ length: 770 }, (_, t) => {
      last = next(t, drawNormal(random), last);
      return last;
    });
    return { timestamps: values.map((_, t) => Date.UTC(2000, 0, 1 + t)), values };
  });
  return { name: `generated: ${name}`, cadence: DAYS, series };
}
