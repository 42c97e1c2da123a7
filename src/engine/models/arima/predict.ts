import { minimiseSquares } from '../../numerics/levenberg-marquardt.ts';
import { type Estimate, parameterCount } from './estimate.ts';
import { parameterCovariance } from './parameter-covariance.ts';
import type { PathFilter } from './path-filter.ts';

/** Mean and variance of the coming periods. */
export interface Prediction {
  readonly mean: Float64Array;
  /** Of what will happen given the parameters, plus that of the forecast because the parameters were estimated. */
  readonly variance: Float64Array;
  /** Observations beyond the parameters: what the variance rests on. */
  readonly degrees: number;
  /** Scaled residuals of the past. */
  readonly residuals: Float64Array;
}

const SLOPE_STEP = 1e-4;
/**
 * A drift is the average slope of the whole past, a forecast needs the slope of the next years, and slopes change: it
 * is known no better than from half of the past. Chosen, with `UNSEEN`, for the lowest interval score of forecasts made
 * inside the history of the M1 and M3 series.
 */
const DRIFT_IGNORANCE = 2;

/** Forecasts of an estimated model; `observed` counts the differences that were really observed. */
export function predict(filter: PathFilter, model: Estimate, observed: number, horizon: number): Prediction {
  const { orders, free } = model;
  // A tolerance that nothing satisfies: only the curvature is wanted.
  const { curvature } = minimiseSquares(filter, free, { tolerance: 1, maxIterations: 1 });
  const path = filter.path(free, horizon);
  const degrees = Math.max(1, observed - parameterCount(orders) + 1);
  const scaledVariance = path.squares / degrees;
  const variance = scaledVariance / path.scale;
  const ignorance = orders.d + orders.D > 0 ? DRIFT_IGNORANCE : 1;
  const meanVariance = path.meanInformation > 0 ? (ignorance * variance) / path.meanInformation : 0;
  const variances = path.unitVariance.map(
    (unit, h) => unit * variance + (path.meanResponse[h] as number) ** 2 * meanVariance,
  );
  const covariance = parameterCovariance(curvature, free.length, scaledVariance);
  if (covariance !== undefined) addQuadraticForm(slopes(filter, free, path.mean), covariance, variances);
  return { mean: path.mean, variance: variances, degrees, residuals: path.residuals };
}

/** How the forecast moves with each free parameter. */
function slopes(filter: PathFilter, free: Float64Array, mean: Float64Array): Float64Array[] {
  return Array.from(free, (value, i) => {
    const moved = Float64Array.from(free);
    const step = value > 0 ? -SLOPE_STEP : SLOPE_STEP;
    moved[i] = value + step;
    return filter.path(moved, mean.length).mean.map((x, h) => (x - (mean[h] as number)) / step);
  });
}

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
