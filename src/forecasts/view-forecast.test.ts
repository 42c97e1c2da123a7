import assert from 'node:assert/strict';
import { test } from 'node:test';
import { viewSettings } from './view-forecast.ts';

test('settings are shown as in the proofs that were issued', () => {
  const source = { type: 'market', symbol: 'AAPL', timeframe: '1D' } as const;
  const settings = {
    cadence: { frequency: '1D', kind: 'exchange', hours: 'regular' },
    horizon: 3,
    quantiles: [0.1, 0.9],
    models: ['ets'],
    weightMode: 'manual',
    weights: { ets: 2 },
    weightingPolicy: 'rolling_pinball_v1',
    transform: 'log',
    seed: 7,
    cutoff: '2024-02-10T12:00:00.000Z',
    source,
  } as const;
  assert.deepEqual(viewSettings(settings), {
    frequency: '1D',
    series_kind: 'exchange',
    hours: 'regular',
    horizon: 3,
    quantiles: [0.1, 0.9],
    models: ['ets'],
    weight_mode: 'manual',
    weights: { ets: 2 },
    weighting_policy: 'rolling_pinball_v1',
    transform: 'log',
    seed: 7,
    cutoff: '2024-02-10T12:00:00.000Z',
    source,
  });
  const bare = {
    ...settings,
    cadence: { frequency: '1MS', kind: 'plain' },
    weights: null,
    cutoff: null,
    source: null,
  } as const;
  const { hours, weights, cutoff, source: none } = viewSettings(bare);
  assert.deepEqual([hours, weights, cutoff, none], [null, null, null, null]);
  assert.deepEqual(viewSettings({ ...settings, estimatedBytes: 0 }), { ...viewSettings(settings), estimated_bytes: 0 });
});
