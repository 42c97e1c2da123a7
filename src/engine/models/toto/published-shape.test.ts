import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONFIG_4M, randomCheckpoint } from '../../../../test/support/engine/random-checkpoint.ts';
import { hourlySeries } from '../../../../test/support/snapshots/series.ts';
import { startOnnxSession } from '../../../compute/toto/onnx-session.ts';
import { readCheckpoint } from './checkpoint/read-checkpoint.ts';
import { startToto } from './toto.ts';

// Generated once: drawing four million weights takes longer than the tests.
const files = randomCheckpoint(CONFIG_4M, 1);

test('gives the smallest published shape its published file size', () => {
  assert.equal(files.weights.length, 16_582_848);
  assert.equal(readCheckpoint(files).tensors.size, 48);
});

test('loads and forecasts with a checkpoint of the smallest published shape', async (t) => {
  const start = performance.now();
  const toto = await startToto(readCheckpoint(files), startOnnxSession);
  t.diagnostic(`loaded in ${(performance.now() - start).toFixed(0)} ms`);
  const values = Float64Array.from({ length: 5000 }, (_, i) => 20 + 5 * Math.sin(i / 7) + (i % 11));
  const windows = [60, 1000, 4500, 5000].map((length) => ({ length, horizon: 365 }));
  const task = { series: hourlySeries(values), windows, quantiles: [0.1, 0.25, 0.5, 0.75, 0.9] };
  const outcomes = await toto.forecastWindows(task);
  for (const outcome of outcomes) {
    assert.ok('rows' in outcome);
    assert.equal(outcome.rows.length, 365);
    for (const row of outcome.rows) {
      assert.ok(row.every((value, i) => Number.isFinite(value) && value >= (row[i - 1] ?? Number.NEGATIVE_INFINITY)));
    }
  }
  assert.deepEqual(await toto.forecastWindows(task), outcomes);
});
