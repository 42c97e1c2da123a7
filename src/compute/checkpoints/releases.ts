import type { CheckpointModel } from './checkpoint.ts';
import type { ConfigValues } from './config-values.ts';

/** Published weights that we know: whoever serves them, they are these bytes with this config under this licence. */
export interface Release {
  readonly model: CheckpointModel;
  readonly name: string;
  /** The folder of its files. */
  readonly url: string;
  readonly sha256: string;
  readonly size: number;
  readonly licence: string;
  /** Every field, since one more could mean another model. */
  readonly config: ConfigValues;
}

/** Datadog's Toto 2.0 with 4 million parameters, at one revision: a branch may move, a revision does not. */
export const TOTO_2_4M: Release = {
  model: 'toto',
  name: 'toto-2.0-4m',
  url: 'https://huggingface.co/Datadog/Toto-2.0-4m/resolve/8306a9801cf98c0f5ffe4b2dcc8f496e616d84d9/',
  sha256: '316660d5afb47943e531f39242e0b02ca0b8bb73be5709dfe07ca80dfce9805e',
  size: 16_582_848,
  licence: 'Apache-2.0',
  config: {
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
  },
};

/** What `pull` takes when only the model is named. */
export const DEFAULT_RELEASES: Readonly<Record<CheckpointModel, Release>> = { toto: TOTO_2_4M };

/** A known release by its weights. */
export function findRelease(sha256: string): Release | undefined {
  return Object.values(DEFAULT_RELEASES).find((release) => release.sha256 === sha256);
}
