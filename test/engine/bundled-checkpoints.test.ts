import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startOnnxSession } from '../../src/compute/toto/onnx-session.ts';
import { readCheckpoint } from '../../src/engine/models/toto/checkpoint/read-checkpoint.ts';
import { chooseScaling } from '../../src/engine/models/toto/scaling/scaling.ts';
import { startToto } from '../../src/engine/models/toto/toto.ts';
import { forecastGolden, type GoldenCase, largestDifference, pastOf } from '../support/engine/golden-cases.ts';

const BUNDLED = join(import.meta.dirname, '../../checkpoints');

const TOLERANCE = 1e-5;

for (const id of readdirSync(BUNDLED)) {
  test(`forecasts with ${id} what its training code forecasts`, async (t) => {
    const read = (name: string): Buffer => readFileSync(join(BUNDLED, id, name));
    const checkpoint = readCheckpoint({ config: read('config.json'), weights: read('model.safetensors') });
    const toto = await startToto(checkpoint, startOnnxSession);
    const file = join(import.meta.dirname, 'bundled-checkpoints', `${id}.json`);
    for (const golden of JSON.parse(readFileSync(file, 'utf8')) as GoldenCase[]) {
      // The service forecasts a constant past without the network.
      if (new Set(golden.history).size === 1 && golden.history.length > 1) continue;
      const { patchSize } = checkpoint.config;
      const row = chooseScaling(checkpoint.config).cutContext(pastOf(golden), patchSize);
      const worst = largestDifference(await forecastGolden(toto, row, golden.horizon), golden);
      t.diagnostic(`${golden.name}: at most ${worst.toExponential(1)} of the spread off`);
      assert.ok(worst <= TOLERANCE, `${golden.name}: ${worst} of the spread off`);
    }
  });
}
