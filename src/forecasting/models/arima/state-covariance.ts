import type { StationaryStart } from './autocovariance.ts';
import type { LagPolynomials } from './lag-polynomial.ts';

/**
 * State and covariance of an ARIMA process: `r` elements of the stationary part, then the last values of the series.
 * What is seen is the first element plus the weighted past values. The transition is applied by its structure, so a
 * step costs the square of the dimension.
 */
export class StateCovariance {
  readonly dimension: number;
  readonly #r: number;
  readonly #weights: Float64Array;
  readonly #seen: Int32Array;
  readonly #load: Float64Array;
  readonly #phi: Float64Array;
  readonly #shock: Float64Array;
  readonly #gain: Float64Array;
  #p: Float64Array;
  #work: Float64Array;

  constructor(r: number, weights: Float64Array) {
    this.#r = r;
    this.#weights = weights;
    this.dimension = r + weights.length;
    this.#load = new Float64Array(this.dimension);
    this.#load[0] = 1;
    this.#load.set(weights, r);
    this.#seen = Int32Array.from(this.#load.keys()).filter((i) => this.#load[i] !== 0);
    this.#phi = new Float64Array(r);
    this.#shock = new Float64Array(r);
    this.#gain = new Float64Array(this.dimension);
    this.#p = new Float64Array(this.dimension ** 2);
    this.#work = new Float64Array(this.dimension ** 2);
  }

  /** The stationary part starts as it always is; the values before the first are as good as unknown. */
  begin(start: StationaryStart, { ar, ma }: LagPolynomials, unknown: number): void {
    const r = this.#r;
    const size = this.dimension;
    const p = this.#p;
    this.#phi.fill(0);
    this.#phi.set(ar);
    this.#shock.fill(0);
    this.#shock[0] = 1;
    this.#shock.set(ma, 1);
    p.fill(0);
    p[0] = start.variance;
    for (let i = 0; i + 1 < r; i++) {
      const value = (start.gain[i] as number) - (this.#phi[i] as number) * start.variance;
      p[i + 1] = value;
      p[(i + 1) * size] = value;
    }
    // The rest follows from P = T P T' + R R', from the last corner upwards.
    for (let i = r - 1; i >= 1; i--) {
      for (let j = i; j >= 1; j--) {
        const fi = this.#phi[i] as number;
        const fj = this.#phi[j] as number;
        let value = fi * fj * start.variance + (this.#shock[i] as number) * (this.#shock[j] as number);
        if (j + 1 < r) value += fi * (p[j + 1] as number);
        if (i + 1 < r) value += fj * (p[i + 1] as number) + (p[(i + 1) * size + j + 1] as number);
        p[i * size + j] = value;
        p[j * size + i] = value;
      }
    }
    for (let i = r; i < size; i++) p[i * size + i] = unknown;
  }

  /** Variance of the next value; also prepares `update` and `reduce`. */
  observe(): number {
    const size = this.dimension;
    const p = this.#p;
    let variance = 0;
    for (let i = 0; i < size; i++) {
      let sum = 0;
      for (const j of this.#seen) sum += (p[i * size + j] as number) * (this.#load[j] as number);
      this.#gain[i] = sum;
      variance += sum * (this.#load[i] as number);
    }
    return variance;
  }

  expected(state: Float64Array): number {
    let sum = 0;
    for (const j of this.#seen) sum += (state[j] as number) * (this.#load[j] as number);
    return sum;
  }

  update(state: Float64Array, move: number): void {
    for (let i = 0; i < state.length; i++) state[i] = (state[i] as number) + (this.#gain[i] as number) * move;
  }

  reduce(variance: number): void {
    const size = this.dimension;
    const p = this.#p;
    for (let i = 0; i < size; i++) {
      const share = (this.#gain[i] as number) / variance;
      for (let j = 0; j < size; j++) p[i * size + j] = (p[i * size + j] as number) - share * (this.#gain[j] as number);
    }
  }

  advance(state: Float64Array): void {
    const r = this.#r;
    const seen = this.expected(state);
    const head = state[0] as number;
    for (let i = this.dimension - 1; i > r; i--) state[i] = state[i - 1] as number;
    for (let i = 0; i < r; i++) state[i] = (this.#phi[i] as number) * head + (i + 1 < r ? (state[i + 1] as number) : 0);
    if (this.#weights.length > 0) state[r] = seen;
  }

  advanceCovariance(): void {
    this.#advanceRows(this.#p, this.#work);
    // P is symmetric: the rows of the transposed product are its columns.
    transpose(this.#work, this.#p, this.dimension);
    this.#advanceRows(this.#p, this.#work);
    [this.#p, this.#work] = [this.#work, this.#p];
    const size = this.dimension;
    for (let i = 0; i < this.#r; i++) {
      for (let j = 0; j < this.#r; j++) {
        const at = i * size + j;
        this.#p[at] = (this.#p[at] as number) + (this.#shock[i] as number) * (this.#shock[j] as number);
      }
    }
  }

  #advanceRows(from: Float64Array, to: Float64Array): void {
    const r = this.#r;
    const size = this.dimension;
    for (let i = 0; i < r; i++) {
      const f = this.#phi[i] as number;
      for (let j = 0; j < size; j++) {
        to[i * size + j] = f * (from[j] as number) + (i + 1 < r ? (from[(i + 1) * size + j] as number) : 0);
      }
    }
    if (size === r) return;
    to.fill(0, r * size, (r + 1) * size);
    for (const k of this.#seen) {
      const weight = this.#load[k] as number;
      for (let j = 0; j < size; j++) {
        to[r * size + j] = (to[r * size + j] as number) + weight * (from[k * size + j] as number);
      }
    }
    to.set(from.subarray(r * size, (size - 1) * size), (r + 1) * size);
  }
}

function transpose(from: Float64Array, to: Float64Array, size: number): void {
  for (let i = 0; i < size; i++) for (let j = 0; j < size; j++) to[j * size + i] = from[i * size + j] as number;
}
