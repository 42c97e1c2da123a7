import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forecastLimits } from './owner.ts';

test('each plan has its limits, and a guest has lower ones', () => {
  assert.deepEqual(forecastLimits(null), { slots: 1, credits: 500, horizon: 96, priority: 0 });
  assert.deepEqual(forecastLimits('free'), { slots: 1, credits: 2_000, horizon: 365, priority: 1 });
  assert.deepEqual(forecastLimits('pro'), { slots: 4, credits: 50_000, horizon: 365, priority: 2 });
  assert.deepEqual(forecastLimits('enterprise'), { slots: 32, credits: null, horizon: 365, priority: 3 });
});
