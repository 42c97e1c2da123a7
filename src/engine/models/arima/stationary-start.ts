import type { LagPolynomials } from './lag-polynomial.ts';

/**
 * The state of the exact likelihood before the first observation, for innovations of variance 1: the variance of w, and
 * the covariance of w(t) with each element of the next state (Harvey's form, dimension max(p, q + 1)).
 */
export class StationaryStart {
  /** Variance of w. */
  variance = 0;
  /** Covariance of w(t) with element i of the state at t + 1. */
  readonly gain: Float64Array;
  readonly #p: number;
  readonly #q: number;
  /** Autocovariances of the process without its moving-average part. */
  readonly #plain: AutoregressiveCovariance;
  readonly #covariance: Float64Array;
  readonly #maProducts: Float64Array;
  readonly #psi: Float64Array;

  constructor(p: number, q: number) {
    this.#p = p;
    this.#q = q;
    this.gain = new Float64Array(Math.max(p, q + 1));
    this.#plain = new AutoregressiveCovariance(p, p + q);
    this.#covariance = new Float64Array(p + 1);
    this.#maProducts = new Float64Array(q + 1);
    this.#psi = new Float64Array(q + 1);
  }

  /** Returns false if the autoregressive part is not stationary, which only rounding can cause. */
  compute(polynomials: LagPolynomials): boolean {
    if (!this.#plain.compute(polynomials)) return false;
    this.#mixedCovariance(polynomials);
    this.#psiWeights(polynomials);
    const { ar, ma, arLags, maLags } = polynomials;
    const gain = this.gain;
    gain.fill(0);
    for (let l = 0; l < arLags.length; l++) {
      const lag = arLags[l] as number;
      const weight = ar[lag - 1] as number;
      for (let i = 0; i < lag; i++) {
        gain[i] = (gain[i] as number) + weight * (this.#covariance[lag - 1 - i] as number);
      }
    }
    for (let l = 0; l < maLags.length; l++) {
      const lag = maLags[l] as number;
      const weight = ma[lag - 1] as number;
      for (let i = 0; i < lag; i++) gain[i] = (gain[i] as number) + weight * (this.#psi[lag - 1 - i] as number);
    }
    return Number.isFinite(this.variance);
  }

  #mixedCovariance({ ma }: LagPolynomials): void {
    const q = this.#q;
    const products = this.#maProducts;
    for (let l = 0; l <= q; l++) {
      let sum = l === 0 ? 1 : (ma[l - 1] as number);
      for (let i = 0; i + l < q; i++) sum += (ma[i] as number) * (ma[i + l] as number);
      products[l] = sum;
    }
    const plain = this.#plain.values;
    for (let k = 0; k <= this.#p; k++) {
      let sum = (products[0] as number) * (plain[k] as number);
      for (let l = 1; l <= q; l++) {
        const product = products[l] as number;
        if (product !== 0) sum += product * ((plain[k + l] as number) + (plain[Math.abs(k - l)] as number));
      }
      this.#covariance[k] = sum;
    }
    this.variance = this.#covariance[0] as number;
  }

  /** Writes the effect of an innovation of 1 on w, period by period. */
  #psiWeights({ ar, ma, arLags }: LagPolynomials): void {
    const psi = this.#psi;
    psi[0] = 1;
    for (let j = 1; j <= this.#q; j++) {
      let sum = ma[j - 1] as number;
      for (let l = 0; l < arLags.length; l++) {
        const lag = arLags[l] as number;
        if (lag > j) break;
        sum += (ar[lag - 1] as number) * (psi[j - lag] as number);
      }
      psi[j] = sum;
    }
  }
}

/**
 * Autocovariances of a purely autoregressive process with innovations of variance 1. The Levinson recursion runs down
 * to the partial autocorrelations and up again.
 */
class AutoregressiveCovariance {
  /** At lags 0, 1, 2, … */
  readonly values: Float64Array;
  readonly #p: number;
  /** Weights of the best linear forecasts from 1, 2, …, p values, stored one after the other. */
  readonly #levels: Float64Array;
  readonly #partials: Float64Array;

  constructor(p: number, lags: number) {
    this.#p = p;
    this.values = new Float64Array(lags + 1);
    this.#levels = new Float64Array((p * (p + 1)) / 2);
    this.#partials = new Float64Array(p);
  }

  /** Returns false if the process is not stationary, which only rounding can cause. */
  compute({ ar, arLags }: LagPolynomials): boolean {
    const shrink = this.#stepDown(ar);
    if (!(shrink > 0)) return false;
    const covariance = this.values;
    const p = this.#p;
    const levels = this.#levels;
    let variance = 1 / shrink;
    covariance[0] = variance;
    for (let j = 1; j <= p; j++) {
      const partial = this.#partials[j - 1] as number;
      let sum = partial * variance;
      const level = ((j - 1) * (j - 2)) / 2;
      for (let i = 1; i < j; i++) sum += (levels[level + i - 1] as number) * (covariance[j - i] as number);
      covariance[j] = sum;
      variance *= 1 - partial * partial;
    }
    for (let j = p + 1; j < covariance.length; j++) {
      let sum = 0;
      for (let l = 0; l < arLags.length; l++) {
        const lag = arLags[l] as number;
        sum += (ar[lag - 1] as number) * (covariance[j - lag] as number);
      }
      covariance[j] = sum;
    }
    return true;
  }

  /**
   * Writes the levels and the partial autocorrelations. Returns the innovation variance divided by the variance; 0 if
   * the process is not stationary.
   */
  #stepDown(ar: Float64Array): number {
    const p = this.#p;
    const levels = this.#levels;
    let base = (p * (p - 1)) / 2;
    for (let i = 0; i < p; i++) levels[base + i] = ar[i] as number;
    let shrink = 1;
    for (let j = p; j >= 1; j--) {
      const partial = levels[base + j - 1] as number;
      const left = 1 - partial * partial;
      if (!(left > 0)) return 0;
      this.#partials[j - 1] = partial;
      shrink *= left;
      const below = base - (j - 1);
      for (let i = 0; i < j - 1; i++) {
        levels[below + i] = ((levels[base + i] as number) + partial * (levels[base + j - 2 - i] as number)) / left;
      }
      base = below;
    }
    return shrink;
  }
}
