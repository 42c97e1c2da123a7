import type { TotoConfig } from '../checkpoint/read-config.ts';
import type { GraphBuilder, Value } from './graph-builder.ts';

/**
 * The names of the graph's inputs, with their sizes. Masks alone determine which positions belong together, so the same
 * rows can hold several pasts one after the other. Kept positions come last.
 */
export const FEEDS = {
  /** [variates, positions, token width]: scaled values, then 1 where none was observed, then any statistics. */
  tokens: 'tokens',
  /** [positions, rotated pairs]: the rotation of queries and keys at each position. */
  queryCos: 'query_cos',
  querySin: 'query_sin',
  keyCos: 'key_cos',
  keySin: 'key_sin',
  /**
   * [variates, 1, positions, positions]: 0 if a position (third dimension) may attend to another (fourth dimension),
   * otherwise a huge negative number.
   */
  timeMask: 'time_mask',
  /** [variates, 1, kept, positions]: the last rows of the time mask. */
  keptMask: 'kept_mask',
  /** [positions, 1, variates, variates]: which series may attend to each other. */
  variateMask: 'variate_mask',
} as const;

/** The name of the output: [variates × kept, patch × knots], in scaled units. */
export const KNOTS_OUTPUT = 'knots';

/** Returns the number of rotated pairs of dimensions in a head. A graph that rotates no pairs still has the input. */
export function rotatedPairs(config: TotoConfig): number {
  return Math.max(1, Math.floor(config.queryDim / 4));
}

/** The positions that a layer computes: all, or only those with results. */
export interface Positions {
  /** The number of positions as a tensor with one element. */
  readonly count: Value;
  readonly timeMask: Value;
  readonly queryCos: Value;
  readonly querySin: Value;
  readonly variateMask: Value;
}

interface AllAndKept {
  readonly all: Positions;
  readonly kept: Positions;
  /** Returns the kept positions of a state, which has a row for each variate and position. */
  keep(state: Value, width: number): Value;
}

const TO_THE_END = Number.MAX_SAFE_INTEGER;

/** Derives the positions from the shapes of the feeds. */
export function readPositions(graph: GraphBuilder): AllAndKept {
  const size = (of: Value, axis: number): Value =>
    graph.node('Shape', [of], { attributes: { start: { int: axis }, end: { int: axis + 1 } } });
  const count = size(FEEDS.tokens, 1);
  const keptCount = size(FEEDS.keptMask, 2);
  const firstKept = graph.node('Neg', [keptCount]);
  const end = graph.ints(TO_THE_END);
  const keepAlong = (x: Value, axis: number): Value => graph.node('Slice', [x, firstKept, end, graph.ints(axis)]);
  return {
    all: {
      count,
      timeMask: FEEDS.timeMask,
      queryCos: FEEDS.queryCos,
      querySin: FEEDS.querySin,
      variateMask: FEEDS.variateMask,
    },
    kept: {
      count: keptCount,
      timeMask: FEEDS.keptMask,
      queryCos: keepAlong(FEEDS.queryCos, 0),
      querySin: keepAlong(FEEDS.querySin, 0),
      variateMask: keepAlong(FEEDS.variateMask, 0),
    },
    keep: (state, width) => {
      const byVariate = graph.node('Reshape', [state, shapeOf(graph, -1, count, width)]);
      return graph.node('Reshape', [keepAlong(byVariate, 1), graph.ints(-1, width)]);
    },
  };
}

/** Builds a shape from sizes that are known now and sizes that are known only during a run. */
export function shapeOf(graph: GraphBuilder, ...sizes: readonly (number | Value)[]): Value {
  const parts = sizes.map((size) => (typeof size === 'number' ? graph.ints(size) : size));
  return graph.node('Concat', parts, { attributes: { axis: { int: 0 } } });
}
