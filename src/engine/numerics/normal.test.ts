import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalProbability, normalQuantile } from './normal.ts';

test('probabilities of the normal distribution match its tables', () => {
  const table = [
    [0, 0.5],
    [1, 0.8413447460685429],
    [-1.959963984540054, 0.025],
    [3, 0.9986501019683699],
    [-6, 9.865876450376981e-10],
    [-8, 6.220960574271786e-16],
  ] as const;
  for (const [z, expected] of table) assert.ok(Math.abs(normalProbability(z) / expected - 1) < 1e-8, `at ${z}`);
  assert.equal(normalProbability(Number.NEGATIVE_INFINITY), 0);
  assert.equal(normalProbability(Number.POSITIVE_INFINITY), 1);
});

test('the quantile function undoes the distribution function, far out too', () => {
  for (const p of [1e-300, 1e-20, 1e-9, 0.001, 0.3, 0.5, 0.9, 0.999]) {
    assert.ok(Math.abs(normalProbability(normalQuantile(p)) / p - 1) < 1e-8, `at ${p}`);
  }
});

test('the probability never falls where one formula gives way to the other', () => {
  let last = 0;
  for (let z = -7.01; z < -6.99; z += 1e-5) {
    const probability = normalProbability(z);
    assert.ok(probability > last);
    last = probability;
  }
});
