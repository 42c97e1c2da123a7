import type { LeastSquares } from '../../numerics/least-squares.ts';
import { createLagPolynomials, expandPolynomials, type LagPolynomials } from './lag-polynomial.ts';
import { countCoefficients, type Orders } from './orders.ts';

/**
 * The conditional sum of squares: innovations follow from their definition, and those before the first full set of lags
 * are taken as zero. It costs less than the exact likelihood and is close to it on long series. The search uses it for
 * long series and long seasons.
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
    this.parameters = countCoefficients(orders);
    this.residuals = Math.max(0, w.length - this.#polynomials.ar.length);
    this.#errors = new Float64Array(w.length);
    this.#errorsOfOne = new Float64Array(w.length);
  }

  evaluate(free: Float64Array, out: Float64Array): number {
    expandPolynomials(this.#orders, free, this.#polynomials);
    const errors = this.#errors;
    const ofOne = this.#errorsOfOne;
    const withMean = this.#orders.constant;
    const first = this.#polynomials.ar.length;
    recurseInnovations(this.#polynomials, this.#w, withMean, first, first, errors, ofOne);
    const mean = withMean ? this.#mean(first) : 0;
    let total = 0;
    for (let t = first; t < errors.length; t++) {
      const e = (errors[t] as number) - mean * (ofOne[t] as number);
      out[t - first] = e;
      total += e * e;
    }
    return total;
  }

  /** Returns the mean that minimizes the sum of squares. */
  #mean(first: number): number {
    const errors = this.#errors;
    const ofOne = this.#errorsOfOne;
    let top = 0;
    let bottom = 0;
    for (let t = first; t < errors.length; t++) {
      top += (errors[t] as number) * (ofOne[t] as number);
      bottom += (ofOne[t] as number) * (ofOne[t] as number);
    }
    return bottom > 0 ? top / bottom : 0;
  }
}

/**
 * Writes the innovations of `w` from period `from` on, by their definition, and the innovations of a series of ones,
 * which are the effect of a mean of 1. The latter include the moving average only if a mean is estimated.
 *
 * @param first innovations before this period count as zero
 */
export function recurseInnovations(
  { ar, ma, arLags, maLags }: LagPolynomials,
  w: Float64Array,
  withMean: boolean,
  from: number,
  first: number,
  errors: Float64Array,
  errorsOfOne: Float64Array,
): void {
  let one = 1;
  for (let l = 0; l < arLags.length; l++) one -= ar[(arLags[l] as number) - 1] as number;
  for (let t = from; t < w.length; t++) {
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
      if (withMean) sumOfOne -= weight * (errorsOfOne[t - lag] as number);
    }
    errors[t] = sum;
    errorsOfOne[t] = sumOfOne;
  }
}
