import type { StateSpace } from './state-space.ts';
import type { StationaryStart } from './stationary-start.ts';

/** What is not known of a state, as its covariance, and how observations reduce it. A step costs the dimension squared. */
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

  /** The stationary part starts as it always is; the values before the first are as good as unknown. */
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
    // The rest follows from P = T P T' + R R', from the last corner upwards.
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

  /** Variance of the next value; also prepares `correct` and `reduce`. */
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

  /** Moves a state towards what was observed: `move` is the surprise over its variance. */
  correct(state: Float64Array, move: number): void {
    for (let i = 0; i < state.length; i++) state[i] = (state[i] as number) + (this.#gain[i] as number) * move;
  }

  /** Takes off what the observation of this variance has told. */
  reduce(variance: number): void {
    const size = this.#space.dimension;
    const p = this.#p;
    const gain = this.#gain;
    for (let i = 0; i < size; i++) {
      const share = (gain[i] as number) / variance;
      for (let j = 0; j < size; j++) p[i * size + j] = (p[i * size + j] as number) - share * (gain[j] as number);
    }
  }

  /** On to the next period: P becomes T P T' + R R'. */
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
