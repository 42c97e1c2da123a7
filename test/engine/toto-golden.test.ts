import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { startOnnxSession } from '../../src/compute/toto/onnx-session.ts';
import { readCheckpoint } from '../../src/engine/models/toto/checkpoint/read-checkpoint.ts';
import { startToto, type Toto } from '../../src/engine/models/toto/toto.ts';

interface GoldenCase {
  readonly name: string;
  readonly horizon: number;
  readonly decode_block_size: number;
  readonly scaler_fallback_min_obs: number;
  readonly quantile_real_cap_k: number;
  readonly series_ids: number[][];
  readonly target: number[][][];
  readonly mask: number[][][];
  /** By quantile, set, series and step. */
  readonly quantiles_q_b_n_h: number[][][][];
}

const read = (name: string): Buffer => readFileSync(join(import.meta.dirname, './toto-golden', name));
const cases = JSON.parse(read('cases.json').toString()) as GoldenCase[];
const checkpoint = readCheckpoint({ config: read('config.json'), weights: read('model.safetensors') });

let toto: Toto;
before(async () => {
  toto = await startToto(checkpoint, startOnnxSession);
});

/** As a share of the distance between the largest and the smallest observed value. */
const TOLERANCE = 1e-5;

for (const golden of cases) {
  test(`agrees with the original: ${golden.name}`, async (t) => {
    const { target, mask } = golden;
    const knots = await toto.forecast({
      target,
      mask,
      seriesIds: golden.series_ids,
      horizon: golden.horizon,
      decodeBlockSize: golden.decode_block_size,
      scalerFallbackMinObs: golden.scaler_fallback_min_obs,
      quantileRealCapK: golden.quantile_real_cap_k,
    });
    assert.equal(knots.length, target.length);
    let worst = 0;
    knots.forEach((set, b) => {
      assert.equal(set.length, target[b]?.length);
      set.forEach((steps, n) => {
        assert.equal(steps.length, golden.horizon);
        const observed = target[b]?.[n]?.filter((_, i) => mask[b]?.[n]?.[i] === 1) ?? [];
        const spread = Math.max(...observed) - Math.min(...observed);
        steps.forEach((step, h) => {
          assert.equal(step.length, 9);
          step.forEach((value, q) => {
            const expected = golden.quantiles_q_b_n_h[q]?.[b]?.[n]?.[h] as number;
            worst = Math.max(worst, Math.abs(value - expected) / spread);
          });
        });
      });
    });
    t.diagnostic(`at most ${worst.toExponential(1)} of the spread off`);
    assert.ok(worst <= TOLERANCE, `${worst} of the spread off`);
  });
}
