import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawNormal } from '../../numerics/distributions.ts';
import { createRandom } from '../../numerics/random.ts';
import { countFirstDifferences, countSeasonalDifferences, kpss } from './unit-roots.ts';

function noise(n: number): Float64Array {
  const random = createRandom(5);
  return Float64Array.from({ length: n }, () => drawNormal(random));
}

test('chooses no differencing for noise, one difference for a random walk and two for its sum', () => {
  const white = noise(200);
  let sum = 0;
  const walk = white.map((e) => (sum += e));
  sum = 0;
  const twice = walk.map((e) => (sum += e));
  assert.deepEqual([white, walk, twice].map(countFirstDifferences), [0, 1, 2]);
});

test('computes the known statistic of a straight line', () => {
  // Without lags (n < 19): the sum of squared partial sums divided by n and the sum of squares, by hand for 1..4.
  assert.ok(Math.abs(kpss(Float64Array.of(1, 2, 3, 4)) - 8.5 / 4 / 5) < 1e-12);
});

test('differences a season only where it is strong and occurs more than twice', () => {
  const white = noise(120);
  const seasonal = white.map((e, t) => e + 5 * Math.sin((2 * Math.PI * t) / 12));
  assert.equal(countSeasonalDifferences(white, 12), 0);
  assert.equal(countSeasonalDifferences(seasonal, 12), 1);
  assert.equal(countSeasonalDifferences(seasonal.slice(0, 24), 12), 0);
});
