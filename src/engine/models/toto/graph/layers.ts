import { type GraphBuilder, RUNTIME_OPERATORS, type Value } from './graph-builder.ts';
import type { Weights } from './weights.ts';

/** With this factor, SiLU maps values of variance 1 to values of variance 1. */
const UNIT_SILU = 1.766782948312328;

/** Adds SiLU, x · sigmoid(x), as one operator. */
function silu(graph: GraphBuilder, x: Value): Value {
  return graph.node('QuickGelu', [x], { domain: RUNTIME_OPERATORS, attributes: { alpha: { float: 1 } } });
}

interface Linear {
  /** One row per output, as stored. The multiplication reads the matrix transposed, so no copy is needed. */
  readonly weight: Float32Array;
  readonly outputs: number;
  /** A factor on the product. It costs nothing and leaves the weights unchanged. */
  readonly factor: number;
  /** Added to the result; `factor` does not apply to it. */
  readonly added: Float32Array | Value | undefined;
}

export function linear(graph: GraphBuilder, x: Value, { weight, outputs, factor, added }: Linear): Value {
  const matrix = graph.floats(weight, [outputs, weight.length / outputs]);
  const third = added instanceof Float32Array ? graph.floats(added, [outputs]) : added;
  return graph.node('Gemm', third === undefined ? [x, matrix] : [x, matrix, third], {
    attributes: { transB: { int: 1 }, alpha: { float: factor } },
  });
}

/** Adds the linear layer with this name in the checkpoint. The factor also applies to its bias, if it has one. */
export function namedLinear(
  graph: GraphBuilder,
  weights: Weights,
  x: Value,
  layer: { readonly name: string; readonly outputs: number; readonly factor: number },
): Value {
  const { name, outputs, factor } = layer;
  const added = weights.scaled(`${name}.bias`, factor);
  return linear(graph, x, { weight: weights.raw(`${name}.weight`), outputs, factor, added });
}

interface ResidualMlp {
  readonly name: string;
  readonly inputs: number;
  readonly hidden: number;
  readonly outputs: number;
  /** The divisors of the hidden branch and of the shortcut. */
  readonly hiddenScale: number;
  readonly skipScale: number;
}

/**
 * Adds two linear layers with a SiLU between them, and a linear shortcut around them. Both branches have the same
 * weight.
 */
export function residualMlp(graph: GraphBuilder, weights: Weights, x: Value, mlp: ResidualMlp): Value {
  const { name, outputs } = mlp;
  const fromHidden = Math.SQRT1_2 / mlp.hiddenScale;
  const fromInput = Math.SQRT1_2 / mlp.skipScale;
  const first = { name: `${name}.linear1`, outputs: mlp.hidden, factor: 1 / Math.sqrt(mlp.inputs) };
  const hidden = silu(graph, namedLinear(graph, weights, x, first));
  const bias = weights.scaled(`${name}.linear2.bias`, fromHidden);
  const shortcut = linear(graph, x, {
    weight: weights.raw(`${name}.skip_proj.weight`),
    outputs,
    factor: fromInput,
    added: weights.scaled(`${name}.skip_proj.bias`, fromInput)?.map((value, i) => value + (bias?.[i] ?? 0)),
  });
  return linear(graph, hidden, {
    weight: weights.raw(`${name}.linear2.weight`),
    outputs,
    factor: UNIT_SILU * fromHidden,
    added: shortcut,
  });
}

interface FeedForward {
  readonly name: string;
  readonly modelDim: number;
  readonly hidden: number;
  /** A factor on the result. */
  readonly factor: number;
}

/** Adds a gated feed-forward layer: half of the hidden values are multiplied by the SiLU of the other half. */
export function feedForward(graph: GraphBuilder, weights: Weights, x: Value, layer: FeedForward): Value {
  const { name, modelDim, hidden, factor } = layer;
  const first = { name: `${name}.fc1`, outputs: 2 * hidden, factor: 1 / Math.sqrt(modelDim) };
  const second = { name: `${name}.fc2`, outputs: modelDim, factor: factor / Math.sqrt(hidden) };
  const both = namedLinear(graph, weights, x, first);
  const [gate, gated] = graph.nodes('Split', [both], 2, { attributes: { axis: { int: -1 } } }) as [Value, Value];
  return namedLinear(graph, weights, graph.node('Mul', [gate, silu(graph, gated)]), second);
}

/** Adds a norm that divides each row by the square root of its mean square and multiplies it by `weight`. */
export function rmsNorm(graph: GraphBuilder, x: Value, weight: Float32Array, epsilon: number): Value {
  return graph.node('SimplifiedLayerNormalization', [x, graph.floats(weight, [weight.length])], {
    attributes: { axis: { int: -1 }, epsilon: { float: epsilon } },
  });
}

/** Adds a branch to the state; returns the sum, and the normalized sum. */
export function addAndNorm(
  graph: GraphBuilder,
  state: Value,
  branch: Value,
  weight: Float32Array,
  epsilon: number,
): { readonly state: Value; readonly normed: Value } {
  const gamma = graph.floats(weight, [weight.length]);
  // The second and the third output are used only in training.
  const [normed, , , sum] = graph.nodes('SkipSimplifiedLayerNormalization', [state, branch, gamma], 4, {
    domain: RUNTIME_OPERATORS,
    attributes: { epsilon: { float: epsilon } },
  }) as [Value, Value, Value, Value];
  return { state: sum, normed };
}
