import { exp, log } from '../../numerics/elementary.ts';
import type { FuturePath, PathFilter } from './exact-likelihood.ts';
import { createLagPolynomials, expandPolynomials, type LagPolynomials } from './lag-polynomial.ts';
import { countCoefficients, integrationWeights, type Orders } from './orders.ts';
import { StateCovariance, StateSpace } from './state-space.ts';
import { StationaryStart } from './stationary-start.ts';

/**
 * Variance of a level before its first observation, in units of the innovation variance: so large that the level is
 * practically unknown.
 */
const UNKNOWN_VARIANCE = 1e8;
/**
 * A larger one-step variance comes from an unknown level. The observation then determines the level and is not scored.
 */
const MAX_SCORED_VARIANCE = 1e5;
/** The score of parameters for which the process is not stationary. */
const NOT_STATIONARY: InnovationScore = { mean: 0, meanInformation: 0, scale: 1, squares: Number.POSITIVE_INFINITY };

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
  readonly #space: StateSpace;
  readonly #covariance: StateCovariance;
  readonly #state: Float64Array;
  readonly #ofOne: Float64Array;
  readonly #errors: Float64Array;
  readonly #errorsOfOne: Float64Array;
  readonly #variances: Float64Array;

  constructor(y: Float64Array, orders: Orders) {
    this.#orders = orders;
    this.#first = orders.d + orders.D > 0 ? (y.find((value) => !Number.isNaN(value)) ?? 0) : 0;
    this.#y = y.map((value) => value - this.#first);
    this.parameters = countCoefficients(orders);
    this.residuals = y.length;
    this.#polynomials = createLagPolynomials(orders);
    this.#start = new StationaryStart(this.#polynomials.ar.length, this.#polynomials.ma.length);
    const weights = integrationWeights(orders.d, orders.D, orders.season);
    this.#space = new StateSpace(this.#start.gain.length, weights);
    this.#covariance = new StateCovariance(this.#space);
    this.#state = new Float64Array(this.#space.dimension);
    this.#ofOne = new Float64Array(this.#space.dimension);
    this.#errors = new Float64Array(y.length);
    this.#errorsOfOne = new Float64Array(y.length);
    this.#variances = new Float64Array(y.length);
  }

  evaluate(free: Float64Array, out: Float64Array): number {
    return this.#run(free, out).squares;
  }

  path(free: Float64Array, horizon: number): FuturePath {
    const residuals = new Float64Array(this.residuals);
    const score = this.#run(free, residuals);
    const mean = new Float64Array(horizon);
    const unitVariance = new Float64Array(horizon);
    const meanResponse = new Float64Array(horizon);
    for (let h = 0; h < horizon; h++) {
      meanResponse[h] = this.#regressor(this.residuals + h) - this.#space.expected(this.#ofOne);
      mean[h] = this.#first + this.#space.expected(this.#state) + score.mean * (meanResponse[h] as number);
      unitVariance[h] = this.#covariance.observe();
      this.#advance();
    }
    const { squares, scale, meanInformation } = score;
    return { residuals, squares, scale, mean, unitVariance, meanResponse, meanInformation };
  }

  /** Filters the series from its first period to the period after its last. */
  #run(free: Float64Array, out: Float64Array): InnovationScore {
    expandPolynomials(this.#orders, free, this.#polynomials);
    if (!this.#start.compute(this.#polynomials)) return NOT_STATIONARY;
    const space = this.#space;
    const covariance = this.#covariance;
    space.set(this.#polynomials);
    covariance.begin(this.#start, UNKNOWN_VARIANCE);
    this.#state.fill(0);
    this.#ofOne.fill(0);
    for (let t = 0; t < this.residuals; t++) {
      const value = this.#y[t] as number;
      this.#variances[t] = 0;
      if (!Number.isNaN(value)) {
        const variance = covariance.observe();
        const error = value - space.expected(this.#state);
        const errorOfOne = this.#regressor(t) - space.expected(this.#ofOne);
        covariance.correct(this.#state, error / variance);
        covariance.correct(this.#ofOne, errorOfOne / variance);
        covariance.reduce(variance);
        this.#errors[t] = error;
        this.#errorsOfOne[t] = errorOfOne;
        if (variance < MAX_SCORED_VARIANCE) this.#variances[t] = variance;
      }
      this.#advance();
    }
    return scoreInnovations(this.#errors, this.#errorsOfOne, this.#variances, out);
  }

  #advance(): void {
    this.#space.advance(this.#state);
    this.#space.advance(this.#ofOne);
    this.#covariance.advance();
  }

  /** Returns the effect of a mean of 1 in the differenced series on the series itself. */
  #regressor(t: number): number {
    if (!this.#orders.constant) return 0;
    if (this.#orders.d > 0) return t;
    return this.#orders.D > 0 ? t / this.#orders.season : 1;
  }
}

/** The score of a filter, and the mean that minimizes the score. */
interface InnovationScore {
  /** The mean of the differenced series by generalized least squares, and the information on it. */
  readonly mean: number;
  readonly meanInformation: number;
  /** Geometric mean of the variances. */
  readonly scale: number;
  /** Sum of the squared scaled residuals: n * exp(-2 loglik / n - 1 - log(2 pi)). */
  readonly squares: number;
}

/**
 * Scores innovations by their variances; a variance of 0 marks a period that does not count. `errorsOfOne` holds the
 * innovations of a mean of 1, or zeros for a model without a mean. Writes the scaled residuals to `out`.
 */
function scoreInnovations(
  errors: Float64Array,
  errorsOfOne: Float64Array,
  variances: Float64Array,
  out: Float64Array,
): InnovationScore {
  let sumLog = 0;
  let scored = 0;
  let top = 0;
  let meanInformation = 0;
  for (let t = 0; t < errors.length; t++) {
    const variance = variances[t] as number;
    if (variance === 0) continue;
    sumLog += log(variance);
    scored++;
    top += ((errors[t] as number) * (errorsOfOne[t] as number)) / variance;
    meanInformation += (errorsOfOne[t] as number) ** 2 / variance;
  }
  const mean = meanInformation > 0 ? top / meanInformation : 0;
  const scale = exp(sumLog / Math.max(1, scored));
  let squares = 0;
  for (let t = 0; t < errors.length; t++) {
    const variance = variances[t] as number;
    const error = (errors[t] as number) - mean * (errorsOfOne[t] as number);
    out[t] = variance === 0 ? 0 : error * Math.sqrt(scale / variance);
    squares += (out[t] as number) ** 2;
  }
  return { mean, meanInformation, scale, squares };
}
