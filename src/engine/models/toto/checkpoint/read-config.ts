import { CheckpointError } from './checkpoint-error.ts';
import { type JsonObject, parseJsonObject } from './json.ts';

/** The configuration of a Toto network. */
export interface TotoConfig {
  /** Number of periods in one token. */
  readonly patchSize: number;
  /** Number of values in one token. */
  readonly tokenWidth: number;
  readonly modelDim: number;
  readonly feedForwardDim: number;
  readonly heads: number;
  /** Number of sets of keys and values. Each set is shared by `heads / groups` heads. */
  readonly groups: number;
  readonly queryDim: number;
  readonly valueDim: number;
  /**
   * For each layer, whether it attends to the other series at the same time. Other layers attend to the past of one
   * series.
   */
  readonly isVariateLayer: readonly boolean[];
  readonly normEpsilon: number;
  readonly hasXpos: boolean;
  readonly hasPerDimScale: boolean;
  readonly hasQueryNorm: boolean;
  readonly hasQueryNormWeight: boolean;
  readonly hasNormWeight: boolean;
  readonly hasAttentionBias: boolean;
  readonly hasFeedForwardBias: boolean;
  /**
   * Whether tokens include the level, the smoothness and the number of observations. No model released by Datadog has
   * this.
   */
  readonly hasExtraStatistics: boolean;
  /** Whether the output is relative to the last value instead of the mean. No model released by Datadog has this. */
  readonly hasAnchoredOutput: boolean;
}

/** Number of statistics in a token with `hasExtraStatistics`. */
export const EXTRA_STATISTICS = 3;

/** The number of knots, the quantiles 0.1 to 0.9, that every network returns. It is not configurable. */
export const KNOT_COUNT = 9;

/**
 * Limits, ten times what the largest published model needs. A file that exceeds them may be meant to exhaust memory.
 */
const MAX = {
  bytes: 65_536,
  patch: 1024,
  width: 16_384,
  hidden: 65_536,
  heads: 256,
  headDim: 1024,
  layers: 256,
} as const;

/** Reads `config.json` with the defaults of the reference implementation. Unknown fields are ignored. */
export function readConfig(bytes: Uint8Array): TotoConfig {
  if (bytes.length > MAX.bytes)
    throw new CheckpointError('TOO_LARGE', `config.json is longer than ${MAX.bytes} bytes.`);
  const fields = new ConfigFields(parseJsonObject(bytes, 'config.json', 'CONFIG_INVALID').object);
  requireSupportedNetwork(fields);
  const modelDim = fields.integer('d_model', 1, MAX.width);
  const heads = fields.integer('num_heads', 1, MAX.heads);
  requireDivisible('d_model', modelDim, 'num_heads', heads);
  const groups = fields.integer('num_groups', 1, MAX.heads, heads);
  requireDivisible('num_heads', heads, 'num_groups', groups);
  const queryDim = fields.integer('qk_dim', 1, MAX.headDim, modelDim / heads);
  const hasNormWeight = fields.boolean('norm_include_weight', false);
  const isVariateLayer = readLayers(fields);
  // Half of the dimensions are rotated, in pairs, so their number must be a multiple of 4.
  if (isVariateLayer.includes(false) && queryDim % 4 !== 0) {
    throw new CheckpointError('CONFIG_INVALID', `The field qk_dim of config.json is ${queryDim}, not a multiple of 4.`);
  }
  const patchSize = fields.integer('patch_size', 1, MAX.patch);
  const hasExtraStatistics = fields.boolean('almanac_extra_statistics', false);
  return {
    patchSize,
    tokenWidth: 2 * patchSize + (hasExtraStatistics ? EXTRA_STATISTICS : 0),
    modelDim,
    feedForwardDim: fields.integer('d_ff', 1, MAX.hidden, Math.ceil(Math.floor((8 * modelDim) / 3) / 8) * 8),
    heads,
    groups,
    queryDim,
    valueDim: fields.integer('v_dim', 1, MAX.headDim, queryDim),
    isVariateLayer,
    normEpsilon: fields.positive('norm_eps', 1, 5e-5),
    hasXpos: fields.boolean('use_xpos', false),
    hasPerDimScale: fields.boolean('per_dim_scale', false),
    hasQueryNorm: fields.boolean('qk_norm', true),
    hasQueryNormWeight: fields.boolean('qk_norm_include_weight', hasNormWeight),
    hasNormWeight,
    hasAttentionBias: fields.boolean('attn_bias', false),
    hasFeedForwardBias: fields.boolean('mlp_bias', false),
    hasExtraStatistics,
    hasAnchoredOutput: fields.boolean('almanac_anchored_output', false),
  };
}

/** Refuses configurations that the reference implementation does not support either. */
function requireSupportedNetwork(fields: ConfigFields): void {
  if (fields.integer('num_output_patches', 1, MAX.patch, 1) !== 1) {
    throw new CheckpointError('CONFIG_UNSUPPORTED', 'The field num_output_patches of config.json must be 1.');
  }
  if (!fields.boolean('pre_norm', true)) {
    throw new CheckpointError('CONFIG_UNSUPPORTED', 'The field pre_norm of config.json must be true.');
  }
}

function readLayers(fields: ConfigFields): boolean[] {
  const layers = fields.integer('num_layers', 1, MAX.layers);
  const groupSize = fields.integer('layer_group_size', 1, MAX.layers);
  requireDivisible('num_layers', layers, 'layer_group_size', groupSize);
  const variateLayers = fields.integer('num_variate_layers_per_group', 0, groupSize);
  const areFirst = fields.boolean('variate_layer_first');
  return Array.from({ length: layers }, (_, layer) => {
    const position = layer % groupSize;
    return areFirst ? position < variateLayers : position >= groupSize - variateLayers;
  });
}

function requireDivisible(name: string, value: number, byName: string, by: number): void {
  if (value % by === 0) return;
  throw new CheckpointError(
    'CONFIG_INVALID',
    `${name} (${value}) of config.json is not a multiple of ${byName} (${by}).`,
  );
}

/** Reads the fields of a configuration. A null field counts as missing, as in the reference implementation. */
class ConfigFields {
  readonly #fields: JsonObject;

  constructor(fields: JsonObject) {
    this.#fields = fields;
  }

  /** Returns an integer from `min` to `max`. The field is required unless there is a fallback. */
  integer(name: string, min: number, max: number, fallback?: number): number {
    const value = this.#read(name) ?? fallback;
    if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
    throw this.#fault(name, `a whole number from ${min} to ${max}`);
  }

  /** Returns a number that is above 0 and at most `max`. */
  positive(name: string, max: number, fallback: number): number {
    const value = this.#read(name) ?? fallback;
    if (typeof value === 'number' && value > 0 && value <= max) return value;
    throw this.#fault(name, `a number above 0 and up to ${max}`);
  }

  boolean(name: string, fallback?: boolean): boolean {
    const value = this.#read(name) ?? fallback;
    if (typeof value === 'boolean') return value;
    throw this.#fault(name, 'true or false');
  }

  #read(name: string): unknown {
    return Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined;
  }

  #fault(name: string, wanted: string): CheckpointError {
    const verb = (this.#read(name) ?? null) === null ? 'is missing' : 'is wrong';
    return new CheckpointError('CONFIG_INVALID', `The field ${name} of config.json ${verb}: it must be ${wanted}.`);
  }
}
