import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ReplayableForecast, replayKey, replayRequest } from './replay-request.ts';

test('equal requests have one key, and each title, cutoff and failure has another', () => {
  const settings = { source: { type: 'market', symbol: 'AAPL' }, weights: null, horizon: 3 };
  const original = { settings, request: {} } as unknown as ReplayableForecast;
  const keyOf = (title: string, cutoff = '2020-01-02', failures = 0) =>
    replayKey(replayRequest(original, { cutoff, isAsKnown: false }, title), failures);
  assert.equal(keyOf('Apple'), keyOf('Apple'));
  const keys = [keyOf('Apple'), keyOf('Renamed'), keyOf('Apple', '2020-01-03'), keyOf('Apple', '2020-01-02', 1)];
  assert.equal(new Set(keys).size, 4);
});
