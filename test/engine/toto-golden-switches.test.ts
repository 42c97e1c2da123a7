import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { startOnnxSession } from '../../src/compute/toto/onnx-session.ts';
import { readCheckpoint } from '../../src/engine/models/toto/checkpoint/read-checkpoint.ts';
import { padContext } from '../../src/engine/models/toto/scaling/patched-row.ts';
import { chooseNearbyUnits } from '../../src/engine/models/toto/scaling/units.ts';
import { startToto, type Toto } from '../../src/engine/models/toto/toto.ts';
import { hourlySeries } from '../support/snapshots/series.ts';

interface GoldenCase {
  readonly name: string;
  readonly horizon: number;
  /** Null where a value is missing. */
  readonly history: (number | null)[];
  readonly statistics: { readonly unit: number };
  /** By step. */
  readonly knots: number[][];
}

const read = (name: string): Buffer => readFileSync(join(import.meta.dirname, './toto-golden-switches', name));
const cases = JSON.parse(read('cases.json').toString()) as GoldenCase[];
const checkpoint = readCheckpoint({ config: read('config.json'), weights: read('model.safetensors') });
const KNOTS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

let toto: Toto;
before(async () => {
  toto = await startToto(checkpoint, startOnnxSession);
});

/** As a share of the spread of the values, or of the unit of the forecast where there is none. */
const TOLERANCE = 1e-5;

function worstOf(steps: readonly Float64Array[], golden: GoldenCase): number {
  const observed = golden.history.filter((value) => value !== null);
  const spread = Math.max(...observed) - Math.min(...observed) || golden.statistics.unit;
  assert.equal(steps.length, golden.horizon);
  const distances = steps.flatMap((step, h) =>
    KNOTS.map((_, q) => Math.abs((step[q] as number) - (golden.knots[h]?.[q] as number)) / spread),
  );
  return Math.max(...distances);
}

for (const golden of cases) {
  const past = Float64Array.from(golden.history, (value) => value ?? Number.NaN);
  const row = padContext(past, checkpoint.config.patchSize);

  test(`agrees with the definition of both switches: ${golden.name}`, async (t) => {
    const [[steps] = []] = await toto.forecast({
      target: [[row.values]],
      mask: [[row.observed]],
      seriesIds: [[0]],
      horizon: golden.horizon,
      decodeBlockSize: 0,
      scalerFallbackMinObs: 8,
      quantileRealCapK: 1e-3,
    });
    const worst = worstOf(steps ?? [], golden);
    t.diagnostic(`at most ${worst.toExponential(1)} of the spread off`);
    assert.ok(worst <= TOLERANCE, `${worst} of the spread off`);
  });

  // Windows with a constant past need no network, and a level that is too high is shifted.
  if (chooseNearbyUnits(row)?.level !== 0) continue;
  test(`forecasts a window with both switches as defined: ${golden.name}`, async (t) => {
    const series = hourlySeries(past);
    const windows = [{ length: past.length, horizon: golden.horizon }];
    const [outcome] = await toto.forecastWindows({ series, windows, quantiles: KNOTS });
    assert.ok(outcome !== undefined && 'rows' in outcome);
    const worst = worstOf(outcome.rows, golden);
    t.diagnostic(`at most ${worst.toExponential(1)} of the spread off`);
    assert.ok(worst <= TOLERANCE, `${worst} of the spread off`);
  });
}
