import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawNormal } from '../../numerics/distributions.ts';
import { createRandom } from '../../numerics/random.ts';
import { planSearch, searchOrders } from './search.ts';

function search(y: Float64Array, season: number) {
  const { base, limits } = planSearch(
    y.map((_, t) => Math.sin(t)),
    1,
  );
  return searchOrders({ y, w: y }, { ...base, d: 0, D: 0, season, constant: true }, limits, 'conditional', undefined);
}

function noise(n: number, seed: number): number[] {
  const random = createRandom(seed);
  return Array.from({ length: n }, () => drawNormal(random));
}

for (const [season, read] of [
  [1, 500],
  [100, 800],
] as const) {
  test(`searches orders in the last ${read} periods if the season has ${season}`, () => {
    const recent = noise(read, 1);
    const withPast = (seed: number) => search(Float64Array.of(...noise(300, seed), ...recent), season);
    assert.deepEqual(withPast(2), withPast(3));
    const changed = search(Float64Array.of(...noise(300, 2), 9, ...recent.slice(1)), season);
    assert.notDeepEqual(changed, withPast(2));
  });
}
