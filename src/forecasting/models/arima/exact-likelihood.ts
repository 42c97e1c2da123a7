import { StationaryStart } from './autocovariance.ts';
import { extrapolate, impulseResponse, meanResponse } from './extrapolate.ts';
import { createLagPolynomials, expandPolynomials, type LagPolynomials } from './lag-polynomial.ts';
import { coefficientCount, type Orders } from './orders.ts';
import type { FuturePath, PathFilter } from './path-filter.ts';

/** Once the one-step variance is this close to its limit, the filter is replaced by the plain recursion. */
const STEADY = 1e-8;

/**
 * The exact Gaussian likelihood of a complete stationary ARMA series, by the Kalman filter in its fast form (the
 * Chandrasekhar recursions: the change of the state covariance has rank one, so a step costs the state dimension and
 * not its square). As a least-squares problem: the squares of the scaled residuals sum to
 * n * exp(-2 loglik / n - 1 - log(2 pi)). The mean is estimated by generalised least squares along the way.
 */
export class ExactLikelihood implements PathFilter {
  readonly parameters: number;
  readonly residuals: number;
  readonly polynomials: LagPolynomials;
  /** Estimate of the mean at the last point evaluated (0 without a constant). */
  mean = 0;
  /** Information on the mean, in units of 1 / innovation variance. */
  #meanInformation = 0;
  /** Sum over log one-step variances. */
  #sumLog = 0;
  /** State predicted for the period after the last, for w without its mean. */
  readonly #state: Float64Array;
  readonly #orders: Orders;
  readonly #y: Float64Array;
  readonly #w: Float64Array;
  readonly #start: StationaryStart;
  readonly #gain: Float64Array;
  readonly #change: Float64Array;
  readonly #ofOne: Float64Array;
  readonly #errors: Float64Array;
  readonly #errorsOfOne: Float64Array;
  readonly #variances: Float64Array;

  /** `y` is the series, `w` its differences. */
  constructor(y: Float64Array, w: Float64Array, orders: Orders) {
    this.#y = y;
    this.#orders = orders;
    this.#w = w;
    this.parameters = coefficientCount(orders);
    this.residuals = w.length;
    this.polynomials = createLagPolynomials(orders);
    const { ar, ma } = this.polynomials;
    this.#start = new StationaryStart(ar.length, ma.length);
    const r = this.#start.gain.length;
    // One element more than the state, always zero: the shift needs no special last step.
    this.#state = new Float64Array(r + 1);
    this.#gain = new Float64Array(r + 1);
    this.#change = new Float64Array(r + 1);
    this.#ofOne = new Float64Array(r + 1);
    this.#errors = new Float64Array(w.length);
    this.#errorsOfOne = new Float64Array(w.length);
    this.#variances = new Float64Array(w.length);
  }

  evaluate(free: Float64Array, out: Float64Array): number {
    return this.#run(free, true, out);
  }

  /** As `evaluate`; without the short cut the filter runs to the end and leaves its state. */
  #run(free: Float64Array, shortCut: boolean, out: Float64Array): number {
    expandPolynomials(this.#orders, free, this.polynomials);
    if (!this.#start.compute(this.polynomials)) return Number.POSITIVE_INFINITY;
    const n = this.residuals;
    const filtered = this.#filter(shortCut);
    if (filtered < n) this.#recurse(filtered);
    let product = 1;
    let sumLog = 0;
    const variances = this.#variances;
    for (let t = 0; t < filtered; t++) {
      product *= variances[t] as number;
      // One logarithm for many factors.
      if (product > 1e100 || t === filtered - 1) {
        sumLog += Math.log(product);
        product = 1;
      }
    }
    this.#sumLog = sumLog;
    if (this.#orders.constant) this.#fitMean(filtered);
    const scale = Math.exp(sumLog / (2 * n));
    const errors = this.#errors;
    let sum = 0;
    for (let t = 0; t < n; t++) {
      const e = (errors[t] as number) * (t < filtered ? scale / Math.sqrt(variances[t] as number) : scale);
      out[t] = e;
      sum += e * e;
    }
    return sum;
  }

  path(free: Float64Array, horizon: number): FuturePath {
    const residuals = new Float64Array(this.residuals);
    const squares = this.#run(free, false, residuals);
    const { polynomials, mean } = this;
    const impulse = impulseResponse(this.#orders, polynomials, horizon);
    let sum = 0;
    const unitVariance = impulse.map((weight) => {
      sum += weight * weight;
      return sum;
    });
    return {
      residuals,
      squares,
      scale: Math.exp(this.#sumLog / this.residuals),
      mean: extrapolate(this.#y, this.#orders, { polynomials, state: this.#state, mean }, horizon),
      unitVariance,
      meanResponse: meanResponse(this.#orders, { polynomials, state: this.#ofOne, mean }, horizon),
      meanInformation: this.#meanInformation,
    };
  }

  /** Runs the filter until it is steady; the number of periods done. */
  #filter(shortCut: boolean): number {
    const n = this.residuals;
    const w = this.#w;
    const { ar } = this.polynomials;
    const r = this.#state.length - 1;
    const phi = this.#phi(ar, r);
    const state = this.#state;
    const ofOne = this.#ofOne;
    const gain = this.#gain;
    const change = this.#change;
    const withMean = this.#orders.constant;
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
      this.#errors[t] = error;
      this.#errorsOfOne[t] = errorOfOne;
      this.#variances[t] = variance;
      const s = change[0] as number;
      const weight = (-variance / first) * s;
      const next = variance + weight * s;
      const ratio = s / next;
      const move = error / variance;
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
      // Long settled, the change would fade into numbers so small that each step costs ten.
      if (s * s < 1e-30 && settled(change, r)) change.fill(0);
      if (shortCut && variance < 1 + STEADY && t + 1 >= r) {
        return t + 1;
      }
    }
    return n;
  }

  #padded: Float64Array | undefined;

  #phi(ar: Float64Array, r: number): Float64Array {
    if (ar.length === r) return ar;
    this.#padded ??= new Float64Array(r);
    this.#padded.set(ar);
    return this.#padded;
  }

  /** The steady filter: innovations straight from their definition. */
  #recurse(from: number): void {
    const { ar, ma, arLags, maLags } = this.polynomials;
    const n = this.residuals;
    const w = this.#w;
    const errors = this.#errors;
    const ofOne = this.#errorsOfOne;
    const withMean = this.#orders.constant;
    let one = 1;
    for (let l = 0; l < arLags.length; l++) one -= ar[(arLags[l] as number) - 1] as number;
    for (let t = from; t < n; t++) {
      let sum = w[t] as number;
      for (let l = 0; l < arLags.length; l++) {
        const lag = arLags[l] as number;
        sum -= (ar[lag - 1] as number) * (w[t - lag] as number);
      }
      let sumOfOne = one;
      for (let l = 0; l < maLags.length; l++) {
        const lag = maLags[l] as number;
        const weight = ma[lag - 1] as number;
        sum -= weight * (errors[t - lag] as number);
        if (withMean) sumOfOne -= weight * (ofOne[t - lag] as number);
      }
      errors[t] = sum;
      ofOne[t] = sumOfOne;
    }
  }

  #fitMean(filtered: number): void {
    const n = this.residuals;
    const errors = this.#errors;
    const ofOne = this.#errorsOfOne;
    let top = 0;
    let bottom = 0;
    for (let t = 0; t < n; t++) {
      const b = (ofOne[t] as number) / (t < filtered ? (this.#variances[t] as number) : 1);
      top += b * (errors[t] as number);
      bottom += b * (ofOne[t] as number);
    }
    this.mean = bottom > 0 ? top / bottom : 0;
    this.#meanInformation = bottom;
    for (let t = 0; t < n; t++) errors[t] = (errors[t] as number) - this.mean * (ofOne[t] as number);
    for (let i = 0; i < this.#state.length; i++) {
      this.#state[i] = (this.#state[i] as number) - this.mean * (this.#ofOne[i] as number);
    }
  }
}
function settled(change: Float64Array, r: number): boolean {
  for (let i = 0; i < r; i++) if (Math.abs(change[i] as number) > 1e-15) return false;
  return true;
}
