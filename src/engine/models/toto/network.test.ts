import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ConfigJson, randomCheckpoint } from '../../../../test/support/engine/random-checkpoint.ts';
import { type ReferenceRequest, referenceForecast } from '../../../../test/support/engine/reference-forecast.ts';
import { ReferenceNetwork } from '../../../../test/support/engine/reference-network.ts';
import { startOnnxSession } from '../../../compute/toto/onnx-session.ts';
import { createRandom } from '../../numerics/random.ts';
import { readCheckpoint } from './checkpoint/read-checkpoint.ts';
import { startToto } from './toto.ts';

/** Every field that the reference network reads, with small sizes because it uses plain loops. */
const BASE = {
  attn_bias: true,
  d_ff: 24,
  d_model: 16,
  layer_group_size: 3,
  mlp_bias: false,
  norm_eps: 1e-4,
  norm_include_weight: false,
  num_groups: 2,
  num_heads: 2,
  num_layers: 3,
  num_variate_layers_per_group: 1,
  patch_size: 8,
  per_dim_scale: true,
  qk_dim: 8,
  qk_norm: false,
  qk_norm_include_weight: false,
  use_xpos: true,
  v_dim: 8,
  variate_layer_first: false,
  almanac_extra_statistics: false,
  almanac_anchored_output: false,
} satisfies ConfigJson;

const VARIANTS: Record<string, Partial<Record<keyof typeof BASE, number | boolean>>> = {
  'the published shape': {},
  'groups of heads': { num_heads: 4, num_groups: 2, qk_dim: 4 },
  'one group for all heads': { num_heads: 4, num_groups: 1 },
  'no xPos': { use_xpos: false },
  'no layers over variates': { num_variate_layers_per_group: 0 },
  'only layers over variates': { num_variate_layers_per_group: 3, qk_dim: 6 },
  'layers over variates first': { variate_layer_first: true },
  'several groups of layers': { num_layers: 4, layer_group_size: 2 },
  'a norm of queries and keys': { qk_norm: true },
  'a norm of queries and keys with weights': { qk_norm: true, qk_norm_include_weight: true, num_groups: 1 },
  'norms with weights': { norm_include_weight: true },
  'no scale of dimensions': { per_dim_scale: false },
  'biases in the feed-forward layers only': { attn_bias: false, mlp_bias: true },
  'values narrower than queries': { qk_dim: 12, v_dim: 4 },
  'values wider than queries': { qk_dim: 4, v_dim: 12 },
  'long patches': { patch_size: 16 },
  'patches shorter than the fallback of the scaler': { patch_size: 4 },
  'extra statistics': { almanac_extra_statistics: true },
  'extra statistics in short patches': { almanac_extra_statistics: true, patch_size: 4 },
  'anchored output': { almanac_anchored_output: true },
  'extra statistics and anchored output': { almanac_extra_statistics: true, almanac_anchored_output: true },
};

/** Returns noise around a level; the first `padding` values and a tenth of the others are not observed. */
function noisyRow(seed: number, length: number, padding: number): { values: number[]; mask: number[] } {
  const random = createRandom(seed);
  const values = Array.from({ length }, (_, i) => 50 + seed + 3 * Math.sin(i / 5) + 4 * random.uniform());
  const mask = values.map((_, i) => (i >= padding && random.uniform() < 0.9 ? 1 : 0));
  return { values, mask };
}

function requestsFor(p: number): Record<string, ReferenceRequest> {
  const rows = [noisyRow(1, 6 * p, 0), noisyRow(2, 6 * p, 2 * p + 3), noisyRow(3, 6 * p, 4 * p)];
  // The first row ends early, inside a patch, and has a gap of whole patches.
  const endingEarly = rows.map(({ mask }, r) =>
    mask.map((isObserved, i) => (r === 0 && (i > 4.5 * p || (i >= p && i < 3 * p)) ? 0 : isObserved)),
  );
  const request = (count: number, horizon: number, decodeBlockSize: number): ReferenceRequest => ({
    target: rows.slice(-count).map(({ values }) => values),
    mask: rows.slice(-count).map(({ mask }) => mask),
    seriesIds: [0, 0, 1].slice(-count),
    horizon,
    decodeBlockSize,
    scalerFallbackMinObs: 8,
    quantileRealCapK: 1e4,
  });
  return {
    'one series, one patch': request(1, p - 1, 0),
    'three series, two of them jointly': request(3, 2 * p + 1, 0),
    // The remainder after blocks of three is odd: centers of calls differ, and so do the groups of later calls.
    'three series in blocks': request(3, 8 * p, 3 * p),
    'three series, one of which ends early': { ...request(3, 5 * p, 2 * p), mask: endingEarly },
  };
}

for (const [name, variant] of Object.entries(VARIANTS)) {
  test(`the graph agrees with the reference network: ${name}`, async () => {
    const config: ConfigJson = { ...BASE, ...variant };
    const checkpoint = readCheckpoint(randomCheckpoint(config, 7));
    const toto = await startToto(checkpoint, startOnnxSession);
    const reference = new ReferenceNetwork(config, checkpoint.tensors);
    const patchSize = config.patch_size as number;
    for (const [what, request] of Object.entries(requestsFor(patchSize))) {
      const expected = referenceForecast(reference, request, patchSize, {
        extra: config.almanac_extra_statistics === true,
        anchored: config.almanac_anchored_output === true,
      });
      const { target, mask, seriesIds, ...rest } = request;
      const [knots] = await toto.forecast({ target: [target], mask: [mask], seriesIds: [seriesIds], ...rest });
      assert.equal(knots?.length, expected.length);
      knots?.forEach((steps, n) => {
        const spread = Math.max(...(target[n] ?? [])) - Math.min(...(target[n] ?? []));
        assert.equal(steps.length, request.horizon);
        steps.forEach((step, h) => {
          step.forEach((value, q) => {
            const distance = Math.abs(value - (expected[n]?.[h]?.[q] as number)) / spread;
            assert.ok(distance < 1e-5, `${what}: ${distance} of the spread off at step ${h + 1} of series ${n}`);
          });
        });
      });
    }
  });
}

test('keeps sets of series separate within one run', async () => {
  const toto = await startToto(readCheckpoint(randomCheckpoint(BASE, 7)), startOnnxSession);
  const { target, mask, seriesIds, ...rest } = requestsFor(8)['three series in blocks'] as ReferenceRequest;
  const other = target.map((row) => row.map((value) => 1e6 - value * 1000));
  const alone = await toto.forecast({ target: [target], mask: [mask], seriesIds: [seriesIds], ...rest });
  const ids = [seriesIds, seriesIds, seriesIds];
  const both = await toto.forecast({
    target: [other, target, other],
    mask: [mask, mask, mask],
    seriesIds: ids,
    ...rest,
  });
  alone[0]?.forEach((steps, n) => {
    steps.forEach((step, h) => {
      step.forEach((value, q) => {
        assert.ok(Math.abs(value - (both[1]?.[n]?.[h]?.[q] as number)) < 1e-4, `${value}`);
      });
    });
  });
});

test('refuses targets that are not whole patches', async () => {
  const toto = await startToto(readCheckpoint(randomCheckpoint(BASE, 7)), startOnnxSession);
  const options = { horizon: 1, decodeBlockSize: 0, scalerFallbackMinObs: 0, quantileRealCapK: 0 };
  const requestOf = (length: number, masked: number) => ({
    target: [[new Float64Array(length)]],
    mask: [[new Uint8Array(masked)]],
    seriesIds: [[0]],
    ...options,
  });
  await assert.rejects(toto.forecast(requestOf(9, 9)), RangeError);
  await assert.rejects(toto.forecast(requestOf(0, 0)), RangeError);
  await assert.rejects(toto.forecast(requestOf(8, 16)), RangeError);
  await assert.rejects(toto.forecast({ ...requestOf(8, 8), decodeBlockSize: 9 }), RangeError);
});
