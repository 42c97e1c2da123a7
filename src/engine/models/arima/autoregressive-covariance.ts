import type { LagPolynomials } from './lag-polynomial.ts';

/**
 * Autocovariances of a purely autoregressive process with innovations of variance 1: the Levinson recursion down to the
 * partial autocorrelations, then up again.
 */
export class AutoregressiveCovariance {
  /** At lags 0, 1, 2, … */
  readonly values: Float64Array;
  readonly #p: number;
  /** Weights of the best forecasts from 1, 2, …, p values, one after the other. */
  readonly #levels: Float64Array;
  readonly #partials: Float64Array;

  constructor(p: number, lags: number) {
    this.#p = p;
    this.values = new Float64Array(lags + 1);
    this.#levels = new Float64Array((p * (p + 1)) / 2);
    this.#partials = new Float64Array(p);
  }

  /** False where the process is not stationary (by rounding: it is so by construction). */
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

  /** Writes levels and partial autocorrelations; returns innovation variance over variance, 0 if not stationary. */
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
