import { minimizeSquares, solvePositiveDefinite } from '../../numerics/least-squares.ts';
import { countModelParameters, type Estimate } from './estimate.ts';
import type { PathFilter } from './exact-likelihood.ts';

/** Mean and variance of the next periods. */
export interface ArimaPrediction {
  readonly mean: Float64Array;
  /** The variance given the parameters, plus the variance that their estimation adds. */
  readonly variance: Float64Array;
  /** Degrees of freedom of the variance: the number of observations minus the number of parameters. */
  readonly degrees: number;
  /** Scaled residuals of the past. */
  readonly residuals: Float64Array;
}

const SLOPE_STEP = 1e-4;
/**
 * Factor on the variance of a drift. A drift is the average slope of the whole past, but a forecast needs the slope of
 * the next periods, and slopes change. The drift is therefore treated as if only half of the past had determined it.
 * Chosen, together with `EXTRA_SPREAD`, for the lowest interval score of forecasts inside the history of the M1 and M3
 * series.
 */
const DRIFT_VARIANCE_FACTOR = 2;

/**
 * Forecasts from an estimated model.
 *
 * @param observed number of differences that were computed from observed values
 */
export function predictModel(filter: PathFilter, model: Estimate, observed: number, horizon: number): ArimaPrediction {
  const { orders, free } = model;
  // Only the curvature is needed, so a tolerance of 1 ends the search immediately.
  const { curvature } = minimizeSquares(filter, free, { tolerance: 1, maxIterations: 1 });
  const path = filter.path(free, horizon);
  const degrees = Math.max(1, observed - countModelParameters(orders) + 1);
  const scaledVariance = path.squares / degrees;
  const variance = scaledVariance / path.scale;
  const ignorance = orders.d + orders.D > 0 ? DRIFT_VARIANCE_FACTOR : 1;
  const meanVariance = path.meanInformation > 0 ? (ignorance * variance) / path.meanInformation : 0;
  const variances = path.unitVariance.map(
    (unit, h) => unit * variance + (path.meanResponse[h] as number) ** 2 * meanVariance,
  );
  const covariance = parameterCovariance(curvature, free.length, scaledVariance);
  if (covariance !== undefined) addQuadraticForm(forecastSlopes(filter, free, path.mean), covariance, variances);
  return { mean: path.mean, variance: variances, degrees, residuals: path.residuals };
}

/** Returns the derivative of the forecast with respect to each free parameter. */
function forecastSlopes(filter: PathFilter, free: Float64Array, mean: Float64Array): Float64Array[] {
  return Array.from(free, (value, i) => {
    const moved = Float64Array.from(free);
    const step = value > 0 ? -SLOPE_STEP : SLOPE_STEP;
    moved[i] = value + step;
    return filter.path(moved, mean.length).mean.map((x, h) => (x - (mean[h] as number)) / step);
  });
}

/** Adds to each step the variance that is due to the uncertainty of the parameters. */
function addQuadraticForm(sides: readonly Float64Array[], covariance: Float64Array, out: Float64Array): void {
  const k = sides.length;
  for (let h = 0; h < out.length; h++) {
    let sum = 0;
    for (let i = 0; i < k; i++) {
      const left = (sides[i] as Float64Array)[h] as number;
      for (let j = 0; j < k; j++) {
        sum += (covariance[i * k + j] as number) * left * ((sides[j] as Float64Array)[h] as number);
      }
    }
    if (sum > 0) out[h] = (out[h] as number) + sum;
  }
}

/**
 * Returns the covariance of the estimated free parameters, computed from the curvature of the sum of squares. A weak
 * prior, that each free parameter is of order one, prevents an undetermined parameter from inflating the variance of
 * the forecast.
 */
function parameterCovariance(curvature: Float64Array, k: number, variance: number): Float64Array | undefined {
  if (k === 0 || !(variance > 0)) return undefined;
  const covariance = new Float64Array(k * k);
  const column = new Float64Array(k);
  for (let j = 0; j < k; j++) {
    const a = curvature.map((c) => c / variance);
    for (let i = 0; i < k; i++) a[i * k + i] = (a[i * k + i] as number) + 1;
    column.fill(0);
    column[j] = 1;
    if (!solvePositiveDefinite(a, column, k)) return undefined;
    for (let i = 0; i < k; i++) covariance[i * k + j] = column[i] as number;
  }
  return covariance;
}
