import { AutoregressiveCovariance } from './autoregressive-covariance.ts';
import type { LagPolynomials } from './lag-polynomial.ts';

/**
 * What the exact likelihood needs to know before the first observation, for innovations of variance 1: the variance
 * of w, and the covariance of w(t) with each element of the next state (Harvey's form, dimension max(p, q + 1)).
 */
export class StationaryStart {
  /** Variance of w. */
  variance = 0;
  /** Covariance of w(t) with element i of the state at t + 1. */
  readonly gain: Float64Array;
  readonly #p: number;
  readonly #q: number;
  /** Of the process without its moving average. */
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

  /** False where the autoregressive part is not stationary (by rounding: it is so by construction). */
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

  /** What an innovation of 1 does to w, period by period. */
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
