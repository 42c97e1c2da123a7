import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computeMetrics } from '../../../../engine/index.ts';
import { scoreReplay } from './score-replay.ts';

test('scores rows as the engine does', () => {
  const levels = [0.1, 0.25, 0.5, 0.75, 0.9];
  const rows = [12, 9, 10.5, -3].map((actual, i) => ({ actual, values: levels.map((level) => 8 + i + 6 * level) }));
  const expected = computeMetrics(
    rows.map(({ actual, values }) => ({ actual, quantiles: values })),
    levels,
  );
  const { count, mae, averageWql } = scoreReplay(
    rows.map(({ actual, values }) => ({
      actual,
      quantiles: Object.fromEntries(levels.map((level, i) => [String(level), values[i] ?? 0])),
    })),
  );
  assert.equal(count, expected.count);
  assert.ok(Math.abs((mae ?? 0) - (expected.mae ?? 1)) < 1e-12);
  assert.ok(Math.abs((averageWql ?? 0) - (expected.average_wql ?? 1)) < 1e-12);
});

test('a measure that is undefined is null', () => {
  assert.deepEqual(scoreReplay([]), { count: 0, mae: null, averageWql: null });
  assert.deepEqual(scoreReplay([{ actual: 0, quantiles: { '0.9': 1 } }]), { count: 1, mae: null, averageWql: null });
});
