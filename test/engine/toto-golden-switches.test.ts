import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { startOnnxSession } from '../../src/compute/toto/onnx-session.ts';
import { readCheckpoint } from '../../src/engine/models/toto/checkpoint/read-checkpoint.ts';
import { padContext } from '../../src/engine/models/toto/scaling/patched-row.ts';
import { chooseNearbyUnits } from '../../src/engine/models/toto/scaling/units.ts';
import { startToto, type Toto } from '../../src/engine/models/toto/toto.ts';
import {
  forecastGolden,
  GOLDEN_KNOTS,
  type GoldenCase,
  largestDifference,
  pastOf,
} from '../support/engine/golden-cases.ts';
import { hourlySeries } from '../support/snapshots/series.ts';

const read = (name: string): Buffer => readFileSync(join(import.meta.dirname, './toto-golden-switches', name));
const cases = JSON.parse(read('cases.json').toString()) as GoldenCase[];
const checkpoint = readCheckpoint({ config: read('config.json'), weights: read('model.safetensors') });

let toto: Toto;
before(async () => {
  toto = await startToto(checkpoint, startOnnxSession);
});

const TOLERANCE = 1e-5;

for (const golden of cases) {
  const past = pastOf(golden);
  const row = padContext(past, checkpoint.config.patchSize);

  test(`agrees with the definition of both switches: ${golden.name}`, async (t) => {
    const worst = largestDifference(await forecastGolden(toto, row, golden.horizon), golden);
    t.diagnostic(`at most ${worst.toExponential(1)} of the spread off`);
    assert.ok(worst <= TOLERANCE, `${worst} of the spread off`);
  });

  // Windows with a constant past need no network, and a level that is too high is shifted.
  if (chooseNearbyUnits(row)?.level !== 0) continue;
  test(`forecasts a window with both switches as defined: ${golden.name}`, async (t) => {
    const series = hourlySeries(past);
    const windows = [{ length: past.length, horizon: golden.horizon }];
    const [outcome] = await toto.forecastWindows({ series, windows, quantiles: GOLDEN_KNOTS });
    assert.ok(outcome !== undefined && 'rows' in outcome);
    const worst = largestDifference(outcome.rows, golden);
    t.diagnostic(`at most ${worst.toExponential(1)} of the spread off`);
    assert.ok(worst <= TOLERANCE, `${worst} of the spread off`);
  });
}
