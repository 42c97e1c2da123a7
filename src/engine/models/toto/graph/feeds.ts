import type { TotoConfig } from '../checkpoint/index.ts';

/**
 * The inputs of the graph by name, their sizes beside. Only masks say which positions belong together, so that several
 * pasts can stand one after the other in the same rows. Those whose results are wanted come last.
 */
export const FEEDS = {
  /** [variates, positions, token width]: scaled values, then 1 where none was observed, then any statistics. */
  tokens: 'tokens',
  /** [positions, turned pairs]: how each position turns queries and keys. */
  queryCos: 'query_cos',
  querySin: 'query_sin',
  keyCos: 'key_cos',
  keySin: 'key_sin',
  /** [variates, 1, positions, positions]: 0 where one (third) may look at another (fourth), else hugely negative. */
  timeMask: 'time_mask',
  /** [variates, 1, kept, positions]: the last rows of it. */
  keptMask: 'kept_mask',
  /** [positions, 1, variates, variates]: which series may look at each other. */
  variateMask: 'variate_mask',
} as const;

/** The output: [variates × kept, patch × knots], in scaled units. */
export const KNOTS_OUTPUT = 'knots';

/** Pairs of dimensions of a head that are turned. A graph that turns none still has an input for them. */
export function turnedPairs(config: TotoConfig): number {
  return Math.max(1, Math.floor(config.queryDim / 4));
}
