import assert from 'node:assert/strict';
import { test } from 'node:test';
import { monthlySeries } from '../../../test/support/snapshots/series.ts';
import { seasonalNaive } from './seasonal-naive.ts';

const fit = (values: number[], season: number) => seasonalNaive.fit(monthlySeries(values, season), { seed: 1 });
const medians = (rows: Float64Array[]) => rows.map((row) => row[0]);

test('repeats the last season', () => {
  assert.deepEqual(medians(fit([1, 2, 3, 11, 12, 13], 3)(4, [0.5])), [11, 12, 13, 11]);
});

test('uses the newest observation where the last season has a gap', () => {
  assert.deepEqual(medians(fit([1, 2, 3, 11, Number.NaN, 13], 3)(3, [0.5])), [11, 2, 13]);
});

test('widens with the square root of the seasons ahead', () => {
  const rows = fit([1, 5, 2, 5, 1, 6, 2, 5], 2)(4, [0.1, 0.9]);
  const width = (row: Float64Array | undefined) => (row?.[1] as number) - (row?.[0] as number);
  assert.ok(Math.abs(width(rows[2]) / width(rows[0]) - Math.SQRT2) < 1e-12);
});

test('forecasts one observation without spread, and ignores a season longer than the series', () => {
  assert.deepEqual([...(fit([4], 12)(1, [0.1, 0.9])[0] ?? [])], [4, 4]);
  assert.deepEqual(medians(fit([4, 6], 12)(2, [0.5])), [6, 6]);
});
