import { recurseInnovations } from './conditional-squares.ts';
import type { LagPolynomials } from './lag-polynomial.ts';
import { StationaryStart } from './stationary-start.ts';

/** When the one-step variance is this close to its limit, a plain recursion replaces the filter. */
const STEADY_MARGIN = 1e-8;

/**
 * The Kalman filter of a complete stationary ARMA series in its fast form, the Chandrasekhar recursions. Because the
 * change of the state covariance has rank one, the cost of a step is proportional to the dimension of the state and not
 * to its square. The filter also runs over a series of ones, from which the mean is estimated.
 */
export class FastFilter {
  /**
   * For the filtered periods: the innovations of the series, those of the series of ones, and the variances of the
   * series' innovations in units of their limit.
   */
  readonly errors: Float64Array;
  readonly errorsOfOne: Float64Array;
  readonly variances: Float64Array;
  /**
   * The predicted states of the series and of the series of ones, for the period after the last. The last element of
   * each is always zero.
   */
  readonly state: Float64Array;
  readonly ofOne: Float64Array;
  readonly #w: Float64Array;
  readonly #polynomials: LagPolynomials;
  readonly #withMean: boolean;
  readonly #start: StationaryStart;
  /** The autoregressive weights, padded to the number of state elements. */
  readonly #phi: Float64Array;
  readonly #gain: Float64Array;
  readonly #change: Float64Array;

  constructor(w: Float64Array, polynomials: LagPolynomials, withMean: boolean) {
    const { ar, ma } = polynomials;
    this.#w = w;
    this.#polynomials = polynomials;
    this.#withMean = withMean;
    this.#start = new StationaryStart(ar.length, ma.length);
    const r = this.#start.gain.length;
    this.#phi = ar.length === r ? ar : new Float64Array(r);
    // One more element than the state has; it is always zero, so that the shift needs no special last step.
    this.state = new Float64Array(r + 1);
    this.ofOne = new Float64Array(r + 1);
    this.#gain = new Float64Array(r + 1);
    this.#change = new Float64Array(r + 1);
    this.errors = new Float64Array(w.length);
    this.errorsOfOne = new Float64Array(w.length);
    this.variances = new Float64Array(w.length);
  }

  /**
   * Writes the innovations for the current polynomials. Without the shortcut the filter runs to the end and sets
   * `state`.
   *
   * @returns the number of filtered periods, after which all variances are 1; NaN if the process is not stationary
   */
  run(shortcut: boolean): number {
    if (!this.#start.compute(this.#polynomials)) return Number.NaN;
    if (this.#phi !== this.#polynomials.ar) this.#phi.set(this.#polynomials.ar);
    const filtered = this.#filter(shortcut);
    if (filtered < this.#w.length) {
      recurseInnovations(this.#polynomials, this.#w, this.#withMean, filtered, 0, this.errors, this.errorsOfOne);
    }
    return filtered;
  }

  /** Subtracts the effect of a mean from the innovations and the state. */
  removeMean(mean: number): void {
    subtractScaled(this.errors, mean, this.errorsOfOne);
    subtractScaled(this.state, mean, this.ofOne);
  }

  /** Filters until the variance is steady, and returns the number of periods filtered. */
  #filter(shortcut: boolean): number {
    const w = this.#w;
    const n = w.length;
    const phi = this.#phi;
    const r = phi.length;
    const { state, ofOne, errors, errorsOfOne, variances } = this;
    const gain = this.#gain;
    const change = this.#change;
    const withMean = this.#withMean;
    state.fill(0);
    ofOne.fill(0);
    gain.set(this.#start.gain);
    change.set(this.#start.gain);
    let variance = this.#start.variance;
    const first = variance * variance;
    for (let t = 0; t < n; t++) {
      const a = state[0] as number;
      const error = (w[t] as number) - a;
      const b = ofOne[0] as number;
      const errorOfOne = 1 - b;
      errors[t] = error;
      errorsOfOne[t] = errorOfOne;
      variances[t] = variance;
      const s = change[0] as number;
      const weight = (-variance / first) * s;
      const next = variance + weight * s;
      const ratio = s / next;
      const move = error / variance;
      // The loop is written twice because a separate loop over the ones makes the whole fit 6% slower.
      if (withMean) {
        const moveOfOne = errorOfOne / variance;
        for (let i = 0; i < r; i++) {
          const f = phi[i] as number;
          const g = gain[i] as number;
          const x = f * s + (change[i + 1] as number);
          const updated = g + weight * x;
          state[i] = f * a + (state[i + 1] as number) + g * move;
          ofOne[i] = f * b + (ofOne[i + 1] as number) + g * moveOfOne;
          gain[i] = updated;
          change[i] = x - updated * ratio;
        }
      } else {
        for (let i = 0; i < r; i++) {
          const f = phi[i] as number;
          const g = gain[i] as number;
          const x = f * s + (change[i + 1] as number);
          const updated = g + weight * x;
          state[i] = f * a + (state[i + 1] as number) + g * move;
          gain[i] = updated;
          change[i] = x - updated * ratio;
        }
      }
      variance = next;
      // Once settled, the change would shrink to denormal numbers, which make each step ten times slower.
      if (s * s < 1e-30 && hasSettled(change, r)) change.fill(0);
      if (shortcut && variance < 1 + STEADY_MARGIN && t + 1 >= r) return t + 1;
    }
    return n;
  }
}

function hasSettled(change: Float64Array, r: number): boolean {
  for (let i = 0; i < r; i++) if (Math.abs(change[i] as number) > 1e-15) return false;
  return true;
}

function subtractScaled(from: Float64Array, factor: number, values: Float64Array): void {
  for (let i = 0; i < from.length; i++) from[i] = (from[i] as number) - factor * (values[i] as number);
}
