import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { installGolden } from '../../../test/support/compute/golden-checkpoint.ts';
import { DAY_MS } from '../../calendar/index.ts';
import type { ForecastError, ForecastRequest } from '../../engine/index.ts';
import { checkpointFolders, type Engine, startEngine } from '../index.ts';

/** The longest context, so that there are many runs. */
const LONG: ForecastRequest = {
  cadence: { frequency: '1D', kind: 'plain' },
  timestamps: Array.from({ length: 5_000 }, (_, i) => i * DAY_MS),
  values: Array.from({ length: 5_000 }, (_, i) => 100 + 10 * Math.sin(i / 7) + (i % 13)),
  horizon: 365,
  models: ['toto'],
};

const pipeAt = (file: string): void => {
  rmSync(file);
  execFileSync('mkfifo', [file]);
};

/** What is wrong with the files, what the caller is told, and what the log is. */
const SPOILT: readonly [string, (folder: string) => void, string, RegExp][] = [
  [
    'a pipe as config',
    (folder) => pipeAt(join(folder, 'config.json')),
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
      message: /none@000000000000-00000000 of toto .* not here/,
    });
  });

  test('files that cannot be read or used are refused without their paths, and the next forecast runs', async () => {
    for (const [name, spoil, reason, detail] of SPOILT) {
      // Each under an id of its own: what is left of the forecast before could still load the next one while it is whole.
      const id = installGolden(dataFolder, name.replaceAll(' ', '-'));
      const folder = join(folders.installed, id);
      spoil(folder);
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
