import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { checkSeries } from '../check-series.ts';
import { inferFrequency } from '../infer-frequency.ts';
import { sessionsBetween } from './sessions.ts';

const require = createRequire(import.meta.url);

/** Reads the dates and closing prices of a daily history in CSV. */
function readHistory(file: string): { days: number[]; closes: number[] } {
  const [header = '', ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  const close = header.toLowerCase().split(',').indexOf('close');
  const rows = lines.map((line) => line.split(','));
  return { days: rows.map(([date = '']) => Date.parse(date)), closes: rows.map((row) => Number(row[close])) };
}

// vega-datasets exports only its code; its data files are in a folder beside it.
const HISTORIES = [
  { name: 'S&P 500', file: join(dirname(require.resolve('vega-datasets')), '../data/sp500-2000.csv'), rows: 5105 },
  { name: 'AAPL', file: require.resolve('@observablehq/sample-datasets/aapl.csv'), rows: 1260 },
];

for (const { name, file, rows } of HISTORIES) {
  const { days, closes } = readHistory(file);

  test(`${name}: has a row for every session of the calendar, and no others`, () => {
    const [first, last] = [days[0] ?? Number.NaN, days.at(-1) ?? Number.NaN];
    assert.equal(days.length, rows);
    assert.deepEqual([...sessionsBetween(first, last)], days);
  });

  test(`${name}: is read as daily bars without a gap`, () => {
    assert.equal(inferFrequency(days, 'exchange'), '1D');
    assert.deepEqual([...checkSeries({ frequency: '1D', kind: 'exchange' }, days, closes).values], closes);
  });
}
