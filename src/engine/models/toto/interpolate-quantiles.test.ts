import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interpolateQuantiles } from './interpolate-quantiles.ts';

const KNOTS = Float64Array.of(1, 2, 4, 8, 16, 32, 64, 128, 256);

test('gives the knots themselves exactly', () => {
  const levels = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
  assert.deepEqual(interpolateQuantiles(KNOTS, levels), KNOTS);
});

test('lies on the line between its neighbours, in the order asked for', () => {
  const [high, low] = interpolateQuantiles(KNOTS, [0.85, 0.125]);
  assert.ok(Math.abs((high as number) - 192) < 1e-9);
  assert.ok(Math.abs((low as number) - 1.25) < 1e-9);
});

test('never crosses a knot, however close to it', () => {
  const knots = Float64Array.of(0.1, 0.1, 0.30000000000000004, 0.3000000000000001, 0.7, 0.7, 1e300, 1.1e300, 1.2e300);
  const levels = Array.from({ length: 8001 }, (_, i) => 0.1 + i / 10_000).filter((level) => level <= 0.9);
  const row = interpolateQuantiles(knots, levels);
  for (let i = 1; i < row.length; i++) assert.ok((row[i] as number) >= (row[i - 1] as number), `${levels[i]}`);
});
