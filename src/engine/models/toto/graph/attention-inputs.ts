import type { TotoConfig } from '../checkpoint/index.ts';
import { type AttentionRows, attentionRows, perDimScale } from './attention-rows.ts';
import type { GraphBuilder, Value } from './graph-builder.ts';
import { linear } from './layers.ts';
import { rmsNorm } from './norms.ts';
import type { ScaledRow, Weights } from './weights.ts';

type Part = keyof AttentionRows;

/** Makes the queries, keys and values of one layer. */
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

  /** Several parts beside each other, in one multiplication. */
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

  /** Takes them apart again. */
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
    // A size of 0 stands for the size that is there.
    const byHead = graph.node('Reshape', [x, graph.ints(0, 0, heads, queryDim)]);
    return graph.node('Reshape', [rmsNorm(graph, byHead, weight, normEpsilon), graph.ints(0, 0, heads * queryDim)]);
  }
}
