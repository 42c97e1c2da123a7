import { CheckpointError } from '../checkpoint/checkpoint-error.ts';
import type { TotoCheckpoint } from '../checkpoint/read-checkpoint.ts';
import { KNOT_COUNT, type TotoConfig } from '../checkpoint/read-config.ts';
import { AttentionBuilder } from './attention.ts';
import { FEEDS, KNOTS_OUTPUT, readPositions, rotatedPairs } from './feeds.ts';
import { GraphBuilder, type Value } from './graph-builder.ts';
import { addAndNorm, feedForward, namedLinear, residualMlp, rmsNorm } from './layers.ts';
import { Weights } from './weights.ts';

/**
 * Builds the network as an ONNX model with its weights. The model returns results for the kept positions only. The last
 * layer that attends to the past, and the layers after it, compute only these positions.
 */
export function buildGraph(checkpoint: TotoCheckpoint): Uint8Array {
  const { config } = checkpoint;
  const { patchSize, tokenWidth, modelDim } = config;
  const graph = new GraphBuilder();
  const weights = new Weights(checkpoint);
  declareFeeds(graph, config);
  const embedded = residualMlp(graph, weights, graph.node('Reshape', [FEEDS.tokens, graph.ints(-1, tokenWidth)]), {
    name: 'patch_proj',
    inputs: tokenWidth,
    hidden: 4 * modelDim,
    outputs: modelDim,
    hiddenScale: Math.sqrt(4 * modelDim),
    skipScale: Math.sqrt(tokenWidth),
  });
  const knots = residualMlp(graph, weights, transform(graph, weights, config, embedded), {
    name: 'output_head.param_projection.proj',
    inputs: modelDim,
    hidden: 4 * modelDim,
    outputs: KNOT_COUNT * patchSize,
    hiddenScale: 4 * modelDim,
    skipScale: modelDim,
  });
  graph.output(KNOTS_OUTPUT, ['results', KNOT_COUNT * patchSize], knots);
  return graph.toBytes();
}

/**
 * Builds all layers. Their input has a row for each variate and position; their output has a normalized row for each
 * variate and kept position.
 */
function transform(graph: GraphBuilder, weights: Weights, config: TotoConfig, embedded: Value): Value {
  const { modelDim, isVariateLayer } = config;
  const { all, kept, keep } = readPositions(graph);
  const stream = new ResidualStream(config.normEpsilon);
  const normWeight = (name: string): Float32Array =>
    config.hasNormWeight ? weights.raw(name) : new Float32Array(modelDim).fill(1);
  const lastOverTime = isVariateLayer.lastIndexOf(false);

  let state = lastOverTime === -1 ? keep(embedded, modelDim) : embedded;
  let normed = rmsNorm(graph, state, normWeight('transformer.layers.0.norm1.weight'), stream.epsilon);
  isVariateLayer.forEach((isOverVariates, i) => {
    const layer = `transformer.layers.${i}`;
    const attention = new AttentionBuilder(graph, weights, config, layer);
    let seen: Value;
    if (isOverVariates) seen = attention.overVariates(normed, i < lastOverTime ? all : kept);
    else if (i < lastOverTime) seen = attention.overTime(normed, all);
    else {
      seen = attention.overTimeOfKept(normed, all, keep(normed, modelDim), kept);
      state = keep(state, modelDim);
    }
    const attended = namedLinear(graph, weights, seen, {
      name: `${layer}.attn.out_proj`,
      outputs: modelDim,
      factor: stream.addBranch(weights, `${layer}.attn_tau`) / Math.sqrt(config.heads * config.valueDim),
    });
    ({ state, normed } = addAndNorm(graph, state, attended, normWeight(`${layer}.norm2.weight`), stream.epsilon));

    const fed = feedForward(graph, weights, normed, {
      name: `${layer}.ffn`,
      modelDim,
      hidden: config.feedForwardDim,
      factor: stream.addBranch(weights, `${layer}.mlp_tau`),
    });
    const isLast = i === isVariateLayer.length - 1;
    const nextNorm = isLast ? 'transformer.out_norm.weight' : `transformer.layers.${i + 1}.norm1.weight`;
    ({ state, normed } = addAndNorm(graph, state, fed, normWeight(nextNorm), stream.epsilon));
  });
  return normed;
}

function declareFeeds(graph: GraphBuilder, config: TotoConfig): void {
  const pairs = rotatedPairs(config);
  graph.input(FEEDS.tokens, ['variates', 'positions', config.tokenWidth]);
  for (const table of [FEEDS.queryCos, FEEDS.querySin, FEEDS.keyCos, FEEDS.keySin]) {
    graph.input(table, ['positions', pairs]);
  }
  graph.input(FEEDS.timeMask, ['variates', 1, 'positions', 'positions']);
  graph.input(FEEDS.keptMask, ['variates', 1, 'kept', 'positions']);
  graph.input(FEEDS.variateMask, ['positions', 1, 'variates', 'variates']);
}

/**
 * The total gain of a real model is below 3. With a far larger gain, rounding would erase the output of the first
 * layers.
 */
const MAX_GAIN = 1e6;

/**
 * The state to which branches are added. The network divides it by √(1 + τ²) after each branch. Only norms read the
 * state, and norms do not depend on its scale, so the divisions are left out. The state then grows, and branches are
 * scaled up with it.
 */
class ResidualStream {
  readonly #epsilon: number;
  #gain = 1;

  constructor(epsilon: number) {
    this.#epsilon = epsilon;
  }

  /** The epsilon for a norm of the state, scaled up like its mean square. */
  get epsilon(): number {
    return this.#epsilon * this.#gain ** 2;
  }

  /** Adds a branch and returns its factor, which follows from its τ. */
  addBranch(weights: Weights, name: string): number {
    const tau = weights.number(name);
    const factor = tau * this.#gain;
    this.#gain *= Math.sqrt(1 + tau ** 2);
    if (this.#gain <= MAX_GAIN) return factor;
    throw new CheckpointError('TENSOR_OUT_OF_RANGE', `The tensor ${name} lets the state grow too far: it is ${tau}.`);
  }
}
