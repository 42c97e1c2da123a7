import type { TotoConfig } from '../checkpoint/index.ts';
import type { ScaledRow, Weights } from './weights.ts';

/** Which rows of the input projection make queries, keys and values. */
export interface AttentionRows {
  readonly queries: readonly ScaledRow[];
  readonly keys: readonly ScaledRow[];
  readonly values: readonly ScaledRow[];
}

/**
 * Keys and values of a group are written out for each of its heads, so that the attention itself knows heads only. The
 * learned scale of each dimension goes into the queries, unless a norm between would take it out again.
 */
export function attentionRows(config: TotoConfig, layer: string, weights: Weights): AttentionRows {
  const { heads, groups, queryDim, valueDim } = config;
  const perDimension = config.hasQueryNorm ? undefined : perDimScale(config, layer, weights);
  const groupOf = (head: number): number => Math.floor((head * groups) / heads);
  const firstKey = heads * queryDim;
  const firstValue = firstKey + groups * queryDim;
  return {
    queries: eachOf(heads, queryDim, (head, i) => ({ row: head * queryDim + i, factor: perDimension?.[i] ?? 1 })),
    keys: eachOf(heads, queryDim, (head, i) => ({ row: firstKey + groupOf(head) * queryDim + i, factor: 1 })),
    values: eachOf(heads, valueDim, (head, i) => ({ row: firstValue + groupOf(head) * valueDim + i, factor: 1 })),
  };
}

/** What each dimension of a query is multiplied by: 1 where the learned number is 0. */
export function perDimScale(config: TotoConfig, layer: string, weights: Weights): Float64Array | undefined {
  if (!config.hasPerDimScale) return undefined;
  const learned = weights.raw(`${layer}.attn._pds.per_dim_scale`);
  return Float64Array.from(learned, (x) => (Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)))) / Math.LN2);
}

function eachOf(heads: number, size: number, row: (head: number, i: number) => ScaledRow): ScaledRow[] {
  return Array.from({ length: heads * size }, (_, at) => row(Math.floor(at / size), at % size));
}
