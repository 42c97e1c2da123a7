import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leastSquaresSlope, recentSpread, skewSpread, spreadGrowth } from './spread.ts';

test('returns the slope of the line through the observed values', () => {
  assert.equal(leastSquaresSlope(Float64Array.of(1, 3, 5, 7)), 2);
  assert.equal(leastSquaresSlope(Float64Array.of(1, Number.NaN, 5, 7)), 2);
  assert.equal(leastSquaresSlope(Float64Array.of(4)), 0);
  assert.ok(Math.abs(leastSquaresSlope(Float64Array.of(0, 1, 0, 1)) - 0.2) < 1e-15);
});

test('widens the side of the drift by up to the share and narrows the other', () => {
  const { above, below } = skewSpread(Float64Array.of(2, 2, 2), 1, 0.2);
  // A drift of 1 reaches half of the spread after one step, and all of it after two.
  assert.deepEqual([...above], [2.2, 2.4, 2.4]);
  assert.deepEqual([...below], [1.8, 1.6, 1.6]);
  const falling = skewSpread(Float64Array.of(2, 2, 2), -1, 0.2);
  assert.deepEqual([falling.above, falling.below], [below, above]);
  assert.deepEqual(skewSpread(Float64Array.of(0, 1), 0, 0.2).above, Float64Array.of(0, 1));
});

test('follows the spread of the last residuals part of the way, within bounds', () => {
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

const theory = Float64Array.of(1, 1, 1);

test('keeps the spread where past errors grew as the model predicts, or less', () => {
  const past = { sum: Float64Array.of(100, 99, 50), count: Float64Array.of(100, 99, 98) };
  assert.deepEqual([...spreadGrowth(past, theory, 4)], [1, 1, 1]);
});

test('widens by the growth of past errors, less where few are independent, and never beyond the cap', () => {
  const many = spreadGrowth({ sum: Float64Array.of(1000, 1500), count: Float64Array.of(1000, 1000) }, theory, 4);
  const few = spreadGrowth({ sum: Float64Array.of(4, 6), count: Float64Array.of(4, 4) }, theory, 4);
  assert.ok(Math.abs((many[1] as number) - 2.25) < 0.01, `${many}`);
  assert.ok((few[1] as number) > 1 && (few[1] as number) < 2, `${few}`);
  assert.equal(many[2], many[1], 'a step without past errors takes the factor before it');
  const wild = spreadGrowth({ sum: Float64Array.of(10, 1e6), count: Float64Array.of(10, 10) }, theory, 4);
  assert.equal(wild[1], 4);
});

test('returns factors of 1 without past errors', () => {
  assert.deepEqual([...spreadGrowth({ sum: new Float64Array(1), count: new Float64Array(1) }, theory, 4)], [1, 1, 1]);
});
