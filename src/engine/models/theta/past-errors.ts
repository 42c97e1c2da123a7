import { createPastErrors, MAX_ORIGINS, MAX_STEPS, type PastErrors } from '../../numerics/spread-growth.ts';
import type { ThetaFit } from './dynamic-theta.ts';
import { extrapolate } from './extrapolate.ts';

/** What the model's forecasts from its own past say about its errors. */
export interface ThetaErrors {
  /** Whether errors are better described as shares of the forecast. */
  readonly isRelative: boolean;
  /** Of one-step errors, relative ones where they are. */
  readonly variance: number;
  readonly byStep: PastErrors;
  /** One-step errors, oldest first, relative ones where they are; NaN where there is none. */
  readonly surprises: Float64Array;
}

/** From this position on there is a line to extrapolate. */
const FIRST_ORIGIN = 2;
const PARAMETERS = 3;

/**
 * Errors of all steps up to the horizon from every past origin. Where the data are positive, errors are taken as
 * relative if that makes the one-step errors more likely: a series that grew tenfold errs by more today than it did on
 * average.
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
  for (let origin = Math.max(FIRST_ORIGIN, n - MAX_ORIGINS); origin < n; origin++) {
    extrapolate(best, line, origin, levels[origin] as number, forecasts);
    for (let h = 0; h < Math.min(steps, n - origin); h++) {
      const forecast = forecasts[h] as number;
      const error = Math.abs((values[origin + h] as number) - forecast);
      if (Number.isNaN(error)) continue;
      // A forecast near zero must not make a relative error of thousands.
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
      if (forecast > 0) logs += Math.log(forecast);
      else canBeRelative = false;
    }
  }
  const count = absolute.count[0] ?? 0;
  const free = Math.max(1, count - PARAMETERS);
  const isRelative = canBeRelative && count * Math.log(shareSquares) + 2 * logs < count * Math.log(squares);
  return isRelative
    ? { isRelative, variance: shareSquares / free, byStep: shares, surprises: errorShares }
    : { isRelative: false, variance: squares / free, byStep: absolute, surprises: errors };
}
