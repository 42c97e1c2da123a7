import type { TotoConfig } from '../checkpoint/index.ts';
import { AttentionInputs } from './attention-inputs.ts';
import { FEEDS } from './feeds.ts';
import { type GraphBuilder, RUNTIME_OPERATORS, type Value } from './graph-builder.ts';
import { type Positions, shapeOf } from './positions.ts';
import type { Weights } from './weights.ts';

/** Builds the attention of one layer, up to its last projection. States have a row for each variate and position. */
export class AttentionBuilder {
  readonly #graph: GraphBuilder;
  readonly #config: TotoConfig;
  readonly #inputs: AttentionInputs;

  constructor(graph: GraphBuilder, weights: Weights, config: TotoConfig, layer: string) {
    this.#graph = graph;
    this.#config = config;
    this.#inputs = new AttentionInputs(graph, weights, config, layer);
  }

  /** Positions look at the past of their own series. */
  overTime(x: Value, all: Positions): Value {
    const parts = ['queries', 'keys', 'values'] as const;
    const projected = this.#byVariate(this.#inputs.project(x, ...parts), all, this.#inputs.width(...parts));
    const [queries, keys, values] = this.#inputs.split(projected, ...parts) as [Value, Value, Value];
    return this.#attendOverTime(queries, keys, values, all);
  }

  /** The same, but only the kept positions look: nobody asks what the others would see. */
  overTimeOfKept(x: Value, all: Positions, keptX: Value, kept: Positions): Value {
    const queries = this.#byVariate(this.#inputs.project(keptX, 'queries'), kept, this.#inputs.width('queries'));
    const parts = ['keys', 'values'] as const;
    const projected = this.#byVariate(this.#inputs.project(x, ...parts), all, this.#inputs.width(...parts));
    const [keys, values] = this.#inputs.split(projected, ...parts) as [Value, Value];
    return this.#attendOverTime(queries, keys, values, kept);
  }

  /** Series look at each other at one position. A series alone sees itself: what comes out are its values. */
  overVariates(x: Value, positions: Positions): Value {
    const parts = ['queries', 'keys', 'values'] as const;
    const projected = this.#byVariate(this.#inputs.project(x, ...parts), positions, this.#inputs.width(...parts));
    const byPosition = this.#swap(projected);
    const [queries, keys, values] = this.#inputs.split(byPosition, ...parts) as [Value, Value, Value];
    const seen = this.#attend(
      this.#inputs.normQueries(queries),
      this.#inputs.normKeys(keys),
      values,
      positions.variateMask,
    );
    return this.#toRows(this.#swap(seen));
  }

  #attendOverTime(queries: Value, keys: Value, values: Value, asking: Positions): Value {
    const turnedQueries = this.#turn(this.#inputs.normQueries(queries), asking.queryCos, asking.querySin);
    const turnedKeys = this.#turn(this.#inputs.normKeys(keys), FEEDS.keyCos, FEEDS.keySin);
    return this.#toRows(this.#attend(turnedQueries, turnedKeys, values, asking.timeMask));
  }

  #attend(queries: Value, keys: Value, values: Value, mask: Value): Value {
    // Between: a bias and a padding mask, which there are not.
    return this.#graph.node('MultiHeadAttention', [queries, keys, values, '', '', mask], {
      domain: RUNTIME_OPERATORS,
      attributes: { num_heads: { int: this.#config.heads }, scale: { float: 1 / this.#config.queryDim } },
    });
  }

  /** Rotates neighbouring dimensions in the first half of each head by an angle that grows with the position. */
  #turn(x: Value, cos: Value, sin: Value): Value {
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

  #toRows(seen: Value): Value {
    return this.#graph.node('Reshape', [seen, this.#graph.ints(-1, this.#inputs.width('values'))]);
  }

  /** From positions of variates to variates of positions, and back. */
  #swap(x: Value): Value {
    return this.#graph.node('Transpose', [x], { attributes: { perm: { ints: [1, 0, 2] } } });
  }
}
