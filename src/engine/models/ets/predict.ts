import { exp } from '../../numerics/elementary.ts';
import type { PredictiveDistribution } from '../../numerics/predictive-rows.ts';
import { leastSquaresSlope, recentSpread, skewSpread } from '../../numerics/spread.ts';
import type { FittedForm } from './fit-form.ts';
import { forecastMoments } from './moments.ts';

/**
 * How many observations count as one when the spread is averaged over forms: errors are neither independent nor normal,
 * so the evidence for the best form is weaker than the criterion suggests. This value and `SKEW` gave the lowest
 * interval score of forecasts within the history of the M1 and M3 series, from two origins each; the 80% intervals
 * covered 79.9% of the values.
 */
const TEMPERATURE = 4;
const SKEW = 0.2;
const MIN_SHARE = 0.01;

/**
 * Returns the forecast distribution. Its center is that of the best form. Its spread is that of all forms around this
 * center, weighted by their likelihood, so that it includes the uncertainty of the choice between forms. The
 * distribution is wider if the last errors were larger than usual, and skewed to the side of the drift.
 *
 * @param fits the best form first
 */
export function predictEts(fits: readonly FittedForm[], horizon: number): PredictiveDistribution {
  const best = fits[0] as FittedForm;
  const { mean: center, deviation: own } = forecastMoments(best, best.variance, horizon);
  const weights = fits.map((fit) => exp((-0.5 * (fit.aicc - best.aicc)) / TEMPERATURE));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const variance = new Float64Array(horizon);
  fits.forEach((fit, k) => {
    const share = (weights[k] as number) / total;
    if (share < MIN_SHARE) return;
    const { mean, deviation } =
      fit === best ? { mean: center, deviation: own } : forecastMoments(fit, fit.variance, horizon);
    for (let h = 0; h < horizon; h++) {
      const offset = (mean[h] as number) - (center[h] as number);
      variance[h] = (variance[h] as number) + share * ((deviation[h] as number) ** 2 + offset * offset);
    }
  });
  const { path, form, freedom } = best;
  const recent = recentSpread(oneStepErrors(best), path.period);
  const deviation = variance.map((v) => recent * Math.sqrt(v));
  const sides = skewSpread(deviation, leastSquaresSlope(path.values), SKEW);
  return { center, ...sides, freedom, isRelative: form.relativeError };
}

/** Returns the one-step errors; the relative errors if the form has relative errors; NaN at a gap. */
function oneStepErrors({ path, form }: FittedForm): Float64Array {
  const { values, residual, fitted } = path;
  return residual.map((m, t) =>
    Number.isNaN(values[t]) ? Number.NaN : m / (form.relativeError ? (fitted[t] as number) : 1),
  );
}

/**
 * Forecasts a series that is too short for any form as a random walk from the last value, with the step size observed
 * so far.
 */
export function predictShortSeries(values: Float64Array, horizon: number): PredictiveDistribution {
  const observed = values.filter((value) => !Number.isNaN(value));
  let squares = 0;
  for (let t = 1; t < observed.length; t++) squares += ((observed[t] as number) - (observed[t - 1] as number)) ** 2;
  const step = Math.sqrt(squares / (observed.length - 1));
  const last = observed[observed.length - 1] as number;
  const center = new Float64Array(horizon).fill(last);
  const deviation = center.map((_, h) => step * Math.sqrt(h + 1));
  return { center, above: deviation, below: deviation, freedom: observed.length - 1, isRelative: false };
}
