import type { LagPolynomials } from './lag-polynomial.ts';

/**
 * An ARIMA process as a state that moves from period to period (Harvey's form): `r` elements of the stationary part, then
 * the last values of the series. What is seen is the first element plus the weighted past values. The transition is
 * applied by its structure, so moving a state costs its dimension.
 */
export class StateSpace {
  readonly r: number;
  readonly dimension: number;
  /** What an element contributes to the value seen, and which elements contribute at all. */
  readonly load: Float64Array;
  readonly seen: Int32Array;
  /** Autoregressive weights, and what an innovation of 1 adds to each element of the stationary part. */
  readonly phi: Float64Array;
  readonly shock: Float64Array;

  /** @param weights of the past values in the undifferenced series */
  constructor(r: number, weights: Float64Array) {
    this.r = r;
    this.dimension = r + weights.length;
    this.load = new Float64Array(this.dimension);
    this.load[0] = 1;
    this.load.set(weights, r);
    this.seen = Int32Array.from(this.load.keys()).filter((i) => this.load[i] !== 0);
    this.phi = new Float64Array(r);
    this.shock = new Float64Array(r);
  }

  set({ ar, ma }: LagPolynomials): void {
    this.phi.fill(0);
    this.phi.set(ar);
    this.shock.fill(0);
    this.shock[0] = 1;
    this.shock.set(ma, 1);
  }

  /** The value that a state shows. */
  expected(state: Float64Array): number {
    let sum = 0;
    for (const j of this.seen) sum += (state[j] as number) * (this.load[j] as number);
    return sum;
  }

  /** Moves a state on by one period. */
  advance(state: Float64Array): void {
    const { r, phi } = this;
    const seen = this.expected(state);
    const head = state[0] as number;
    for (let i = this.dimension - 1; i > r; i--) state[i] = state[i - 1] as number;
    for (let i = 0; i < r; i++) state[i] = (phi[i] as number) * head + (i + 1 < r ? (state[i + 1] as number) : 0);
    if (this.dimension > r) state[r] = seen;
  }

  /** Moves every column of a square matrix on by one period. */
  advanceColumns(from: Float64Array, to: Float64Array): void {
    const { r, phi, dimension: size } = this;
    for (let i = 0; i < r; i++) {
      const f = phi[i] as number;
      for (let j = 0; j < size; j++) {
        to[i * size + j] = f * (from[j] as number) + (i + 1 < r ? (from[(i + 1) * size + j] as number) : 0);
      }
    }
    if (size === r) return;
    to.fill(0, r * size, (r + 1) * size);
    for (const k of this.seen) {
      const weight = this.load[k] as number;
      for (let j = 0; j < size; j++) {
        to[r * size + j] = (to[r * size + j] as number) + weight * (from[k * size + j] as number);
      }
    }
    to.set(from.subarray(r * size, (size - 1) * size), (r + 1) * size);
  }
}
