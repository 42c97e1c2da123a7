import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computeMetrics } from './metrics.ts';
import { createRandom } from './numerics/random.ts';

test('computes an example calculated by hand', () => {
  const metrics = computeMetrics(
    [
      { actual: 10, quantiles: [8, 9, 12] },
      { actual: 20, quantiles: [21, 24, 30] },
    ],
    [0.1, 0.5, 0.9],
  );
  // Twice the pinball loss: 0.1: 2 * (0.1 * 2 + 0.9 * 1); 0.5: 1 + 4; 0.9: 2 * (0.1 * 2 + 0.1 * 10).
  const expected = {
    count: 2,
    point_count: 2,
    mae: 2.5,
    rmse: Math.sqrt((1 + 16) / 2),
    smape: ((2 * 1) / 19 + (2 * 4) / 44) / 2,
    average_wql: (2.2 + 5 + 2.4) / 3 / 30,
    coverage: { '0.8': 0.5 },
  };
  assert.deepEqual({ ...metrics, average_wql: 0 }, { ...expected, average_wql: 0 });
  assert.ok(Math.abs((metrics.average_wql as number) - expected.average_wql) < 1e-15);
});

test('counts a forecast of zero for a zero as exact, and returns no relative loss if all values are zero', () => {
  const metrics = computeMetrics([{ actual: 0, quantiles: [0] }], [0.5]);
  assert.deepEqual([metrics.smape, metrics.average_wql, metrics.mae], [0, null, 0]);
  const missed = computeMetrics([{ actual: 0, quantiles: [3] }], [0.5]);
  assert.deepEqual([missed.smape, missed.average_wql], [2, null]);
});

test('returns no point measures without the median, and no measures without rows', () => {
  const without = computeMetrics([{ actual: 5, quantiles: [4, 6] }], [0.1, 0.9]);
  assert.deepEqual(
    [without.count, without.point_count, without.mae, without.rmse, without.smape],
    [1, 0, null, null, null],
  );
  assert.ok((without.average_wql as number) > 0);
  const empty = computeMetrics([], [0.5]);
  assert.deepEqual(empty, {
    count: 0,
    point_count: 0,
    mae: null,
    rmse: null,
    smape: null,
    average_wql: null,
    coverage: {},
  });
});

test('reports the coverage of each central interval between two quantiles', () => {
  const { coverage } = computeMetrics([{ actual: 5, quantiles: [1, 2, 5, 5.5, 7] }], [0.025, 0.1, 0.5, 0.9, 0.975]);
  assert.deepEqual(coverage, { '0.95': 1, '0.8': 1 });
});

test('keeps measures in their ranges for generated rows', () => {
  const random = createRandom(7);
  for (let run = 0; run < 500; run++) {
    const draw = (): number =>
      random.uniform() < 0.2 ? 0 : (random.uniform() - 0.5) * 10 ** (12 * random.uniform() - 6);
    const rows = Array.from({ length: 1 + Math.floor(5 * random.uniform()) }, () => ({
      actual: draw(),
      quantiles: Float64Array.from({ length: 3 }, draw).sort(),
    }));
    const { mae, rmse, smape, average_wql, coverage } = computeMetrics(rows, [0.1, 0.5, 0.9]);
    assert.ok((mae as number) >= 0 && (rmse as number) >= (mae as number) * (1 - 1e-12));
    assert.ok((smape as number) >= 0 && (smape as number) <= 2 + 1e-12);
    assert.ok(average_wql === null || average_wql >= 0);
    assert.ok((coverage['0.8'] as number) >= 0 && (coverage['0.8'] as number) <= 1);
  }
});
