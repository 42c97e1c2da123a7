import type { TotoConfig } from '../checkpoint/read-config.ts';
import { AttentionInputs } from './attention-inputs.ts';
import { FEEDS, type Positions, shapeOf } from './feeds.ts';
import { type GraphBuilder, RUNTIME_OPERATORS, type Value } from './graph-builder.ts';
import type { Weights } from './weights.ts';

/**
 * Builds the attention of one layer, without its output projection. States have a row for each variate and position.
 */
export class AttentionBuilder {
  readonly #graph: GraphBuilder;
  readonly #config: TotoConfig;
  readonly #inputs: AttentionInputs;

  constructor(graph: GraphBuilder, weights: Weights, config: TotoConfig, layer: string) {
    this.#graph = graph;
    this.#config = config;
    this.#inputs = new AttentionInputs(graph, weights, config, layer);
  }

  /** Attends to the past of the same series. */
  overTime(x: Value, all: Positions): Value {
    const parts = ['queries', 'keys', 'values'] as const;
    const projected = this.#byVariate(this.#inputs.project(x, ...parts), all, this.#inputs.width(...parts));
    const [queries, keys, values] = this.#inputs.split(projected, ...parts) as [Value, Value, Value];
    return this.#attendOverTime(queries, keys, values, all);
  }

  /** Attends to the past like `overTime`, but computes the output of the kept positions only. */
  overTimeOfKept(x: Value, all: Positions, keptX: Value, kept: Positions): Value {
    const queries = this.#byVariate(this.#inputs.project(keptX, 'queries'), kept, this.#inputs.width('queries'));
    const parts = ['keys', 'values'] as const;
    const projected = this.#byVariate(this.#inputs.project(x, ...parts), all, this.#inputs.width(...parts));
    const [keys, values] = this.#inputs.split(projected, ...parts) as [Value, Value];
    return this.#attendOverTime(queries, keys, values, kept);
  }

  /**
   * Attends to the other series at the same position. A single series attends only to itself, so its values are the
   * result.
   */
  overVariates(x: Value, positions: Positions): Value {
    const parts = ['queries', 'keys', 'values'] as const;
    const projected = this.#byVariate(this.#inputs.project(x, ...parts), positions, this.#inputs.width(...parts));
    const byPosition = this.#swap(projected);
    const [queries, keys, values] = this.#inputs.split(byPosition, ...parts) as [Value, Value, Value];
    const attended = this.#attend(
      this.#inputs.normQueries(queries),
      this.#inputs.normKeys(keys),
      values,
      positions.variateMask,
    );
    return this.#toRows(this.#swap(attended));
  }

  #attendOverTime(queries: Value, keys: Value, values: Value, positions: Positions): Value {
    const rotatedQueries = this.#rotate(this.#inputs.normQueries(queries), positions.queryCos, positions.querySin);
    const rotatedKeys = this.#rotate(this.#inputs.normKeys(keys), FEEDS.keyCos, FEEDS.keySin);
    return this.#toRows(this.#attend(rotatedQueries, rotatedKeys, values, positions.timeMask));
  }

  #attend(queries: Value, keys: Value, values: Value, mask: Value): Value {
    // The empty inputs are a bias and a padding mask, which are not used.
    return this.#graph.node('MultiHeadAttention', [queries, keys, values, '', '', mask], {
      domain: RUNTIME_OPERATORS,
      attributes: { num_heads: { int: this.#config.heads }, scale: { float: 1 / this.#config.queryDim } },
    });
  }

  /** Rotates neighboring dimensions in the first half of each head by an angle that grows with the position. */
  #rotate(x: Value, cos: Value, sin: Value): Value {
    const { heads, queryDim } = this.#config;
    return this.#graph.node('RotaryEmbedding', [x, this.#graph.ints(0), cos, sin], {
      domain: RUNTIME_OPERATORS,
      attributes: {
        interleaved: { int: 1 },
        num_heads: { int: heads },
        rotary_embedding_dim: { int: queryDim / 2 },
      },
    });
  }

  #byVariate(rows: Value, positions: Positions, width: number): Value {
    return this.#graph.node('Reshape', [rows, shapeOf(this.#graph, -1, positions.count, width)]);
  }

  #toRows(attended: Value): Value {
    return this.#graph.node('Reshape', [attended, this.#graph.ints(-1, this.#inputs.width('values'))]);
  }

  /** Swaps variates and positions. */
  #swap(x: Value): Value {
    return this.#graph.node('Transpose', [x], { attributes: { perm: { ints: [1, 0, 2] } } });
  }
}
