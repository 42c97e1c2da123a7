import { FEEDS } from './feeds.ts';
import type { GraphBuilder, Value } from './graph-builder.ts';

/** Which positions a layer works on: all, or those only whose results are wanted. */
export interface Positions {
  /** How many, as a tensor of one whole number. */
  readonly count: Value;
  readonly timeMask: Value;
  readonly queryCos: Value;
  readonly querySin: Value;
  readonly variateMask: Value;
}

export interface AllAndKept {
  readonly all: Positions;
  readonly kept: Positions;
  /** Leaves the kept positions of a state; it has a row for each variate and position. */
  keep(state: Value, width: number): Value;
}

const TO_THE_END = Number.MAX_SAFE_INTEGER;

/** Reads from the shapes of the feeds how many positions there are, and how many are kept. */
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

/** A shape of known sizes and of such that are known in a run only. */
export function shapeOf(graph: GraphBuilder, ...sizes: readonly (number | Value)[]): Value {
  const parts = sizes.map((size) => (typeof size === 'number' ? graph.ints(size) : size));
  return graph.node('Concat', parts, { attributes: { axis: { int: 0 } } });
}
