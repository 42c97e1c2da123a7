import { expectedTensors } from '../../../src/engine/models/toto/checkpoint/read-checkpoint.ts';
import { readConfig } from '../../../src/engine/models/toto/checkpoint/read-config.ts';
import { createRandom, type Random } from '../../../src/engine/numerics/random.ts';
import { type WrittenTensor, writeSafetensors } from './write-safetensors.ts';

export type ConfigJson = Readonly<Record<string, number | boolean | null>>;

/** The configuration of the smallest published model. */
export const CONFIG_4M: ConfigJson = {
  attn_bias: true,
  d_ff: 688,
  d_model: 256,
  dropout_p: 0,
  heads_per_group: 1,
  layer_group_size: 4,
  mlp_bias: false,
  norm_eps: 1e-4,
  norm_include_weight: false,
  num_groups: 4,
  num_heads: 4,
  num_layers: 4,
  num_output_patches: 1,
  num_variate_layers_per_group: 1,
  patch_size: 32,
  per_dim_scale: true,
  pre_norm: true,
  qk_dim: 64,
  qk_norm: false,
  qk_norm_include_weight: false,
  residual_attn_ratio: 5.136215466577748,
  residual_mult: 0.75,
  use_xpos: true,
  v_dim: 64,
  variate_layer_first: false,
};

/**
 * Returns the two files of a checkpoint with this configuration and random weights; the same seed gives the same files.
 */
export function randomCheckpoint(config: ConfigJson, seed: number): { config: Uint8Array; weights: Uint8Array } {
  const bytes = new TextEncoder().encode(JSON.stringify(config));
  return { config: bytes, weights: writeSafetensors(randomTensors(bytes, seed)) };
}

export function randomTensors(config: Uint8Array, seed: number): WrittenTensor[] {
  const random = createRandom(seed);
  return [...expectedTensors(readConfig(config))].map(([name, shape]) => {
    const count = shape.reduce((product, size) => product * size, 1);
    const values = Float32Array.from({ length: count }, () => draw(name, random));
    return { name, dtype: 'F32', shape, data: new Uint8Array(values.buffer) };
  });
}

/** Draws one weight: variance 1, a small positive number for a τ, near 1 for the weight of a norm. */
function draw(name: string, random: Random): number {
  if (name.endsWith('_tau')) return 0.1 + 0.5 * random.uniform();
  if (name.includes('norm')) return 0.7 + 0.6 * random.uniform();
  return Math.sqrt(12) * (random.uniform() - 0.5);
}
