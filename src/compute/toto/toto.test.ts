import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { installGolden } from '../../../test/support/golden-checkpoint.ts';
import type { ForecastRequest } from '../../forecasting/index.ts';
import { checkpointFolders, type Engine, startEngine } from '../index.ts';

const DAY = 86_400_000;

/** The longest context, so that there are many runs. */
const LONG: ForecastRequest = {
  cadence: { frequency: '1D', kind: 'plain' },
  timestamps: Array.from({ length: 5_000 }, (_, i) => i * DAY),
  values: Array.from({ length: 5_000 }, (_, i) => 100 + 10 * Math.sin(i / 7) + (i % 13)),
  horizon: 365,
  models: ['toto'],
};

describe('toto in its thread', () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'almanac-toto-thread-'));
  const folders = checkpointFolders(dataFolder);
  let toto: string;
  let engine: Engine;
  before(async () => {
    toto = installGolden(dataFolder);
    engine = await startEngine({ threads: 1, checkpoints: folders });
  });
  after(async () => {
    await engine.close();
    rmSync(dataFolder, { recursive: true, force: true });
  });

  test('the same bytes each time, alone and beside others', async () => {
    const ask = () => engine.forecast(LONG, { checkpoints: { toto } });
    const alone = JSON.stringify(await ask());
    const beside = await Promise.all([ask(), ask(), ask()]);
    assert.deepEqual(
      beside.map((result) => JSON.stringify(result) === alone),
      [true, true, true],
    );
  });

  test('only with a checkpoint, and only with one that is here', async () => {
    await assert.rejects(engine.forecast(LONG), { code: 'INVALID_REQUEST', field: 'models' });
    await assert.rejects(engine.forecast(LONG, { checkpoints: { toto: 'none@000000000000-00000000' } }), {
      code: 'CHECKPOINT_UNAVAILABLE',
      message: /none@000000000000-00000000 of toto .* not installed/,
    });
  });

  test('an abort is answered at once, and the next forecast is not held up', async () => {
    for (const wait of [0, 1, 5, 20, 60]) {
      const controller = new AbortController();
      const aborted = engine.forecast(LONG, { checkpoints: { toto }, signal: controller.signal });
      await sleep(wait);
      controller.abort(new Error('enough'));
      await assert.rejects(aborted, /enough/);
    }
    const result = await engine.forecast({ ...LONG, horizon: 3 }, { checkpoints: { toto } });
    assert.equal(result.predictions.length, 3);
  });

  // Ending a thread within a run of onnxruntime would end this process.
  test('an engine closed in the middle of runs ends, and the process goes on', async () => {
    for (const wait of [0, 5, 15, 40]) {
      const short = await startEngine({ threads: 1, checkpoints: folders });
      const running = short.forecast(LONG, { checkpoints: { toto } });
      running.catch(() => undefined);
      await sleep(200 + wait);
      await short.close();
      await Promise.allSettled([running]);
    }
  });
});
