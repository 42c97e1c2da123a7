import type { LagPolynomials } from './lag-polynomial.ts';
import type { StationaryStart } from './stationary-start.ts';

/**
 * An ARIMA process as a state that advances from period to period (Harvey's form): `r` elements of the stationary part,
 * then the last values of the series. The observed value is the first element plus the weighted past values. Because
 * the transition matrix is sparse and is never built, the cost of advancing a state is proportional to its dimension.
 */
export class StateSpace {
  readonly r: number;
  readonly dimension: number;
  /** The weight of each element in the observed value, and the indexes of the elements whose weight is not zero. */
  readonly load: Float64Array;
  readonly seen: Int32Array;
  /** Autoregressive weights, and the effect of an innovation of 1 on each element of the stationary part. */
  readonly phi: Float64Array;
  readonly shock: Float64Array;

  /** @param weights the weights of past values that undo differencing */
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

  /** Returns the observed value that a state implies. */
  expected(state: Float64Array): number {
    let sum = 0;
    for (const j of this.seen) sum += (state[j] as number) * (this.load[j] as number);
    return sum;
  }

  /** Advances a state by one period. */
  advance(state: Float64Array): void {
    const { r, phi } = this;
    const seen = this.expected(state);
    const head = state[0] as number;
    for (let i = this.dimension - 1; i > r; i--) state[i] = state[i - 1] as number;
    for (let i = 0; i < r; i++) state[i] = (phi[i] as number) * head + (i + 1 < r ? (state[i + 1] as number) : 0);
    if (this.dimension > r) state[r] = seen;
  }

  /** Advances every column of a square matrix by one period. */
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

/**
 * The covariance of a state, and how observations reduce it. The cost of a step is proportional to the square of the
 * dimension.
 */
export class StateCovariance {
  readonly #space: StateSpace;
  readonly #gain: Float64Array;
  #p: Float64Array;
  #work: Float64Array;

  constructor(space: StateSpace) {
    this.#space = space;
    this.#gain = new Float64Array(space.dimension);
    this.#p = new Float64Array(space.dimension ** 2);
    this.#work = new Float64Array(space.dimension ** 2);
  }

  /**
   * Sets the initial covariance: that of the stationary process for the stationary part, and the variance `unknown` for
   * the values before the first period.
   */
  begin({ variance, gain }: StationaryStart, unknown: number): void {
    const { r, phi, shock, dimension: size } = this.#space;
    const p = this.#p;
    p.fill(0);
    p[0] = variance;
    for (let i = 0; i + 1 < r; i++) {
      const value = (gain[i] as number) - (phi[i] as number) * variance;
      p[i + 1] = value;
      p[(i + 1) * size] = value;
    }
    // The other elements follow from P = T P T' + R R', starting at the last corner.
    for (let i = r - 1; i >= 1; i--) {
      for (let j = i; j >= 1; j--) {
        const fi = phi[i] as number;
        const fj = phi[j] as number;
        let value = fi * fj * variance + (shock[i] as number) * (shock[j] as number);
        if (j + 1 < r) value += fi * (p[j + 1] as number);
        if (i + 1 < r) value += fj * (p[i + 1] as number) + (p[(i + 1) * size + j + 1] as number);
        p[i * size + j] = value;
        p[j * size + i] = value;
      }
    }
    for (let i = r; i < size; i++) p[i * size + i] = unknown;
  }

  /** Returns the variance of the next value, and prepares `correct` and `reduce`. */
  observe(): number {
    const { load, seen, dimension: size } = this.#space;
    const p = this.#p;
    let variance = 0;
    for (let i = 0; i < size; i++) {
      let sum = 0;
      for (const j of seen) sum += (p[i * size + j] as number) * (load[j] as number);
      this.#gain[i] = sum;
      variance += sum * (load[i] as number);
    }
    return variance;
  }

  /** Corrects a state by an observation: `move` is its error divided by its variance. */
  correct(state: Float64Array, move: number): void {
    for (let i = 0; i < state.length; i++) state[i] = (state[i] as number) + (this.#gain[i] as number) * move;
  }

  /** Reduces the covariance after an observation with this variance. */
  reduce(variance: number): void {
    const size = this.#space.dimension;
    const p = this.#p;
    const gain = this.#gain;
    for (let i = 0; i < size; i++) {
      const share = (gain[i] as number) / variance;
      for (let j = 0; j < size; j++) p[i * size + j] = (p[i * size + j] as number) - share * (gain[j] as number);
    }
  }

  /** Advances to the next period: P becomes T P T' + R R'. */
  advance(): void {
    const { r, shock, dimension: size } = this.#space;
    this.#space.advanceColumns(this.#p, this.#work);
    // P is symmetric: the columns of the transposed product are its rows.
    transpose(this.#work, this.#p, size);
    this.#space.advanceColumns(this.#p, this.#work);
    [this.#p, this.#work] = [this.#work, this.#p];
    const p = this.#p;
    for (let i = 0; i < r; i++) {
      for (let j = 0; j < r; j++) {
        p[i * size + j] = (p[i * size + j] as number) + (shock[i] as number) * (shock[j] as number);
      }
    }
  }
}

function transpose(from: Float64Array, to: Float64Array, size: number): void {
  for (let i = 0; i < size; i++) for (let j = 0; j < size; j++) to[j * size + i] = from[i * size + j] as number;
}
