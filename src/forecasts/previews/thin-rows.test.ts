import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choosePreviewLevels, strideOf, thinHistory, thinSteps } from './thin-rows.ts';

const count = (length: number) => Array.from({ length }, (_, i) => i + 1);

test('a preview has at most 40 values on each side of the origin, evenly apart', () => {
  for (const horizon of [1, 39, 40, 41, 80, 365]) {
    const stride = strideOf(horizon);
    const [history, steps] = [thinHistory(count(5_000), stride), thinSteps(count(horizon), stride)];
    assert.ok(history.length === 40 && steps.length <= 40 && steps.length >= 1, String(horizon));
    const distances = new Set(history.slice(1).map((value, i) => value - (history[i] ?? 0)));
    assert.deepEqual([[...distances], steps[0], history.at(-1)], [[stride], stride, 5_000], String(horizon));
  }
  assert.deepEqual(thinHistory([1, Number.NaN, 3], 1), [1, 3]);
  assert.deepEqual(thinHistory([], 3), []);
});

test('a preview shows the 80% interval or, without it, the widest one', () => {
  assert.deepEqual(choosePreviewLevels([0.025, 0.1, 0.5, 0.9, 0.975]), { median: 0.5, interval: [0.1, 0.9] });
  assert.deepEqual(choosePreviewLevels([0.25, 0.05, 0.75, 0.95]), { median: null, interval: [0.05, 0.95] });
  assert.deepEqual(choosePreviewLevels([0.2, 0.5]), { median: 0.5, interval: null });
});
