import { CheckpointError } from './checkpoint-error.ts';
import { ConfigFields } from './config-fields.ts';
import { parseJsonObject } from './parse-json-object.ts';

/** The shape of a network. */
export interface TotoConfig {
  /** How many periods one token stands for. */
  readonly patchSize: number;
  /** How many numbers one token has. */
  readonly tokenWidth: number;
  readonly modelDim: number;
  readonly feedForwardDim: number;
  readonly heads: number;
  /** Sets of keys and values: each serves `heads / groups` heads. */
  readonly groups: number;
  readonly queryDim: number;
  readonly valueDim: number;
  /** For each layer whether it attends to the other series at one time, rather than to the past of one series. */
  readonly isVariateLayer: readonly boolean[];
  readonly normEpsilon: number;
  readonly hasXpos: boolean;
  readonly hasPerDimScale: boolean;
  readonly hasQueryNorm: boolean;
  readonly hasQueryNormWeight: boolean;
  readonly hasNormWeight: boolean;
  readonly hasAttentionBias: boolean;
  readonly hasFeedForwardBias: boolean;
  /** Tokens also say where the series stands, how smooth it is and how much of it was seen. No released model does. */
  readonly hasExtraStatistics: boolean;
  /** Results are steps from the last value, not from the mean. Those of no released model are. */
  readonly hasAnchoredOutput: boolean;
}

/** How many statistics a token has with `hasExtraStatistics`. */
export const EXTRA_STATISTICS = 3;

/** The largest published model needs a tenth of these; more would be an attempt on the memory of the machine. */
const MOST = {
  bytes: 65_536,
  patch: 1024,
  width: 16_384,
  hidden: 65_536,
  heads: 256,
  headDim: 1024,
  layers: 256,
} as const;

/** The configuration that `config.json` holds, with the original's defaults; fields it does not know are left alone. */
export function readConfig(bytes: Uint8Array): TotoConfig {
  if (bytes.length > MOST.bytes)
    throw new CheckpointError('TOO_LARGE', `config.json is longer than ${MOST.bytes} bytes.`);
  const fields = new ConfigFields(parseJsonObject(bytes, 'config.json', 'CONFIG_INVALID').object);
  refuseOtherNetworks(fields);
  const modelDim = fields.whole('d_model', 1, MOST.width);
  const heads = fields.whole('num_heads', 1, MOST.heads);
  refuseUnlessDivisible('d_model', modelDim, 'num_heads', heads);
  const groups = fields.whole('num_groups', 1, MOST.heads, heads);
  refuseUnlessDivisible('num_heads', heads, 'num_groups', groups);
  const queryDim = fields.whole('qk_dim', 1, MOST.headDim, modelDim / heads);
  const hasNormWeight = fields.flag('norm_include_weight', false);
  const isVariateLayer = readLayers(fields);
  // Half of the dimensions are turned, in pairs.
  if (isVariateLayer.includes(false) && queryDim % 4 !== 0) {
    throw new CheckpointError('CONFIG_INVALID', `The field qk_dim of config.json is ${queryDim}, not a multiple of 4.`);
  }
  const patchSize = fields.whole('patch_size', 1, MOST.patch);
  const hasExtraStatistics = fields.flag('almanac_extra_statistics', false);
  return {
    patchSize,
    tokenWidth: 2 * patchSize + (hasExtraStatistics ? EXTRA_STATISTICS : 0),
    modelDim,
    feedForwardDim: fields.whole('d_ff', 1, MOST.hidden, Math.ceil(Math.floor((8 * modelDim) / 3) / 8) * 8),
    heads,
    groups,
    queryDim,
    valueDim: fields.whole('v_dim', 1, MOST.headDim, queryDim),
    isVariateLayer,
    normEpsilon: fields.positive('norm_eps', 1, 5e-5),
    hasXpos: fields.flag('use_xpos', false),
    hasPerDimScale: fields.flag('per_dim_scale', false),
    hasQueryNorm: fields.flag('qk_norm', true),
    hasQueryNormWeight: fields.flag('qk_norm_include_weight', hasNormWeight),
    hasNormWeight,
    hasAttentionBias: fields.flag('attn_bias', false),
    hasFeedForwardBias: fields.flag('mlp_bias', false),
    hasExtraStatistics,
    hasAnchoredOutput: fields.flag('almanac_anchored_output', false),
  };
}

/** Configurations of networks that the original does not compute either. */
function refuseOtherNetworks(fields: ConfigFields): void {
  if (fields.whole('num_output_patches', 1, MOST.patch, 1) !== 1) {
    throw new CheckpointError('CONFIG_UNSUPPORTED', 'The field num_output_patches of config.json must be 1.');
  }
  if (!fields.flag('pre_norm', true)) {
    throw new CheckpointError('CONFIG_UNSUPPORTED', 'The field pre_norm of config.json must be true.');
  }
}

function readLayers(fields: ConfigFields): boolean[] {
  const layers = fields.whole('num_layers', 1, MOST.layers);
  const groupSize = fields.whole('layer_group_size', 1, MOST.layers);
  refuseUnlessDivisible('num_layers', layers, 'layer_group_size', groupSize);
  const variateLayers = fields.whole('num_variate_layers_per_group', 0, groupSize);
  const areFirst = fields.flag('variate_layer_first');
  return Array.from({ length: layers }, (_, layer) => {
    const place = layer % groupSize;
    return areFirst ? place < variateLayers : place >= groupSize - variateLayers;
  });
}

function refuseUnlessDivisible(name: string, value: number, byName: string, by: number): void {
  if (value % by === 0) return;
  throw new CheckpointError('CONFIG_INVALID', `${name} (${value}) of config.json is no multiple of ${byName} (${by}).`);
}
