import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalQuantile } from './normal.ts';
import { studentQuantile } from './student.ts';

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

test('agrees with R', () => {
  for (const [p, freedom, expected] of KNOWN) {
    const value = studentQuantile(p, freedom);
    assert.ok(Math.abs(value / expected - 1) < 1e-3, `qt(${p}, ${freedom}) = ${expected}, not ${value}`);
    assert.ok(Math.abs(studentQuantile(1 - p, freedom) + value) < 1e-9 * Math.abs(value) + 1e-9, 'symmetric');
  }
});

test('ascends without jumps and ends as the normal', () => {
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
