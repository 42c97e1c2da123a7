import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalProbability, normalQuantile, studentQuantile } from './distributions.ts';

test('normal probabilities match published tables', () => {
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

test('the normal quantile inverts the probability, also in the far tails', () => {
  for (const p of [1e-300, 1e-20, 1e-9, 0.001, 0.3, 0.5, 0.9, 0.999]) {
    assert.ok(Math.abs(normalProbability(normalQuantile(p)) / p - 1) < 1e-8, `at ${p}`);
  }
});

test('the normal probability ascends where one formula replaces the other', () => {
  let last = 0;
  for (let z = -7.01; z < -6.99; z += 1e-5) {
    const probability = normalProbability(z);
    assert.ok(probability > last);
    last = probability;
  }
});

// From R: qt(p, freedom).
const KNOWN: [number, number, number][] = [
  [0.9, 3, 1.637744353696],
  [0.975, 5, 2.570581835636],
  [0.999, 8, 4.500790933724],
  [0.6, 4, 0.270722294708],
  [0.99, 1, 31.820515953774],
  [0.99, 2, 6.964556734283],
  [0.95, 30, 1.697260886594],
];

test("Student's quantiles agree with R", () => {
  for (const [p, freedom, expected] of KNOWN) {
    const value = studentQuantile(p, freedom);
    assert.ok(Math.abs(value / expected - 1) < 1e-3, `qt(${p}, ${freedom}) = ${expected}, not ${value}`);
    assert.ok(Math.abs(studentQuantile(1 - p, freedom) + value) < 1e-9 * Math.abs(value) + 1e-9, 'symmetric');
  }
});

test("Student's quantiles ascend and converge to the normal ones", () => {
  for (const freedom of [3, 3.5, 4, 7, 20, 200]) {
    let before = Number.NEGATIVE_INFINITY;
    for (let p = 0.001; p < 1; p += 0.001) {
      const value = studentQuantile(p, freedom);
      assert.ok(value > before, `${freedom} at ${p}`);
      before = value;
    }
  }
  assert.ok(Math.abs(studentQuantile(0.9, 1e5) - normalQuantile(0.9)) < 1e-4);
});
