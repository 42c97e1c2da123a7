import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lean } from './lean.ts';
import { leastSquaresSlope } from './least-squares-slope.ts';
import { recentSpread } from './recent-spread.ts';

test('the slope is that of the line through the observed values', () => {
  assert.equal(leastSquaresSlope(Float64Array.of(1, 3, 5, 7)), 2);
  assert.equal(leastSquaresSlope(Float64Array.of(1, Number.NaN, 5, 7)), 2);
  assert.equal(leastSquaresSlope(Float64Array.of(4)), 0);
  assert.ok(Math.abs(leastSquaresSlope(Float64Array.of(0, 1, 0, 1)) - 0.2) < 1e-15);
});

test('the side of the drift is wider by up to the share, the other as much narrower', () => {
  const { above, below } = lean(Float64Array.of(2, 2, 2), 1, 0.2);
  // A drift of 1 reaches half of the spread after one step, and all of it after two.
  assert.deepEqual([...above], [2.2, 2.4, 2.4]);
  assert.deepEqual([...below], [1.8, 1.6, 1.6]);
  const falling = lean(Float64Array.of(2, 2, 2), -1, 0.2);
  assert.deepEqual([falling.above, falling.below], [below, above]);
  assert.deepEqual(lean(Float64Array.of(0, 1), 0, 0.2).above, Float64Array.of(0, 1));
});

test('the spread follows the last residuals part of the way, within bounds', () => {
  const calm = new Float64Array(40).fill(1);
  assert.equal(recentSpread(calm, 1), 1);
  const rising = calm.map((_, t) => (t < 30 ? 1 : 3));
  const factor = recentSpread(rising, 1);
  assert.ok(factor > 1.05 && factor < 3, `${factor}`);
  assert.ok(recentSpread(rising.toReversed(), 1) < 1);
  assert.ok(recentSpread(rising, 12) < factor, 'a long season has a long memory');
  assert.equal(recentSpread(Float64Array.of(Number.NaN, 2, Number.NaN, 2), 1), 1);
  assert.equal(recentSpread(new Float64Array(10), 1), 1);
  assert.equal(
    recentSpread(
      Float64Array.from({ length: 4000 }, (_, t) => (t < 3990 ? 0 : 1)),
      1,
    ),
    2.5,
  );
});
