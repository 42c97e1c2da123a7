import { CheckpointError, quoteName } from './checkpoint-error.ts';
import { KNOT_COUNT, readConfig, type TotoConfig } from './read-config.ts';
import { readHeader, type StoredTensor, tensorValues } from './safetensors.ts';

/** A configuration with all its weights, which are finite. */
export interface TotoCheckpoint {
  readonly config: TotoConfig;
  /** Tensors by their names in the reference implementation. Matrices are stored row by row, one row per output. */
  readonly tensors: ReadonlyMap<string, Float32Array>;
}

/**
 * Reads a checkpoint in its published form: `config.json` and `model.safetensors`. Throws a `CheckpointError` if they
 * are invalid. The tensors may be views of the given bytes, which must not change afterward.
 */
export function readCheckpoint(files: { readonly config: Uint8Array; readonly weights: Uint8Array }): TotoCheckpoint {
  const config = readConfig(files.config);
  const { tensors: stored, dataStart } = readHeader(files.weights);
  checkNamesAndShapes(config, stored);
  const tensors = new Map(stored.map((tensor) => [tensor.name, tensorValues(tensor, files.weights, dataStart)]));
  return { config, tensors };
}

function checkNamesAndShapes(config: TotoConfig, stored: readonly StoredTensor[]): void {
  const expected = expectedTensors(config);
  const byName = new Map(stored.map((tensor) => [tensor.name, tensor]));
  for (const [name, shape] of expected) {
    const tensor = byName.get(name);
    if (tensor === undefined) throw new CheckpointError('TENSOR_MISSING', `The tensor ${quoteName(name)} is missing.`);
    if (tensor.shape.length !== shape.length || shape.some((size, i) => size !== tensor.shape[i])) {
      throw new CheckpointError(
        'TENSOR_MISSHAPED',
        `The tensor ${quoteName(name)} has the shape [${tensor.shape}]; config.json needs [${shape}].`,
      );
    }
  }
  const surplus = stored.find(({ name }) => !expected.has(name));
  if (surplus === undefined) return;
  throw new CheckpointError('TENSOR_SURPLUS', `config.json does not use the tensor ${quoteName(surplus.name)}.`);
}

/** Returns the name and the shape of every tensor in a network with this configuration. */
export function expectedTensors(config: TotoConfig): ReadonlyMap<string, readonly number[]> {
  const { patchSize, modelDim, feedForwardDim, heads, groups, queryDim, valueDim } = config;
  const expected = new Map<string, readonly number[]>();
  const linear = (name: string, outputs: number, inputs: number, hasBias: boolean): void => {
    expected.set(`${name}.weight`, [outputs, inputs]);
    if (hasBias) expected.set(`${name}.bias`, [outputs]);
  };
  const residualMlp = (name: string, inputs: number, outputs: number): void => {
    linear(`${name}.linear1`, 4 * modelDim, inputs, true);
    linear(`${name}.linear2`, outputs, 4 * modelDim, true);
    linear(`${name}.skip_proj`, outputs, inputs, true);
  };

  residualMlp('patch_proj', config.tokenWidth, modelDim);
  config.isVariateLayer.forEach((_, i) => {
    const layer = `transformer.layers.${i}`;
    const projected = heads * queryDim + groups * (queryDim + valueDim);
    linear(`${layer}.attn.in_proj`, projected, modelDim, config.hasAttentionBias);
    linear(`${layer}.attn.out_proj`, modelDim, heads * valueDim, config.hasAttentionBias);
    if (config.hasPerDimScale) expected.set(`${layer}.attn._pds.per_dim_scale`, [queryDim]);
    if (config.hasQueryNorm && config.hasQueryNormWeight) {
      expected.set(`${layer}.attn.q_norm.weight`, [queryDim]);
      expected.set(`${layer}.attn.k_norm.weight`, [queryDim]);
    }
    linear(`${layer}.ffn.fc1`, 2 * feedForwardDim, modelDim, config.hasFeedForwardBias);
    linear(`${layer}.ffn.fc2`, modelDim, feedForwardDim, config.hasFeedForwardBias);
    if (config.hasNormWeight) {
      expected.set(`${layer}.norm1.weight`, [modelDim]);
      expected.set(`${layer}.norm2.weight`, [modelDim]);
    }
    expected.set(`${layer}.attn_tau`, []);
    expected.set(`${layer}.mlp_tau`, []);
  });
  if (config.hasNormWeight) expected.set('transformer.out_norm.weight', [modelDim]);
  residualMlp('output_head.param_projection.proj', modelDim, KNOT_COUNT * patchSize);
  return expected;
}
