import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawNormal } from '../../numerics/normal.ts';
import { createRandom } from '../../numerics/random.ts';
import { carryLevel } from './carried-level.ts';

test('a random walk stays where it is, plain noise is forgotten', () => {
  const random = createRandom(1);
  let level = 0;
  const noise = Float64Array.from({ length: 200 }, () => drawNormal(random));
  const walk = noise.map((step) => {
    level += step;
    return level;
  });
  const carried = carryLevel(walk, 0);
  assert.ok(carried.share > 0.85 && Math.abs(carried.level - level) < 0.5, JSON.stringify(carried));
  assert.ok(Math.abs(carried.surprise - 1) < 0.15);
  const forgotten = carryLevel(noise, 0);
  assert.ok(forgotten.share < 0.15 && Math.abs(forgotten.level) < 0.5, JSON.stringify(forgotten));
});

test('a few rows mostly stay where they are', () => {
  assert.ok(carryLevel(Float64Array.of(0.1, -0.2, 0.1, 0.3, 0.2, -0.1, -0.3, -0.2), 0).share > 0.6);
});

test('an exact fit leaves nothing to carry', () => {
  assert.deepEqual(carryLevel(new Float64Array(5), 0).level, 0);
  assert.deepEqual(carryLevel(new Float64Array(5), 0).surprise, 0);
});
