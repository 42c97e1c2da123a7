import { log } from '../../numerics/elementary.ts';
import { createPastErrors, MAX_MEASURED_ORIGINS, MAX_STEPS, type PastErrors } from '../../numerics/spread.ts';
import type { ThetaFit } from './dynamic-theta.ts';
import { extrapolateTheta } from './extrapolate.ts';

/** Errors of the model's forecasts from past origins. */
interface ThetaErrors {
  /** Whether errors are better described as shares of the forecast. */
  readonly isRelative: boolean;
  /** Variance of the one-step errors, or of the relative ones if `isRelative`. */
  readonly variance: number;
  readonly byStep: PastErrors;
  /** One-step errors, oldest first, or the relative ones if `isRelative`; NaN at a gap. */
  readonly oneStepErrors: Float64Array;
}

/** A trend line exists from this position on. */
const FIRST_ORIGIN = 2;
const PARAMETERS = 3;

/**
 * Measures the errors of all steps up to the horizon from every past origin. For positive data, errors are treated as
 * relative if that makes the one-step errors more likely: a series that grew tenfold has larger errors now than it had
 * on average.
 */
export function measurePastErrors(
  { values, line, best }: ThetaFit,
  levels: Float64Array,
  horizon: number,
  isPositive: boolean,
): ThetaErrors {
  const n = values.length;
  const steps = Math.min(horizon, MAX_STEPS);
  const absolute = createPastErrors(steps);
  const shares = createPastErrors(steps);
  const forecasts = new Float64Array(steps);
  const errors = new Float64Array(n).fill(Number.NaN);
  const errorShares = new Float64Array(n).fill(Number.NaN);
  let squares = 0;
  let shareSquares = 0;
  let logs = 0;
  let canBeRelative = isPositive;
  for (let origin = Math.max(FIRST_ORIGIN, n - MAX_MEASURED_ORIGINS); origin < n; origin++) {
    extrapolateTheta(best, line, origin, levels[origin] as number, forecasts);
    for (let h = 0; h < Math.min(steps, n - origin); h++) {
      const forecast = forecasts[h] as number;
      const error = Math.abs((values[origin + h] as number) - forecast);
      if (Number.isNaN(error)) continue;
      // A forecast near zero must not cause a relative error of thousands.
      const share = error / Math.max(forecast, 0.1 * (values[origin + h] as number));
      absolute.sum[h] = (absolute.sum[h] as number) + error;
      absolute.count[h] = (absolute.count[h] as number) + 1;
      shares.sum[h] = (shares.sum[h] as number) + share;
      shares.count[h] = (shares.count[h] as number) + 1;
      if (h > 0) continue;
      errors[origin] = error;
      errorShares[origin] = share;
      squares += error * error;
      shareSquares += share * share;
      if (forecast > 0) logs += log(forecast);
      else canBeRelative = false;
    }
  }
  const count = absolute.count[0] ?? 0;
  const free = Math.max(1, count - PARAMETERS);
  const isRelative = canBeRelative && count * log(shareSquares) + 2 * logs < count * log(squares);
  return isRelative
    ? { isRelative, variance: shareSquares / free, byStep: shares, oneStepErrors: errorShares }
    : { isRelative: false, variance: squares / free, byStep: absolute, oneStepErrors: errors };
}
