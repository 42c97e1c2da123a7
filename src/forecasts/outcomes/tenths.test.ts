import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom, normalQuantile } from '../../engine/index.ts';
import { haveTenths, placeInTenths } from './tenths.ts';

const near = (actual: readonly number[], expected: readonly number[]): void =>
  actual.forEach((share, i) => {
    assert.ok(Math.abs(share - (expected[i] ?? Number.NaN)) < 1e-12, `${actual} is not ${expected}`);
  });

test('needs levels from 0.1 to 0.9 without a large gap', () => {
  for (const levels of [
    [0.1, 0.5, 0.9],
    [0.1, 0.25, 0.5, 0.75, 0.9],
    [0.001, 0.1, 0.3, 0.7, 0.999],
  ]) {
    assert.ok(haveTenths(levels), `${levels}`);
  }
  for (const levels of [[], [0.5], [0.1], [0.1, 0.9], [0.2, 0.5, 0.9], [0.1, 0.5, 0.8], [0.05, 0.5, 0.95]]) {
    assert.ok(!haveTenths(levels), `${levels}`);
  }
});

test('finds equal tenths in a normal distribution, whatever the levels', () => {
  for (const levels of [
    [0.1, 0.5, 0.9],
    [0.1, 0.25, 0.5, 0.75, 0.9],
    [0.025, 0.1, 0.3, 0.37, 0.7, 0.999],
  ]) {
    const quantiles = levels.map((level) => 50 + 8 * normalQuantile(level));
    const counts = new Array<number>(10).fill(0);
    for (let i = 0; i < 1_000; i++) {
      const actual = 50 + 8 * normalQuantile((i + 0.5) / 1_000);
      placeInTenths(levels, quantiles, actual).forEach((share, k) => {
        counts[k] = (counts[k] as number) + share;
      });
    }
    assert.deepEqual(counts, new Array(10).fill(100), `${levels}`);
  }
});

test('divides a value that equals quantiles among the tenths at their levels', () => {
  const levels = [0.1, 0.25, 0.5, 0.75, 0.9];
  // All quantiles are equal, and so is the value: every tenth gets the same share.
  near(placeInTenths(levels, [5, 5, 5, 5, 5], 5), new Array(10).fill(0.1));
  near(placeInTenths(levels, [5, 5, 5, 5, 5], 4), [1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  near(placeInTenths(levels, [5, 5, 5, 5, 5], 6), [0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
  // Half of the probability lies at zero.
  near(placeInTenths(levels, [0, 0, 0, 2, 9], 0), [0.2, 0.2, 0.2, 0.2, 0.2, 0, 0, 0, 0, 0]);
  near(placeInTenths(levels, [-9, -2, 0, 0, 0], 0), [0, 0, 0, 0, 0, 0.2, 0.2, 0.2, 0.2, 0.2]);
  // From 0.25 to 0.75: half of the third and of the eighth tenth, and all between.
  near(placeInTenths(levels, [1, 3, 3, 3, 7], 3), [0, 0, 0.1, 0.2, 0.2, 0.2, 0.2, 0.1, 0, 0]);
  // The median is the edge of two tenths, the first quartile is not.
  near(placeInTenths(levels, [1, 2, 3, 4, 5], 3), [0, 0, 0, 0, 0.5, 0.5, 0, 0, 0, 0]);
  near(placeInTenths(levels, [1, 2, 3, 4, 5], 2), [0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
  near(placeInTenths(levels, [1, 2, 3, 4, 5], 1), [0.5, 0.5, 0, 0, 0, 0, 0, 0, 0, 0]);
  near(placeInTenths(levels, [1, 2, 3, 4, 5], 5), [0, 0, 0, 0, 0, 0, 0, 0, 0.5, 0.5]);
});

/** Returns the value below which this share lies: the inverse of what the function computes. */
function valueAt(levels: readonly number[], quantiles: readonly number[], share: number): number {
  const above = levels.findIndex((level) => level >= share - 1e-12);
  const [to, high] = [levels[above] as number, quantiles[above] as number];
  if (Math.abs(to - share) < 1e-12) return high;
  const [from, low] = [levels[above - 1] as number, quantiles[above - 1] as number];
  const [a, b, z] = [normalQuantile(from), normalQuantile(to), normalQuantile(share)];
  return low + ((z - a) / (b - a)) * (high - low);
}

test('places generated values between the same edges as the inverse function', () => {
  const random = createRandom(11);
  const levels = [0.05, 0.1, 0.25, 0.5, 0.6, 0.75, 0.9];
  for (let run = 0; run < 300; run++) {
    const scale = 10 ** (20 * random.uniform() - 10);
    const quantiles = Array.from(Float64Array.from(levels, () => (random.uniform() - 0.5) * scale).sort());
    const actual = (random.uniform() - 0.5) * 1.2 * scale;
    const edges = Array.from({ length: 9 }, (_, k) => valueAt(levels, quantiles, (k + 1) / 10));
    const expected = edges.filter((edge) => edge <= actual).length;
    assert.equal(placeInTenths(levels, quantiles, actual)[expected], 1, `${quantiles} ${actual}`);
  }
});

test('places values between huge quantiles', () => {
  const quantiles = [-Number.MAX_VALUE, 0, Number.MAX_VALUE];
  near(placeInTenths([0.1, 0.5, 0.9], quantiles, 1e15), [0, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
  near(placeInTenths([0.1, 0.5, 0.9], quantiles, -1.7e308), [0, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
});
