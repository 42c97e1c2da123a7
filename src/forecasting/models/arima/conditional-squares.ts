import type { LeastSquares } from '../../numerics/levenberg-marquardt.ts';
import { createLagPolynomials, expandPolynomials, type LagPolynomials } from './lag-polynomial.ts';
import { coefficientCount, type Orders } from './orders.ts';

/**
 * Conditional sum of squares: innovations from their definition, taking those before the first full set of lags as
 * zero. Cheaper than the exact likelihood, near it on long series: for the search.
 */
export class ConditionalSquares implements LeastSquares {
  readonly parameters: number;
  readonly residuals: number;
  readonly #orders: Orders;
  readonly #w: Float64Array;
  readonly #polynomials: LagPolynomials;
  readonly #errors: Float64Array;
  readonly #errorsOfOne: Float64Array;

  constructor(w: Float64Array, orders: Orders) {
    this.#orders = orders;
    this.#w = w;
    this.#polynomials = createLagPolynomials(orders);
    this.parameters = coefficientCount(orders);
    this.residuals = Math.max(0, w.length - this.#polynomials.ar.length);
    this.#errors = new Float64Array(w.length);
    this.#errorsOfOne = new Float64Array(w.length);
  }

  evaluate(free: Float64Array, out: Float64Array): number {
    expandPolynomials(this.#orders, free, this.#polynomials);
    const { ar, ma, arLags, maLags } = this.#polynomials;
    const w = this.#w;
    const errors = this.#errors;
    const ofOne = this.#errorsOfOne;
    const first = ar.length;
    const withMean = this.#orders.constant;
    let one = 1;
    for (let l = 0; l < arLags.length; l++) one -= ar[(arLags[l] as number) - 1] as number;
    let top = 0;
    let bottom = 0;
    for (let t = first; t < w.length; t++) {
      let sum = w[t] as number;
      for (let l = 0; l < arLags.length; l++) {
        const lag = arLags[l] as number;
        sum -= (ar[lag - 1] as number) * (w[t - lag] as number);
      }
      let sumOfOne = one;
      for (let l = 0; l < maLags.length; l++) {
        const lag = maLags[l] as number;
        if (t - lag < first) break;
        const weight = ma[lag - 1] as number;
        sum -= weight * (errors[t - lag] as number);
        if (withMean) sumOfOne -= weight * (ofOne[t - lag] as number);
      }
      errors[t] = sum;
      ofOne[t] = sumOfOne;
      top += sum * sumOfOne;
      bottom += sumOfOne * sumOfOne;
    }
    const mean = withMean && bottom > 0 ? top / bottom : 0;
    let total = 0;
    for (let t = first; t < w.length; t++) {
      const e = (errors[t] as number) - mean * (ofOne[t] as number);
      out[t - first] = e;
      total += e * e;
    }
    return total;
  }
}
