import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minimizeSmooth, type SmoothFunction } from './minimize-smooth.ts';

const steps = Float64Array.of(1, 1);

/** Rosenbrock's curved valley, whose minimum is 0 at (1, 1). */
const valley: SmoothFunction = (point, gradient) => {
  const [x, y] = point as unknown as [number, number];
  gradient[0] = -2 * (1 - x) - 400 * x * (y - x * x);
  gradient[1] = 200 * (y - x * x);
  return (1 - x) ** 2 + 100 * (y - x * x) ** 2;
};

test('finds the minimum of a curved valley', () => {
  const { point, value } = minimizeSmooth(valley, Float64Array.of(-1.2, 1), {
    steps,
    maxIterations: 200,
    tolerance: 1e-12,
  });
  assert.ok(value < 1e-10, `${value}`);
  assert.ok(Math.abs((point[0] as number) - 1) < 1e-4 && Math.abs((point[1] as number) - 1) < 1e-4, `${point}`);
});

test('descends to the edge of the domain and stays inside', () => {
  const edge: SmoothFunction = (point, gradient) => {
    if ((point[0] as number) < 2) return Number.POSITIVE_INFINITY;
    gradient[0] = 2 * (point[0] as number);
    gradient[1] = 2 * (point[1] as number);
    return (point[0] as number) ** 2 + (point[1] as number) ** 2;
  };
  const { point, value } = minimizeSmooth(edge, Float64Array.of(5, 5), { steps, maxIterations: 200, tolerance: 1e-9 });
  assert.ok(value < 8.1 && (point[0] as number) >= 2, `${value} at ${point}`);
});

test('respects its iteration limit and reports a start outside the domain', () => {
  let calls = 0;
  const counted: SmoothFunction = (point, gradient) => {
    calls++;
    return valley(point, gradient);
  };
  minimizeSmooth(counted, Float64Array.of(-1.2, 1), { steps, maxIterations: 3, tolerance: 0 });
  assert.ok(calls <= 1 + 3 * 12, `${calls}`);
  const nowhere = minimizeSmooth(() => Number.NaN, Float64Array.of(0, 0), { steps, maxIterations: 3, tolerance: 0 });
  assert.equal(nowhere.value, Number.POSITIVE_INFINITY);
});
