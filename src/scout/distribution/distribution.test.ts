import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom, normalProbability, normalQuantile } from '../../engine/index.ts';
import { buildDistribution } from './distribution.ts';

const LEVELS = [0.1, 0.25, 0.5, 0.75, 0.9];
const ascending = (a: number, b: number): number => a - b;
const near = (actual: number, expected: number, tolerance = 1e-12): void =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`);
const makeQuantiles = (values: readonly number[], levels: readonly number[] = LEVELS) =>
  values.map((value, i) => ({ probability: levels[i] as number, value }));

test('reproduces a normal forecast exactly, between its quantiles and beyond them', () => {
  const { above } = buildDistribution(makeQuantiles(LEVELS.map((p) => 100 + 20 * normalQuantile(p))));
  for (const x of [10, 60, 74.4, 75, 90, 100, 113.49, 126, 140, 200]) {
    near(above(x).probability, normalProbability((100 - x) / 20));
  }
});

test('returns the level of a quantile at its value, and names the part of the distribution', () => {
  const { above, atLeast } = buildDistribution(makeQuantiles([1, 2, 4, 5, 9]));
  near(above(1).probability, 0.9);
  near(above(4).probability, 0.5);
  near(atLeast(4).probability, 0.5);
  near(above(9).probability, 0.1);
  assert.deepEqual(
    [0, 1, 3, 9, 10].map((x) => above(x).part),
    ['lower_tail', 'interior', 'interior', 'interior', 'upper_tail'],
  );
});

test('interpolates two quantiles linearly over normal scores', () => {
  // Half way between Φ⁻¹(0.2) = -0.8416 and Φ⁻¹(0.6) = 0.2533 is -0.2941, and Φ(0.2941) is 0.61567.
  const { above } = buildDistribution(makeQuantiles([10, 20], [0.2, 0.6]));
  near(above(15).probability, 0.6156734, 1e-7);
  // The tail rises by 10 per 1.0950 scores: 5 above the upper quantile is the score 0.8008, and Φ(-0.8008) is 0.21161.
  near(above(25).probability, 0.2116147, 1e-7);
  // 5 below the lower quantile is the score -1.3891, and Φ(1.3891) is 0.91760.
  near(above(5).probability, 0.9175996, 1e-7);
});

test('treats equal quantiles as a point mass that only atLeast includes', () => {
  const { above, atLeast } = buildDistribution(makeQuantiles([1, 3, 3, 3, 7]));
  near(above(3).probability, 0.25);
  near(atLeast(3).probability, 0.75);
  assert.ok(above(2.999).probability >= 0.75 && above(3.001).probability <= 0.25);
});

test('puts the whole tail at the outermost value when the outermost quantiles are equal', () => {
  const { above, atLeast } = buildDistribution(makeQuantiles([0, 0, 1, 5, 5]));
  assert.deepEqual([above(-0.1).probability, atLeast(0).probability], [1, 1]);
  near(above(0).probability, 0.75);
  near(atLeast(5).probability, 0.25);
  assert.deepEqual([above(5).probability, above(5.1).probability], [0, 0]);
});

test('treats equal quantiles throughout as a single point', () => {
  const { above, atLeast } = buildDistribution(makeQuantiles([2, 2, 2, 2, 2]));
  assert.deepEqual(
    [1, 2, 3].map((x) => [above(x).probability, atLeast(x).probability]),
    [
      [1, 1],
      [0, 1],
      [0, 0],
    ],
  );
});

test('gives the middle of the possible range on either side of a single quantile', () => {
  const { above } = buildDistribution([{ probability: 0.8, value: 10 }]);
  near(above(10).probability, 0.2);
  near(above(9).probability, 0.6);
  near(above(11).probability, 0.1);
});

test('is certain at infinite thresholds', () => {
  for (const values of [
    [1, 2, 4, 5, 9],
    [2, 2, 2, 2, 2],
  ]) {
    const { above } = buildDistribution(makeQuantiles(values));
    assert.equal(above(Number.NEGATIVE_INFINITY).probability, 1);
    assert.equal(above(Number.POSITIVE_INFINITY).probability, 0);
  }
});

test('handles the largest and the smallest numbers', () => {
  const [huge, tiny] = [Number.MAX_VALUE, Number.MIN_VALUE];
  const wide = buildDistribution(makeQuantiles([-huge, 0, huge], [0.1, 0.5, 0.9]));
  assert.deepEqual(
    [-huge, -huge / 2, 0, huge].map((x) => Math.round(100 * wide.above(x).probability)),
    [90, 74, 50, 10],
  );
  const narrow = buildDistribution(makeQuantiles([0, tiny, 2 * tiny], [0.1, 0.5, 0.9]));
  assert.deepEqual(
    [-1, 0, tiny, 2 * tiny, 1].map((x) => narrow.above(x).probability),
    [1, 0.9, 0.5, 1 - 0.9, 0],
  );
});

test('keeps probabilities within 0 and 1 and never rising with the threshold, for random quantiles', () => {
  const random = createRandom(7);
  for (let round = 0; round < 300; round++) {
    const levels = [...new Set(Array.from({ length: 1 + (round % 9) }, () => 0.001 + 0.998 * random.uniform()))].sort(
      ascending,
    );
    // Zero, small and large steps at values of many magnitudes.
    let value = (random.uniform() - 0.5) * 10 ** (round % 7);
    const values = levels.map(() => {
      const kind = random.uniform();
      value += kind < 0.25 ? 0 : kind < 0.5 ? 1e-9 : 100 * random.uniform() ** 4;
      return value;
    });
    const distribution = buildDistribution(makeQuantiles(values, levels));
    const [low, high] = [values[0] as number, values.at(-1) as number];
    const reach = high - low || 1;
    const thresholds = [...values, ...Array.from({ length: 60 }, (_, i) => low + reach * (-1 + i / 20))];
    let last = 1;
    for (const x of [...new Set(thresholds)].sort(ascending)) {
      const [above, atLeast] = [distribution.above(x).probability, distribution.atLeast(x).probability];
      assert.ok(above >= 0 && atLeast <= 1 && above <= atLeast, `${above} and ${atLeast} at ${x}`);
      assert.ok(atLeast <= last + 1e-12, `${atLeast} after ${last} at ${x}`);
      last = above;
    }
  }
});

test('refuses invalid quantiles by name', () => {
  const refused = (quantiles: readonly { probability: number; value: number }[], message: RegExp): void =>
    assert.throws(() => buildDistribution(quantiles), { name: 'RangeError', message });
  refused([], /at least one/);
  refused([{ probability: 1, value: 3 }], /between 0 and 1, not 1/);
  refused([{ probability: 0.5, value: Number.POSITIVE_INFINITY }], /quantile 0.5 must be a number/);
  refused(makeQuantiles([1, 2, 0], [0.1, 0.5, 0.9]), /quantile 0.9 is below the quantile 0.5/);
  refused(makeQuantiles([1, 2], [0.5, 0.5]), /0.5 is given twice/);
  assert.throws(() => buildDistribution(makeQuantiles([1, 2, 4, 5, 9])).above(Number.NaN), RangeError);
});
