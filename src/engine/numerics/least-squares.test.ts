import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minimizeSquares } from './least-squares.ts';

test("finds the minimum of Rosenbrock's function", () => {
  const valley = {
    parameters: 2,
    residuals: 2,
    evaluate(at: Float64Array, out: Float64Array): number {
      const [x, y] = at as unknown as [number, number];
      out[0] = 10 * (y - x * x);
      out[1] = 1 - x;
      return (out[0] as number) ** 2 + (out[1] as number) ** 2;
    },
  };
  const { at, value } = minimizeSquares(valley, Float64Array.of(-1.2, 1), { tolerance: 1e-10, maxIterations: 100 });
  assert.ok(value < 1e-6);
  assert.ok(Math.abs((at[0] as number) - 1) < 1e-2);
});

test('copes with a direction without curvature', () => {
  const flat = {
    parameters: 2,
    residuals: 1,
    evaluate(at: Float64Array, out: Float64Array): number {
      out[0] = (at[0] as number) + (at[1] as number) - 3;
      return (out[0] as number) ** 2;
    },
  };
  const { value } = minimizeSquares(flat, new Float64Array(2), { tolerance: 1e-12, maxIterations: 50 });
  assert.ok(value < 1e-8);
});
