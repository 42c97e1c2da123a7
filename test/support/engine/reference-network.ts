// The network in plain loops and double precision, written from its description with nothing folded, as a reference for
// the graph. It keeps keys and values between calls, as the original does.

import type { ConfigJson } from './random-checkpoint.ts';

type Vector = readonly number[];
/** By series and position. */
export type States = readonly (readonly Vector[])[];

export interface ReferenceCall {
  readonly tokens: States;
  /** The number of each position, counted over all calls. */
  readonly times: readonly number[];
  /** By series and position of this call: positions with the same number attend to each other. */
  readonly groups: readonly (readonly number[])[];
  /** The number of positions at the end that are not kept for later calls. */
  readonly passing: number;
}

/** Keys and values that one time layer keeps for one series. */
interface Memory {
  readonly keys: Vector[];
  readonly values: Vector[];
  readonly groups: number[];
}

const LN2 = Math.log(2);

export class ReferenceNetwork {
  readonly #config: ConfigJson;
  readonly #tensors: ReadonlyMap<string, Float32Array>;
  readonly #memories = new Map<string, Memory>();

  constructor(config: ConfigJson, tensors: ReadonlyMap<string, Float32Array>) {
    this.#config = config;
    this.#tensors = tensors;
  }

  forget(): void {
    this.#memories.clear();
  }

  /** Returns for each series and position nine numbers for each period of the next patch. */
  run(call: ReferenceCall): number[][][] {
    const d = this.#number('d_model');
    const f = this.#number('d_ff');
    let x = map(call.tokens, (token) => this.#residualMlp('patch_proj', token, false));
    for (let i = 0; i < this.#number('num_layers'); i++) {
      const layer = `transformer.layers.${i}`;
      const normed = map(x, (v) => this.#rms(v, `${layer}.norm1`));
      const attended = this.#isVariateLayer(i)
        ? this.#overVariates(layer, normed, call)
        : this.#overTime(layer, normed, call);
      x = this.#add(x, attended, `${layer}.attn_tau`);
      const fed = map(x, (v) => {
        const both = this.#linear(`${layer}.ffn.fc1`, this.#rms(v, `${layer}.norm2`), Math.sqrt(d));
        const product = both.slice(0, f).map((gate, j) => gate * silu(both[f + j] as number));
        return this.#linear(`${layer}.ffn.fc2`, product, Math.sqrt(f));
      });
      x = this.#add(x, fed, `${layer}.mlp_tau`);
    }
    return map(x, (v) =>
      this.#residualMlp('output_head.param_projection.proj', this.#rms(v, 'transformer.out_norm'), true),
    );
  }

  #overTime(layer: string, x: States, call: ReferenceCall): number[][][] {
    const center = Math.floor((Math.max(...call.times) + 1) / 2);
    return x.map((positions, series) => {
      const key = `${layer} ${series}`;
      const memory = this.#memories.get(key) ?? { keys: [], values: [], groups: [] };
      this.#memories.set(key, memory);
      const isFirst = memory.keys.length === 0;
      const before = memory.keys.length;
      const all: Memory = { keys: [...memory.keys], values: [...memory.values], groups: [...memory.groups] };
      const queries = positions.map((v, s) => {
        const { q, k, value } = this.#project(layer, v);
        const time = call.times[s] as number;
        all.keys.push(this.#turn(k, time, center, -1));
        all.values.push(value);
        // In later calls every new position counts as observed.
        all.groups.push(isFirst ? (call.groups[series]?.[s] as number) : 0);
        return this.#turn(q, time, center, 1);
      });
      for (let s = 0; s < positions.length - call.passing; s++) {
        memory.keys.push(all.keys[before + s] as Vector);
        memory.values.push(all.values[before + s] as Vector);
        memory.groups.push(all.groups[before + s] as number);
      }
      return queries.map((query, s) => {
        const own = call.groups[series]?.[s] as number;
        const canAttend = all.keys.map(
          (_, at) => at <= before + s && (isFirst ? all.groups[at] === own : all.groups[at] !== -1),
        );
        return this.#attend(layer, query, all.keys, all.values, canAttend);
      });
    });
  }

  #overVariates(layer: string, x: States, call: ReferenceCall): number[][][] {
    const projected = map(x, (v) => this.#project(layer, v));
    return projected.map((positions, series) =>
      positions.map(({ q }, s) => {
        const at = projected.map((other) => other[s] as { q: Vector; k: Vector; value: Vector });
        const canAttend = projected.map((_, other) => call.groups[other]?.[s] === call.groups[series]?.[s]);
        return this.#attend(
          layer,
          q,
          at.map(({ k }) => k),
          at.map(({ value }) => value),
          canAttend,
        );
      }),
    );
  }

  #attend(
    layer: string,
    query: Vector,
    keys: readonly Vector[],
    values: readonly Vector[],
    canAttend: readonly boolean[],
  ): number[] {
    const [heads, groups, k, v] = [
      this.#number('num_heads'),
      this.#number('num_groups'),
      this.#number('qk_dim'),
      this.#number('v_dim'),
    ];
    const attended: number[] = [];
    for (let head = 0; head < heads; head++) {
      const group = Math.floor(head / (heads / groups));
      const scores = keys.map((key, at) => {
        if (!canAttend[at]) return Number.NEGATIVE_INFINITY;
        let score = 0;
        for (let i = 0; i < k; i++) score += (query[head * k + i] as number) * (key[group * k + i] as number);
        return score / k;
      });
      const largest = Math.max(...scores);
      const shares = scores.map((score) => Math.exp(score - largest));
      const sum = shares.reduce((a, b) => a + b, 0);
      for (let i = 0; i < v; i++) {
        attended.push(
          values.reduce(
            (total, value, at) => total + ((shares[at] as number) / sum) * (value[group * v + i] as number),
            0,
          ),
        );
      }
    }
    return this.#linear(`${layer}.attn.out_proj`, attended, Math.sqrt(heads * v));
  }

  #project(layer: string, x: Vector): { q: Vector; k: Vector; value: Vector } {
    const [heads, groups, dim] = [this.#number('num_heads'), this.#number('num_groups'), this.#number('qk_dim')];
    const all = this.#linear(`${layer}.attn.in_proj`, x, Math.sqrt(x.length));
    let q = all.slice(0, heads * dim);
    let k = all.slice(heads * dim, (heads + groups) * dim);
    if (this.#config.qk_norm) {
      q = byHead(q, dim, (head) => this.#rms(head, `${layer}.attn.q_norm`));
      k = byHead(k, dim, (head) => this.#rms(head, `${layer}.attn.k_norm`));
    }
    const learned = this.#tensors.get(`${layer}.attn._pds.per_dim_scale`);
    if (learned)
      q = byHead(q, dim, (head) => head.map((y, i) => (y * Math.log(1 + Math.exp(learned[i] as number))) / LN2));
    return { q, k, value: all.slice((heads + groups) * dim) };
  }

  #turn(x: Vector, time: number, center: number, direction: 1 | -1): number[] {
    const dim = this.#number('qk_dim');
    const width = dim / 2;
    return byHead(x, dim, (head) => {
      const turned = [...head];
      for (let i = 0; i < width / 2; i++) {
        const angle = time * 10_000 ** ((-2 * i) / width);
        const base = (2 * i + 0.4 * width) / (1.4 * width);
        const scale = this.#config.use_xpos ? base ** ((direction * (time - center)) / 256) : 1;
        const [a, b] = [head[2 * i] as number, head[2 * i + 1] as number];
        turned[2 * i] = scale * (a * Math.cos(angle) - b * Math.sin(angle));
        turned[2 * i + 1] = scale * (b * Math.cos(angle) + a * Math.sin(angle));
      }
      return turned;
    });
  }

  #residualMlp(name: string, x: Vector, isReadout: boolean): number[] {
    const divide = (fanIn: number): number => (isReadout ? fanIn : Math.sqrt(fanIn));
    const hidden = this.#linear(`${name}.linear1`, x, Math.sqrt(x.length)).map((h) => 1.766782948312328 * silu(h));
    const main = this.#linear(`${name}.linear2`, hidden, divide(hidden.length));
    const skip = this.#linear(`${name}.skip_proj`, x, divide(x.length));
    return main.map((m, i) => (m + (skip[i] as number)) / Math.sqrt(2));
  }

  #linear(name: string, x: Vector, divisor: number): number[] {
    const weight = this.#tensors.get(`${name}.weight`) as Float32Array;
    const bias = this.#tensors.get(`${name}.bias`);
    return Array.from({ length: weight.length / x.length }, (_, row) => {
      let sum = bias?.[row] ?? 0;
      for (let i = 0; i < x.length; i++) sum += (weight[row * x.length + i] as number) * (x[i] as number);
      return sum / divisor;
    });
  }

  #rms(x: Vector, name: string): number[] {
    const weight = this.#tensors.get(`${name}.weight`);
    const mean = x.reduce((sum, value) => sum + value * value, 0) / x.length;
    return x.map((value, i) => (value / Math.sqrt(mean + this.#number('norm_eps'))) * (weight?.[i] ?? 1));
  }

  #add(x: States, branch: States, name: string): number[][][] {
    const tau = this.#tensors.get(name)?.[0] as number;
    return x.map((positions, n) =>
      positions.map((v, s) =>
        v.map((value, i) => (value + tau * (branch[n]?.[s]?.[i] as number)) / Math.sqrt(1 + tau * tau)),
      ),
    );
  }

  #isVariateLayer(i: number): boolean {
    const position = i % this.#number('layer_group_size');
    const variateLayers = this.#number('num_variate_layers_per_group');
    return this.#config.variate_layer_first
      ? position < variateLayers
      : position >= this.#number('layer_group_size') - variateLayers;
  }

  #number(name: string): number {
    return this.#config[name] as number;
  }
}

function silu(x: number): number {
  return x / (1 + Math.exp(-x));
}

function map<A, B>(states: readonly (readonly A[])[], of: (value: A) => B): B[][] {
  return states.map((positions) => positions.map(of));
}

function byHead(x: Vector, dim: number, of: (head: Vector) => number[]): number[] {
  return Array.from({ length: x.length / dim }, (_, head) => of(x.slice(head * dim, (head + 1) * dim))).flat();
}
