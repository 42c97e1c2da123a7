import assert from 'node:assert/strict';
import { test } from 'node:test';
import { straightLine } from '../../numerics/seasonal-indices.ts';
import { growingTrendLine } from './trend-line.ts';

const values = Float64Array.of(3, 1, 4, 1, 5, 9, 2, 6);

test('after each value it is the least squares line through the values so far', () => {
  const { intercept, slope } = growingTrendLine(values);
  for (let t = 2; t <= values.length; t++) {
    const line = straightLine(values.subarray(0, t));
    for (let k = 1; k <= t; k++) {
      const height = (intercept[t] as number) + (slope[t] as number) * k;
      assert.ok(Math.abs(height - (line[k - 1] as number)) < 1e-12, `${t} values, at ${k}`);
    }
  }
});

test('a gap leaves the line as it is', () => {
  const { intercept, slope } = growingTrendLine(values.map((value, t) => (t === 4 ? Number.NaN : value)));
  assert.ok(Math.abs((slope[5] as number) - (slope[4] as number)) < 1e-12);
  assert.ok(Math.abs((intercept[5] as number) - (intercept[4] as number)) < 1e-12);
});
