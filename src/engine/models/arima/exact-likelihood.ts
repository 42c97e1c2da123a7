import { exp, log } from '../../numerics/elementary.ts';
import type { LeastSquares } from '../../numerics/least-squares.ts';
import { extrapolateSeries, impulseResponse, meanResponse } from './extrapolate.ts';
import { FastFilter } from './fast-filter.ts';
import { createLagPolynomials, expandPolynomials, type LagPolynomials } from './lag-polynomial.ts';
import { countCoefficients, type Orders } from './orders.ts';

/**
 * The exact Gaussian likelihood of a complete stationary ARMA series as a least-squares problem: the squares of the
 * scaled residuals sum to n * exp(-2 loglik / n - 1 - log(2 pi)). The mean is estimated at the same time by generalized
 * least squares.
 */
export class ExactLikelihood implements PathFilter {
  readonly parameters: number;
  readonly residuals: number;
  readonly #y: Float64Array;
  readonly #orders: Orders;
  readonly #polynomials: LagPolynomials;
  readonly #filter: FastFilter;
  /** Estimate of the mean at the last evaluated point; 0 for a model without a constant. */
  #mean = 0;
  /** Information on the mean, in units of 1 / innovation variance. */
  #meanInformation = 0;
  /** Sum of the logarithms of the one-step variances. */
  #sumLog = 0;

  /** `y` is the series, `w` its differences. */
  constructor(y: Float64Array, w: Float64Array, orders: Orders) {
    this.parameters = countCoefficients(orders);
    this.residuals = w.length;
    this.#y = y;
    this.#orders = orders;
    this.#polynomials = createLagPolynomials(orders);
    this.#filter = new FastFilter(w, this.#polynomials, orders.constant);
  }

  evaluate(free: Float64Array, out: Float64Array): number {
    return this.#run(free, true, out);
  }

  path(free: Float64Array, horizon: number): FuturePath {
    const residuals = new Float64Array(this.residuals);
    const squares = this.#run(free, false, residuals);
    const { state, ofOne } = this.#filter;
    const orders = this.#orders;
    const polynomials = this.#polynomials;
    const mean = this.#mean;
    const impulse = impulseResponse(orders, polynomials, horizon);
    let sum = 0;
    const unitVariance = impulse.map((weight) => {
      sum += weight * weight;
      return sum;
    });
    return {
      residuals,
      squares,
      scale: exp(this.#sumLog / this.residuals),
      mean: extrapolateSeries(this.#y, orders, { polynomials, state, mean }, horizon),
      unitVariance,
      meanResponse: meanResponse(orders, { polynomials, state: ofOne, mean }, horizon),
      meanInformation: this.#meanInformation,
    };
  }

  /**
   * Evaluates the likelihood. Without the shortcut the filter runs to the end, and its final state is the one that
   * forecasts start from.
   */
  #run(free: Float64Array, shortcut: boolean, out: Float64Array): number {
    expandPolynomials(this.#orders, free, this.#polynomials);
    const filtered = this.#filter.run(shortcut);
    if (Number.isNaN(filtered)) return Number.POSITIVE_INFINITY;
    const { errors, variances } = this.#filter;
    const n = this.residuals;
    this.#sumLog = sumOfLogs(variances, filtered);
    if (this.#orders.constant) this.#fitMean(filtered);
    const scale = exp(this.#sumLog / (2 * n));
    let sum = 0;
    for (let t = 0; t < n; t++) {
      const e = (errors[t] as number) * (t < filtered ? scale / Math.sqrt(variances[t] as number) : scale);
      out[t] = e;
      sum += e * e;
    }
    return sum;
  }

  #fitMean(filtered: number): void {
    const { errors, errorsOfOne, variances } = this.#filter;
    let top = 0;
    let bottom = 0;
    for (let t = 0; t < errors.length; t++) {
      const b = (errorsOfOne[t] as number) / (t < filtered ? (variances[t] as number) : 1);
      top += b * (errors[t] as number);
      bottom += b * (errorsOfOne[t] as number);
    }
    this.#mean = bottom > 0 ? top / bottom : 0;
    this.#meanInformation = bottom;
    this.#filter.removeMean(this.#mean);
  }
}

/** Returns the sum of the logarithms of the first `count` values. Takes one logarithm of the product of many values. */
function sumOfLogs(values: Float64Array, count: number): number {
  let product = 1;
  let sum = 0;
  for (let i = 0; i < count; i++) {
    product *= values[i] as number;
    if (product > 1e100 || i === count - 1) {
      sum += log(product);
      product = 1;
    }
  }
  return sum;
}

/** The forecast of a filter for given free parameters. */
export interface FuturePath {
  /** Scaled residuals of the past, and the sum of their squares. */
  readonly residuals: Float64Array;
  readonly squares: number;
  /** Factor by which `squares` exceeds the sum of squares in units of the series. */
  readonly scale: number;
  readonly mean: Float64Array;
  /** Variance for an innovation variance of 1. */
  readonly unitVariance: Float64Array;
  /** The change of the forecast per unit of the estimated mean or drift. */
  readonly meanResponse: Float64Array;
  /** The information on that mean; 0 for a model without a mean. */
  readonly meanInformation: number;
}

/** A likelihood that can also forecast. */
export interface PathFilter extends LeastSquares {
  path(free: Float64Array, horizon: number): FuturePath;
}
