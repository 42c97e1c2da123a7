import type { LeastSquares } from '../../numerics/least-squares.ts';
import { recurseInnovations } from './innovations.ts';
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

  /** The mean that makes the squares least. */
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
