import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawNormal } from '../../numerics/distributions.ts';
import { createRandom } from '../../numerics/random.ts';
import { straightLine } from '../../numerics/seasonal-adjustment.ts';
import { fitDynamicTheta } from './dynamic-theta.ts';
import { extrapolateTheta } from './extrapolate.ts';
import { runningTrendLine, solveForAlpha } from './solve-for-alpha.ts';

const random = createRandom(11);
const values = new Float64Array(60);
for (let t = 0, level = 10; t < values.length; t++) {
  level += 0.3 + 0.4 * drawNormal(random);
  values[t] = level + drawNormal(random);
}

test('finds the alpha, weight and initial level with the smallest one-step errors', () => {
  const { best, line } = fitDynamicTheta(values, undefined);
  const squares = (alpha: number, weight: number, initialLevel: number): number => {
    let level = initialLevel;
    let sum = 0;
    const one = new Float64Array(1);
    for (let t = 0; t < values.length; t++) {
      extrapolateTheta({ ...best, alpha, weight }, line, t, level, one);
      if (t >= 2) sum += ((values[t] as number) - (one[0] as number)) ** 2;
      level += alpha * ((values[t] as number) - level);
    }
    return sum;
  };
  const { alpha, weight, initialLevel } = best;
  const least = squares(alpha, weight, initialLevel);
  assert.ok(Math.abs(least - best.squares) < 0.01 * least, 'the closed form adds up the same squares');
  for (const other of [alpha - 0.05, alpha + 0.05])
    assert.ok(solveForAlpha(values, line, other).squares > best.squares);
  for (const other of [weight - 0.05, weight + 0.05])
    if (other >= 0 && other <= 1) assert.ok(squares(alpha, other, initialLevel) > least);
  for (const other of [initialLevel - 0.5, initialLevel + 0.5]) assert.ok(squares(alpha, weight, other) > least);
});

test('gives plausible alphas shares that sum to nearly one', () => {
  const { plausible } = fitDynamicTheta(values, undefined);
  const total = plausible.reduce((sum, { share }) => sum + share, 0);
  assert.ok(total > 0.9 && total <= 1 + 1e-12, `${total}`);
});

const few = Float64Array.of(3, 1, 4, 1, 5, 9, 2, 6);

test('updates the least squares line after each value', () => {
  const { intercept, slope } = runningTrendLine(few);
  for (let t = 2; t <= few.length; t++) {
    const line = straightLine(few.subarray(0, t));
    for (let k = 1; k <= t; k++) {
      const height = (intercept[t] as number) + (slope[t] as number) * k;
      assert.ok(Math.abs(height - (line[k - 1] as number)) < 1e-12, `${t} values, at ${k}`);
    }
  }
});

test('leaves the line unchanged at a gap', () => {
  const { intercept, slope } = runningTrendLine(few.map((value, t) => (t === 4 ? Number.NaN : value)));
  assert.ok(Math.abs((slope[5] as number) - (slope[4] as number)) < 1e-12);
  assert.ok(Math.abs((intercept[5] as number) - (intercept[4] as number)) < 1e-12);
});
