import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawNormal } from '../../numerics/distributions.ts';
import { createRandom } from '../../numerics/random.ts';
import { estimateCarriedLevel } from './carried-level.ts';

test('keeps the level of a random walk and forgets plain noise', () => {
  const random = createRandom(1);
  let level = 0;
  const noise = Float64Array.from({ length: 200 }, () => drawNormal(random));
  const walk = noise.map((step) => {
    level += step;
    return level;
  });
  const carried = estimateCarriedLevel(walk, 0);
  assert.ok(carried.share > 0.85 && Math.abs(carried.level - level) < 0.5, JSON.stringify(carried));
  assert.ok(Math.abs(carried.errorDeviation - 1) < 0.15);
  const forgotten = estimateCarriedLevel(noise, 0);
  assert.ok(forgotten.share < 0.15 && Math.abs(forgotten.level) < 0.5, JSON.stringify(forgotten));
});

test('keeps most of the level where there are few rows', () => {
  assert.ok(estimateCarriedLevel(Float64Array.of(0.1, -0.2, 0.1, 0.3, 0.2, -0.1, -0.3, -0.2), 0).share > 0.6);
});

test('carries nothing after an exact fit', () => {
  assert.deepEqual(estimateCarriedLevel(new Float64Array(5), 0).level, 0);
  assert.deepEqual(estimateCarriedLevel(new Float64Array(5), 0).errorDeviation, 0);
});
