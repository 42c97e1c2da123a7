import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { installFiles, installGolden } from '../../../test/support/compute/golden-checkpoint.ts';
import { CONFIG_4M, randomCheckpoint } from '../../../test/support/engine/random-checkpoint.ts';
import { DAY_MS } from '../../calendar/index.ts';
import type { ForecastError, ForecastRequest } from '../../engine/index.ts';
import { checkpointFolders, type Engine, startEngine } from '../index.ts';

/** The longest context, so that the runtime runs often. */
const LONG: ForecastRequest = {
  cadence: { frequency: '1D', kind: 'plain' },
  timestamps: Array.from({ length: 5_000 }, (_, i) => i * DAY_MS),
  values: Array.from({ length: 5_000 }, (_, i) => 100 + 10 * Math.sin(i / 7) + (i % 13)),
  horizon: 365,
  models: ['toto'],
};

const replaceByPipe = (file: string): void => {
  rmSync(file);
  execFileSync('mkfifo', [file]);
};

/** A way to damage the files, the reason that the caller gets, and the detail for the log. */
const DAMAGES: readonly [string, (folder: string) => void, string, RegExp][] = [
  [
    'a pipe as config',
    (folder) => replaceByPipe(join(folder, 'config.json')),
    'it is not here, or its files cannot be read',
    /^\/.*config\.json cannot be read: it is not a plain file\.$/,
  ],
  [
    'no weights',
    (folder) => rmSync(join(folder, 'model.safetensors')),
    'it is not here, or its files cannot be read',
    /^\/.*model\.safetensors cannot be read: ENOENT/,
  ],
  [
    'other weights',
    (folder) => writeFileSync(join(folder, 'model.safetensors'), 'nothing'),
    'its files are not what its manifest says',
    /has 7 bytes/,
  ],
];

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

  test('computes the same bytes each time, alone and beside other forecasts', async () => {
    const run = () => engine.forecast(LONG, { checkpoints: { toto } });
    const alone = JSON.stringify(await run());
    const beside = await Promise.all([run(), run(), run()]);
    assert.deepEqual(
      beside.map((result) => JSON.stringify(result) === alone),
      [true, true, true],
    );
  });

  test('needs a checkpoint that is installed', async () => {
    await assert.rejects(engine.forecast(LONG), { code: 'INVALID_REQUEST', field: 'models' });
    await assert.rejects(engine.forecast(LONG, { checkpoints: { toto: 'none@000000000000-00000000' } }), {
      code: 'CHECKPOINT_UNAVAILABLE',
      message: /none@000000000000-00000000 of toto .* not here/,
    });
  });

  test('refuses unreadable or changed files without naming their paths, and runs the next forecast', async () => {
    for (const [name, damage, reason, detail] of DAMAGES) {
      // Each has its own id: the thread could still load the files of a shared id before they are damaged.
      const id = installGolden(dataFolder, name.replaceAll(' ', '-'));
      const folder = join(folders.installed, id);
      damage(folder);
      await assert.rejects(engine.forecast(LONG, { checkpoints: { toto: id } }), (error: ForecastError) => {
        assert.equal(error.code, 'CHECKPOINT_UNAVAILABLE', name);
        assert.equal(error.message, `The checkpoint ${id} of toto cannot be used: ${reason}.`, name);
        assert.match(String(error.cause), detail, name);
        return true;
      });
      rmSync(folder, { recursive: true });
    }
    const result = await engine.forecast({ ...LONG, horizon: 3 }, { checkpoints: { toto } });
    assert.equal(result.predictions.length, 3);
  });

  test('rejects an aborted forecast immediately, and runs the next one', async () => {
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

  // Terminating a thread within a run of onnxruntime would end this process.
  test('closes an engine in the middle of a run without ending the process', async () => {
    // A network so wide that the thread spends nearly all of its time in runs.
    const config = { ...CONFIG_4M, d_model: 128, d_ff: 344, num_heads: 2, num_groups: 2 };
    const wide = installFiles(dataFolder, randomCheckpoint(config, 1), 'wide');
    const short = await startEngine({ threads: 1, checkpoints: folders });
    // The thread runs them one after another: when the first has ended, it runs the next one.
    const [first, ...others] = Array.from({ length: 4 }, () => short.forecast(LONG, { checkpoints: { toto: wide } }));
    const rejected = Promise.all(others.map((forecast) => assert.rejects(forecast, /closed/)));
    await first;
    await short.close();
    assert.equal(short.isOpen(), false);
    await rejected;
  });
});
