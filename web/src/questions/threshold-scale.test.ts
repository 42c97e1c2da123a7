import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interpolate, stepAt, stepOf, valueAt, yOf } from './threshold-scale.ts';

const scale = { low: 100, high: 140, lowY: 300, highY: 20 };

test('a height and its value belong together, and a value beyond the axis stays at its end', () => {
  assert.equal(stepOf(scale), 0.2);
  assert.equal(valueAt(scale, 300), 100);
  assert.equal(valueAt(scale, 160), 120);
  assert.equal(valueAt(scale, -50), 140);
  for (const value of [100, 107.4, 131.2, 140]) assert.equal(valueAt(scale, yOf(scale, value)), value);
  assert.equal(yOf(scale, 900), 20);
});

test('the step of a place is the nearest one, and before the first one is the history', () => {
  const places = [200, 210, 220];
  assert.deepEqual(
    [0, 194, 196, 204, 206, 219, 400].map((x) => stepAt(places, x)),
    [null, null, 1, 1, 2, 3, 3],
  );
  assert.deepEqual([stepAt([], 5), stepAt([200], 200)], [null, null]);
});

test('a probability between two others lies between them', () => {
  const points = [
    [100, 0.9],
    [110, 0.5],
    [120, 0.1],
  ] as const;
  assert.ok(Math.abs(interpolate(points, 105) - 0.7) < 1e-12);
  assert.deepEqual([interpolate(points, 110), interpolate(points, 90), interpolate(points, 130)], [0.5, 0.9, 0.1]);
  assert.equal(interpolate([], 1), 0);
});
