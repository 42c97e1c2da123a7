import { exp, log1p } from '../../../numerics/elementary.ts';
import type { TotoConfig } from '../checkpoint/read-config.ts';
import type { GraphBuilder, Value } from './graph-builder.ts';
import { linear, rmsNorm } from './layers.ts';
import type { ScaledRow, Weights } from './weights.ts';

type Part = keyof AttentionRows;

/** Builds the queries, keys and values of one layer. */
export class AttentionInputs {
  readonly #graph: GraphBuilder;
  readonly #weights: Weights;
  readonly #config: TotoConfig;
  readonly #layer: string;
  readonly #rows: AttentionRows;

  constructor(graph: GraphBuilder, weights: Weights, config: TotoConfig, layer: string) {
    this.#graph = graph;
    this.#weights = weights;
    this.#config = config;
    this.#layer = layer;
    this.#rows = attentionRows(config, layer, weights);
  }

  width(...parts: readonly Part[]): number {
    return parts.reduce((sum, part) => sum + this.#rows[part].length, 0);
  }

  /** Projects to several parts, side by side, in one multiplication. */
  project(x: Value, ...parts: readonly Part[]): Value {
    const { modelDim, hasAttentionBias } = this.#config;
    const rows: ScaledRow[] = parts.flatMap((part) => this.#rows[part]);
    const name = `${this.#layer}.attn.in_proj`;
    const factor = 1 / Math.sqrt(modelDim);
    const bias = hasAttentionBias ? this.#weights.rows(`${name}.bias`, 1, rows) : undefined;
    return linear(this.#graph, x, {
      weight: this.#weights.rows(`${name}.weight`, modelDim, rows),
      outputs: rows.length,
      factor,
      added: bias?.map((value) => factor * value),
    });
  }

  /** Splits a projection into its parts. */
  split(projected: Value, ...parts: readonly Part[]): Value[] {
    const widths = this.#graph.ints(...parts.map((part) => this.width(part)));
    return this.#graph.nodes('Split', [projected, widths], parts.length, { attributes: { axis: { int: -1 } } });
  }

  normQueries(queries: Value): Value {
    if (!this.#config.hasQueryNorm) return queries;
    return this.#normHeads(queries, 'q_norm', perDimScale(this.#config, this.#layer, this.#weights));
  }

  normKeys(keys: Value): Value {
    return this.#config.hasQueryNorm ? this.#normHeads(keys, 'k_norm', undefined) : keys;
  }

  #normHeads(x: Value, norm: string, scale: Float64Array | undefined): Value {
    const { heads, queryDim, hasQueryNormWeight, normEpsilon } = this.#config;
    const learned = hasQueryNormWeight ? this.#weights.raw(`${this.#layer}.attn.${norm}.weight`) : undefined;
    const weight = Float32Array.from({ length: queryDim }, (_, i) => (learned?.[i] ?? 1) * (scale?.[i] ?? 1));
    const graph = this.#graph;
    // In Reshape, a size of 0 keeps the existing size.
    const byHead = graph.node('Reshape', [x, graph.ints(0, 0, heads, queryDim)]);
    return graph.node('Reshape', [rmsNorm(graph, byHead, weight, normEpsilon), graph.ints(0, 0, heads * queryDim)]);
  }
}

/** The rows of the input projection that produce queries, keys and values. */
interface AttentionRows {
  readonly queries: readonly ScaledRow[];
  readonly keys: readonly ScaledRow[];
  readonly values: readonly ScaledRow[];
}

/**
 * Selects the rows. Keys and values of a group are repeated for each of its heads, so that the attention needs no
 * groups. The learned scale of each dimension multiplies the queries, unless a later norm would cancel the scale.
 */
function attentionRows(config: TotoConfig, layer: string, weights: Weights): AttentionRows {
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

/** Returns the factor of each query dimension: 1 for a learned number of 0. */
function perDimScale(config: TotoConfig, layer: string, weights: Weights): Float64Array | undefined {
  if (!config.hasPerDimScale) return undefined;
  const learned = weights.raw(`${layer}.attn._pds.per_dim_scale`);
  return Float64Array.from(learned, (x) => (Math.max(x, 0) + log1p(exp(-Math.abs(x)))) / Math.LN2);
}

function eachOf(heads: number, size: number, row: (head: number, i: number) => ScaledRow): ScaledRow[] {
  return Array.from({ length: heads * size }, (_, at) => row(Math.floor(at / size), at % size));
}
