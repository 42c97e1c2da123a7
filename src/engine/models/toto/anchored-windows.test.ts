import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { hostileSeries } from '../../../../test/support/snapshots/hostile-series.ts';
import { hourlySeries } from '../../../../test/support/snapshots/series.ts';
import { startOnnxSession } from '../../../compute/toto/onnx-session.ts';
import { createRandom } from '../../numerics/random.ts';
import { readCheckpoint } from './checkpoint/read-checkpoint.ts';
import { KNOT_COUNT } from './checkpoint/read-config.ts';
import type { OnnxSession } from './decoding/network.ts';
import { FEEDS, KNOTS_OUTPUT } from './graph/feeds.ts';
import { startToto, type Toto } from './toto.ts';

const read = (name: string): Buffer =>
  readFileSync(join(import.meta.dirname, '../../../../test/engine/toto-golden-switches', name));
const checkpoint = readCheckpoint({ config: read('config.json'), weights: read('model.safetensors') });
const QUANTILES = [0.1, 0.25, 0.5, 0.75, 0.9];
const { patchSize } = checkpoint.config;

let toto: Toto;
before(async () => {
  toto = await startToto(checkpoint, startOnnxSession);
});

function walk(length: number): Float64Array {
  const random = createRandom(1);
  let level = 100;
  return Float64Array.from({ length }, (_, i) => {
    level += random.uniform() - 0.5;
    return level + 3 * Math.sin(i / 4);
  });
}

async function forecast(model: Toto, values: Float64Array, horizon: number): Promise<readonly Float64Array[]> {
  const windows = [{ length: values.length, horizon }];
  const [outcome] = await model.forecastWindows({ series: hourlySeries(values), windows, quantiles: QUANTILES });
  assert.ok(outcome !== undefined && 'rows' in outcome, JSON.stringify(outcome));
  return outcome.rows;
}

/** Starts a network whose every output is `output`. */
function startConstant(output: number): Promise<Toto> {
  const session: OnnxSession = {
    run: async (feeds) => {
      const kept = feeds[FEEDS.keptMask]?.shape[2] as number;
      const data = new Float32Array(kept * patchSize * KNOT_COUNT).fill(output);
      return { [KNOTS_OUTPUT]: { data, shape: [kept, patchSize * KNOT_COUNT] } };
    },
  };
  return startToto(checkpoint, async () => session);
}

test('starts a block where the one before it ended', async () => {
  const past = walk(100);
  for (const row of await forecast(await startConstant(0), past, 2000)) {
    for (const value of row) assert.ok(Math.abs(value - (past[99] as number)) < 1e-9);
  }
  const rising = await forecast(await startConstant(0.1), past, 2000);
  const steps = rising.map((row, h) => (row[2] as number) - (rising[h - 1]?.[2] ?? (past[99] as number)));
  // Constant output forms steps: each block lies a little above the one before.
  steps.forEach((step, h) => {
    assert.ok(h % 768 === 0 ? step > 0 && step < 1 : Math.abs(step) < 1e-9, `${step} at step ${h + 1}`);
  });
});

test('keeps blocks finite for the largest possible output', async () => {
  const values = walk(150);
  for (const model of [toto, await startConstant(1000), await startConstant(-1000)]) {
    for (const past of [values, values.map((value) => value * 1e300), values.map((value) => value * 1e-300)]) {
      for (const row of await forecast(model, past, 4096)) assert.ok(row.every(Number.isFinite), `${row}`);
    }
  }
});

test('turns NaN from the network into a failure', async () => {
  const windows = [{ length: 50, horizon: 5 }];
  const broken = await startConstant(Number.NaN);
  const [outcome] = await broken.forecastWindows({ series: hourlySeries(walk(50)), windows, quantiles: QUANTILES });
  assert.ok(outcome !== undefined && 'failure' in outcome && outcome.failure.code === 'NOT_CONVERGED');
});

test('copes with a huge level and with tiny or huge units', async () => {
  const values = walk(200);
  const plain = await forecast(toto, values, 30);
  const moved: [number, number, number][] = [
    [1, 2 ** 40, 2e-3],
    [1, -(2 ** 40), 2e-3],
    [2 ** 900, 0, 1e-4],
    [2 ** -900, 0, 1e-4],
    [2 ** -60, 0, 1e-4],
  ];
  for (const [unit, level, tolerance] of moved) {
    const rows = await forecast(
      toto,
      values.map((value) => value * unit + level),
      30,
    );
    rows.forEach((row, h) => {
      row.forEach((value, q) => {
        const distance = Math.abs((value - level) / unit - (plain[h]?.[q] as number));
        assert.ok(distance <= tolerance, `${distance} off at step ${h + 1} with ${unit} and ${level}`);
      });
    });
  }
});

test('repeats a constant past', async () => {
  const rows = await forecast(toto, new Float64Array(20).fill(7), 3);
  assert.deepEqual(rows, Array(3).fill(new Float64Array(5).fill(7)));
});

test('forecasts windows together as it does one by one', async () => {
  const series = hourlySeries(walk(512));
  const windows = [8, 119, 230, 341, 452, 512].map((length) => ({ length, horizon: 30 }));
  const together = await toto.forecastWindows({ series, windows, quantiles: QUANTILES });
  for (const [i, { length }] of windows.entries()) {
    const rows = await forecast(toto, series.values.subarray(0, length), 30);
    const outcome = together[i];
    assert.ok(outcome !== undefined && 'rows' in outcome);
    outcome.rows.forEach((row, h) => {
      row.forEach((value, q) => {
        assert.ok(Math.abs(value - (rows[h]?.[q] as number)) < 1e-4);
      });
    });
  }
});

test('gives ordered finite quantiles for hostile series, unless a value is infinite', async () => {
  for (let seed = 1; seed <= 150; seed++) {
    const { name, series, horizon } = hostileSeries(seed);
    const windows = [series.values.length, series.values.length >> 1].map((length) => ({ length, horizon }));
    for (const outcome of await toto.forecastWindows({ series, windows, quantiles: QUANTILES })) {
      if ('failure' in outcome) {
        assert.equal(outcome.failure.code, 'INVALID_SERIES', name);
        continue;
      }
      assert.equal(outcome.rows.length, horizon, name);
      for (const row of outcome.rows) {
        assert.ok(
          row.every((value, i) => Number.isFinite(value) && value >= (row[i - 1] ?? Number.NEGATIVE_INFINITY)),
          `${name}: ${row}`,
        );
      }
    }
  }
});
