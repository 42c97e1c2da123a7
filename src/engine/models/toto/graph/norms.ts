import { type GraphBuilder, RUNTIME_OPERATORS, type Value } from './graph-builder.ts';

/** Divides each row by the root of its mean square, and multiplies by `weight`. */
export function rmsNorm(graph: GraphBuilder, x: Value, weight: Float32Array, epsilon: number): Value {
  return graph.node('SimplifiedLayerNormalization', [x, graph.floats(weight, [weight.length])], {
    attributes: { axis: { int: -1 }, epsilon: { float: epsilon } },
  });
}

/** Adds a branch to the state; gives the sum, and the sum normalised. */
export function addAndNorm(
  graph: GraphBuilder,
  state: Value,
  branch: Value,
  weight: Float32Array,
  epsilon: number,
): { readonly state: Value; readonly normed: Value } {
  const gamma = graph.floats(weight, [weight.length]);
  // The two outputs between are for training.
  const [normed, , , sum] = graph.nodes('SkipSimplifiedLayerNormalization', [state, branch, gamma], 4, {
    domain: RUNTIME_OPERATORS,
    attributes: { epsilon: { float: epsilon } },
  }) as [Value, Value, Value, Value];
  return { state: sum, normed };
}
