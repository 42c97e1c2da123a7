import type { TotoConfig } from './read-config.ts';

/** Name and shape of every tensor that a network of this shape has, and of no other. */
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
  residualMlp('output_head.param_projection.proj', modelDim, KNOTS * patchSize);
  return expected;
}

/** The quantiles 0.1 to 0.9, which no configuration can change. */
export const KNOTS = 9;
