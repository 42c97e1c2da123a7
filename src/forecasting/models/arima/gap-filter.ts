import { StationaryStart } from './autocovariance.ts';
import { integrationWeights } from './differences.ts';
import { createLagPolynomials, expandPolynomials, type LagPolynomials } from './lag-polynomial.ts';
import { coefficientCount, type Orders } from './orders.ts';
import type { FuturePath, PathFilter } from './path-filter.ts';
import { StateCovariance } from './state-covariance.ts';

/** Variance of a level not yet seen, in units of the innovation variance: as good as unknown. */
const UNKNOWN = 1e8;
/** A one-step variance above this comes from such a level: the observation fixes the level and is not scored. */
const NOT_SCORED = 1e5;

/**
 * The exact likelihood of a series with gaps: the full Kalman filter on the undifferenced series (Harvey's form, with
 * the past values that differencing needs as further states). A gap is a period without an update.
 */
export class GapFilter implements PathFilter {
  readonly parameters: number;
  readonly residuals: number;
  readonly #y: Float64Array;
  readonly #first: number;
  readonly #orders: Orders;
  readonly #polynomials: LagPolynomials;
  readonly #start: StationaryStart;
  readonly #covariance: StateCovariance;
  readonly #state: Float64Array;
  readonly #ofOne: Float64Array;
  readonly #errors: Float64Array;
  readonly #errorsOfOne: Float64Array;
  readonly #variances: Float64Array;
  #mean = 0;
  #meanInformation = 0;
  #scale = 1;

  constructor(y: Float64Array, orders: Orders) {
    this.#orders = orders;
    this.#first = orders.d + orders.D > 0 ? (y.find((value) => !Number.isNaN(value)) ?? 0) : 0;
    this.#y = y.map((value) => value - this.#first);
    this.parameters = coefficientCount(orders);
    this.residuals = y.length;
    this.#polynomials = createLagPolynomials(orders);
    this.#start = new StationaryStart(this.#polynomials.ar.length, this.#polynomials.ma.length);
    const weights = integrationWeights(orders.d, orders.D, orders.season);
    this.#covariance = new StateCovariance(this.#start.gain.length, weights);
    this.#state = new Float64Array(this.#covariance.dimension);
    this.#ofOne = new Float64Array(this.#covariance.dimension);
    this.#errors = new Float64Array(y.length);
    this.#errorsOfOne = new Float64Array(y.length);
    this.#variances = new Float64Array(y.length);
  }

  evaluate(free: Float64Array, out: Float64Array): number {
    expandPolynomials(this.#orders, free, this.#polynomials);
    if (!this.#start.compute(this.#polynomials)) return Number.POSITIVE_INFINITY;
    const covariance = this.#covariance;
    covariance.begin(this.#start, this.#polynomials, UNKNOWN);
    this.#state.fill(0);
    this.#ofOne.fill(0);
    for (let t = 0; t < this.residuals; t++) {
      const value = this.#y[t] as number;
      this.#variances[t] = 0;
      if (!Number.isNaN(value)) {
        const variance = covariance.observe();
        const error = value - covariance.expected(this.#state);
        const errorOfOne = this.#regressor(t) - covariance.expected(this.#ofOne);
        covariance.update(this.#state, error / variance);
        covariance.update(this.#ofOne, errorOfOne / variance);
        covariance.reduce(variance);
        this.#errors[t] = error;
        this.#errorsOfOne[t] = errorOfOne;
        if (variance < NOT_SCORED) this.#variances[t] = variance;
      }
      covariance.advance(this.#state);
      covariance.advance(this.#ofOne);
      covariance.advanceCovariance();
    }
    return this.#score(out);
  }

  path(free: Float64Array, horizon: number): FuturePath {
    const residuals = new Float64Array(this.residuals);
    const squares = this.evaluate(free, residuals);
    const mean = new Float64Array(horizon);
    const unitVariance = new Float64Array(horizon);
    const meanResponse = new Float64Array(horizon);
    const covariance = this.#covariance;
    for (let h = 0; h < horizon; h++) {
      meanResponse[h] = this.#regressor(this.residuals + h) - covariance.expected(this.#ofOne);
      mean[h] = this.#first + covariance.expected(this.#state) + this.#mean * (meanResponse[h] as number);
      unitVariance[h] = covariance.observe();
      covariance.advance(this.#state);
      covariance.advance(this.#ofOne);
      covariance.advanceCovariance();
    }
    const meanInformation = this.#meanInformation;
    return { residuals, squares, scale: this.#scale, mean, unitVariance, meanResponse, meanInformation };
  }

  /** What a mean of 1 in the differenced series is in the series itself. */
  #regressor(t: number): number {
    if (!this.#orders.constant) return 0;
    if (this.#orders.d > 0) return t;
    return this.#orders.D > 0 ? t / this.#orders.season : 1;
  }

  #score(out: Float64Array): number {
    let sumLog = 0;
    let scored = 0;
    let top = 0;
    this.#meanInformation = 0;
    for (let t = 0; t < this.residuals; t++) {
      const variance = this.#variances[t] as number;
      if (variance === 0) continue;
      sumLog += Math.log(variance);
      scored++;
      top += ((this.#errors[t] as number) * (this.#errorsOfOne[t] as number)) / variance;
      this.#meanInformation += (this.#errorsOfOne[t] as number) ** 2 / variance;
    }
    this.#mean = this.#meanInformation > 0 ? top / this.#meanInformation : 0;
    this.#scale = Math.exp(sumLog / Math.max(1, scored));
    let squares = 0;
    for (let t = 0; t < this.residuals; t++) {
      const variance = this.#variances[t] as number;
      const error = (this.#errors[t] as number) - this.#mean * (this.#errorsOfOne[t] as number);
      out[t] = variance === 0 ? 0 : error * Math.sqrt(this.#scale / variance);
      squares += (out[t] as number) ** 2;
    }
    return squares;
  }
}
