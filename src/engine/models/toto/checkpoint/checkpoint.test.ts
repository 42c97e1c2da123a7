import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ConfigJson, randomTensors } from '../../../../../test/support/engine/random-checkpoint.ts';
import {
  joinSafetensors,
  type WrittenTensor,
  writeSafetensors,
} from '../../../../../test/support/engine/write-safetensors.ts';
import { createRandom } from '../../../numerics/random.ts';
import { buildGraph } from '../graph/build-graph.ts';
import { CheckpointError, type CheckpointErrorCode } from './checkpoint-error.ts';
import { readCheckpoint } from './read-checkpoint.ts';

const SMALL: ConfigJson = {
  patch_size: 8,
  d_model: 16,
  num_heads: 2,
  num_layers: 2,
  layer_group_size: 2,
  num_variate_layers_per_group: 1,
  variate_layer_first: false,
};
/** Damaged files; a long run sets more. */
const MUTATIONS = Number(process.env.ALMANAC_CHECKPOINT_MUTATIONS ?? 600);

const bytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const config = bytes(SMALL);
const tensors = randomTensors(config, 1);
const weights = writeSafetensors(tensors);

function assertFault(
  files: { config?: Uint8Array; weights?: Uint8Array },
  code: CheckpointErrorCode,
  names: RegExp,
): void {
  assert.throws(
    () => readCheckpoint({ config, weights, ...files }),
    (error) => {
      assert.ok(error instanceof CheckpointError, String(error));
      assert.equal(error.code, code, error.message);
      assert.match(error.message, names);
      assert.ok(error.message.length < 500);
      return true;
    },
  );
}

/** Returns the weights with one tensor changed. */
function withTensor(name: string, change: Partial<WrittenTensor>): Uint8Array {
  assert.ok(tensors.some((tensor) => tensor.name === name));
  return writeSafetensors(tensors.map((tensor) => (tensor.name === name ? { ...tensor, ...change } : tensor)));
}

test('uses the defaults of the original implementation for missing or null fields, and ignores unknown ones', () => {
  const sparse = { ...SMALL, num_groups: null, d_ff: null, made_up: 3 };
  const read = readCheckpoint({ config: bytes(sparse), weights }).config;
  assert.equal(read.groups, 2);
  assert.equal(read.queryDim, 8);
  assert.equal(read.valueDim, 8);
  assert.equal(read.feedForwardDim, 48);
  assert.equal(read.normEpsilon, 5e-5);
  assert.deepEqual(read.isVariateLayer, [false, true]);
  assert.ok(read.hasQueryNorm && !read.hasQueryNormWeight && !read.hasNormWeight);
  assert.ok(!read.hasExtraStatistics && !read.hasAnchoredOutput && read.tokenWidth === 16);
  assert.ok(!read.hasXpos && !read.hasPerDimScale && !read.hasAttentionBias && !read.hasFeedForwardBias);
});

test('reads aligned and unaligned tensors', () => {
  const { tensors: read } = readCheckpoint({ config, weights });
  const shifted = new Uint8Array(weights.length + 1);
  shifted.set(weights, 1);
  const { tensors: unaligned } = readCheckpoint({ config, weights: shifted.subarray(1) });
  for (const { name, data } of tensors) {
    const values = new Float32Array(data.buffer);
    assert.deepEqual(read.get(name), values);
    assert.deepEqual(unaligned.get(name), values);
  }
});

test('reads half precision exactly', () => {
  const name = 'patch_proj.linear2.bias';
  const halves = [0x3c00, 0xc000, 0x0001, 0x7bff, 0x8000, 0x3555, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  const f16 = withTensor(name, { dtype: 'F16', data: new Uint8Array(Uint16Array.from(halves).buffer) });
  const values = readCheckpoint({ config, weights: f16 }).tensors.get(name);
  assert.deepEqual([...(values ?? [])].slice(0, 6), [1, -2, 2 ** -24, 65504, -0, 0.333251953125]);
  const brains = [0x3f80, 0xc000, 0x3eab, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  const bf16 = withTensor(name, { dtype: 'BF16', data: new Uint8Array(Uint16Array.from(brains).buffer) });
  const brain = readCheckpoint({ config, weights: bf16 }).tensors.get(name);
  assert.deepEqual([...(brain ?? [])].slice(0, 3), [1, -2, 0.333984375]);
  halves[3] = 0x7c00;
  const infinite = withTensor(name, { dtype: 'F16', data: new Uint8Array(Uint16Array.from(halves).buffer) });
  assertFault({ weights: infinite }, 'TENSOR_NOT_FINITE', /Value 3 .*patch_proj\.linear2\.bias/);
});

test('names the wrong field of a configuration', () => {
  const faults: [ConfigJson | Record<string, unknown>, CheckpointErrorCode, RegExp][] = [
    [{ patch_size: 0 }, 'CONFIG_INVALID', /patch_size/],
    [{ patch_size: 1e9 }, 'CONFIG_INVALID', /patch_size/],
    [{ d_model: 2 ** 40 }, 'CONFIG_INVALID', /d_model/],
    [{ d_model: 16.5 }, 'CONFIG_INVALID', /d_model/],
    [{ d_model: '16' }, 'CONFIG_INVALID', /d_model/],
    [{ d_model: 15 }, 'CONFIG_INVALID', /d_model .*num_heads/],
    [{ num_heads: 1e6 }, 'CONFIG_INVALID', /num_heads/],
    [{ num_heads: 4, num_groups: 3 }, 'CONFIG_INVALID', /num_groups/],
    [{ num_layers: null }, 'CONFIG_INVALID', /num_layers .*missing/],
    [{ num_layers: 3 }, 'CONFIG_INVALID', /layer_group_size/],
    [{ num_layers: 1e8, layer_group_size: 1 }, 'CONFIG_INVALID', /num_layers/],
    [{ num_variate_layers_per_group: 3 }, 'CONFIG_INVALID', /num_variate_layers_per_group/],
    [{ variate_layer_first: 1 }, 'CONFIG_INVALID', /variate_layer_first/],
    [{ qk_dim: 6 }, 'CONFIG_INVALID', /qk_dim/],
    [{ v_dim: 1e7 }, 'CONFIG_INVALID', /v_dim/],
    [{ d_ff: -8 }, 'CONFIG_INVALID', /d_ff/],
    [{ norm_eps: 0 }, 'CONFIG_INVALID', /norm_eps/],
    [{ use_xpos: 'yes' }, 'CONFIG_INVALID', /use_xpos/],
    [{ almanac_extra_statistics: 1 }, 'CONFIG_INVALID', /almanac_extra_statistics/],
    [{ almanac_anchored_output: 'yes' }, 'CONFIG_INVALID', /almanac_anchored_output/],
    [{ almanac_extra_statistics: true }, 'TENSOR_MISSHAPED', /patch_proj\.linear1\.weight.*\[64,19\]/],
    [{ num_output_patches: 2 }, 'CONFIG_UNSUPPORTED', /num_output_patches/],
    [{ pre_norm: false }, 'CONFIG_UNSUPPORTED', /pre_norm/],
  ];
  for (const [change, code, names] of faults) assertFault({ config: bytes({ ...SMALL, ...change }) }, code, names);
  assertFault({ config: bytes([SMALL]) }, 'CONFIG_INVALID', /config\.json/);
  assertFault({ config: new TextEncoder().encode('{"d_model": 16') }, 'CONFIG_INVALID', /config\.json/);
  assertFault({ config: Uint8Array.of(0xff, 0xfe) }, 'CONFIG_INVALID', /config\.json/);
  assertFault({ config: new Uint8Array(70_000) }, 'TOO_LARGE', /config\.json/);
});

test('names the fault in an inconsistent weights file', () => {
  assertFault({ weights: new Uint8Array(0) }, 'HEADER_INVALID', /length of its header/);
  assertFault({ weights: new Uint8Array(7) }, 'HEADER_INVALID', /length of its header/);
  for (const length of [0n, 1n, BigInt(weights.length), 2n ** 63n, 2n ** 64n - 1n]) {
    const file = weights.slice();
    new DataView(file.buffer).setBigUint64(0, length, true);
    assertFault({ weights: file }, 'HEADER_INVALID', /header/);
  }
  assertFault({ weights: weights.subarray(0, weights.length - 1) }, 'OFFSETS_INVALID', /offsets/);
  assertFault({ weights: weights.subarray(0, 100) }, 'HEADER_INVALID', /header/);
  const longer = new Uint8Array(weights.length + 4);
  longer.set(weights);
  assertFault({ weights: longer }, 'OFFSETS_INVALID', /last 4 bytes/);
  const deep = `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
  assertFault({ weights: joinSafetensors(deep, []) }, 'HEADER_INVALID', /"a"/);
  const long = JSON.stringify({ ['x'.repeat(900_000)]: 1 });
  assertFault({ weights: joinSafetensors(long, []) }, 'HEADER_INVALID', /xxx…/);
});

test('names the tensor whose entry is wrong', () => {
  const data = [new Uint8Array(64)];
  const entry = (change: Record<string, unknown>) => ({ dtype: 'F32', shape: [8], data_offsets: [0, 32], ...change });
  const file = (header: unknown): Uint8Array => joinSafetensors(JSON.stringify(header), data);
  const faults: [Record<string, unknown>, CheckpointErrorCode][] = [
    [{ dtype: 'F64' }, 'DTYPE_UNSUPPORTED'],
    [{ dtype: 'I32' }, 'DTYPE_UNSUPPORTED'],
    [{ dtype: 'toString' }, 'DTYPE_UNSUPPORTED'],
    [{ dtype: 7 }, 'HEADER_INVALID'],
    [{ shape: [-8] }, 'HEADER_INVALID'],
    [{ shape: 'wide' }, 'HEADER_INVALID'],
    [{ shape: Array(9).fill(1) }, 'HEADER_INVALID'],
    [{ shape: [2 ** 50, 2 ** 50] }, 'OFFSETS_INVALID'],
    [{ shape: [9] }, 'OFFSETS_INVALID'],
    [{ data_offsets: [0] }, 'HEADER_INVALID'],
    [{ data_offsets: [0, 31.5] }, 'HEADER_INVALID'],
    [{ data_offsets: [32, 0] }, 'OFFSETS_INVALID'],
    [{ data_offsets: [64, 96] }, 'OFFSETS_INVALID'],
    [{ data_offsets: [0, 2 ** 52] }, 'OFFSETS_INVALID'],
  ];
  for (const [change, code] of faults) assertFault({ weights: file({ one: entry(change) }) }, code, /"one"/);
  assertFault({ weights: file({ one: 3 }) }, 'HEADER_INVALID', /"one"/);
  const overlapping = { one: entry({}), two: entry({ data_offsets: [16, 48] }) };
  assertFault({ weights: file(overlapping) }, 'OFFSETS_INVALID', /"two".*overlap/);
  const holed = { one: entry({}), two: entry({ shape: [4], data_offsets: [48, 64] }) };
  assertFault({ weights: file(holed) }, 'OFFSETS_INVALID', /"two".*hole/);
  const text = JSON.stringify(entry({}));
  const twice = `{"one":${text}, "tw\\u006f" : ${text},"two":${text}}`;
  assertFault({ weights: joinSafetensors(twice, data) }, 'TENSOR_DUPLICATE', /"two"/);
});

test('refuses tensors that do not match the configuration', () => {
  const name = 'transformer.layers.1.attn_tau';
  const others = tensors.filter((tensor) => tensor.name !== name);
  assertFault({ weights: writeSafetensors(others) }, 'TENSOR_MISSING', /transformer\.layers\.1\.attn_tau/);
  const more = { name: 'odd', dtype: 'F32', shape: [1], data: new Uint8Array(4) };
  assertFault({ weights: writeSafetensors([...tensors, more]) }, 'TENSOR_SURPLUS', /"odd"/);
  assertFault({ weights: withTensor(name, { shape: [1] }) }, 'TENSOR_MISSHAPED', /attn_tau" has the shape \[1\]/);
  assertFault({ config: bytes({ ...SMALL, attn_bias: true }) }, 'TENSOR_MISSING', /in_proj\.bias/);
  for (const value of [Number.NaN, Number.NEGATIVE_INFINITY]) {
    const bad = withTensor(name, { data: new Uint8Array(Float32Array.of(value).buffer) });
    assertFault({ weights: bad }, 'TENSOR_NOT_FINITE', /attn_tau/);
  }
  const huge = withTensor(name, { data: new Uint8Array(Float32Array.of(1e30).buffer) });
  assert.throws(() => buildGraph(readCheckpoint({ config, weights: huge })), { code: 'TENSOR_OUT_OF_RANGE' });
});

test('reads files with random changes or refuses them with a named fault', (t) => {
  const random = createRandom(5);
  const below = (n: number): number => Math.floor(random.uniform() * n);
  const headerEnd = 8 + Number(new DataView(weights.buffer).getBigUint64(0, true));
  const codes: Record<string, number> = {};
  for (let i = 0; i < MUTATIONS; i++) {
    const files = {
      config: config.slice(),
      weights: weights.slice(0, i % 10 === 0 ? below(weights.length) : undefined),
    };
    const part = i % 3 === 0 ? files.config : files.weights;
    const end = i % 3 === 1 ? Math.min(headerEnd, part.length) : part.length;
    for (let flips = 1 + below(3); flips > 0 && end > 0; flips--) part[below(end)] = below(256);
    try {
      buildGraph(readCheckpoint(files));
      codes.read = (codes.read ?? 0) + 1;
    } catch (error) {
      assert.ok(error instanceof CheckpointError, error instanceof Error ? error.stack : String(error));
      codes[error.code] = (codes[error.code] ?? 0) + 1;
    }
  }
  t.diagnostic(JSON.stringify(codes));
});
