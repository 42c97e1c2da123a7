import type { PredictiveDistribution } from '../../numerics/predictive-rows.ts';
import { recentSpread, skewSpread, spreadGrowth } from '../../numerics/spread.ts';
import type { ThetaFit } from './dynamic-theta.ts';
import { extrapolateTheta, levelPath } from './extrapolate.ts';
import { measurePastErrors } from './past-errors.ts';
import type { ThetaSolution } from './solve-for-alpha.ts';

/**
 * The largest factor by which past errors of later steps may widen the spread. This value and `SKEW` gave the lowest
 * interval score of forecasts within the history of the M1 and M3 series, from two origins each; the 80% intervals
 * covered 80.1% of the values.
 */
const MAX_GROWTH = 1.5;
const SKEW = 0.2;
const PARAMETERS = 3;

/**
 * Returns the forecast distribution. Its spread has four parts: future one-step errors, the estimated slope and weight
 * of the trend, the uncertainty of alpha, and the growth of past errors beyond these. The distribution is wider if the
 * last errors were larger than usual, and skewed to the side of the drift.
 *
 * @param indices number of seasonal indices that the seasonal adjustment estimated
 */
export function predictTheta(
  fit: ThetaFit,
  horizon: number,
  indices: number,
  isPositive: boolean,
): PredictiveDistribution {
  const { values, line, best, plausible } = fit;
  const n = values.length;
  const levels = levelPath(values, best);
  const errors = measurePastErrors(fit, levels, horizon, isPositive);
  const center = new Float64Array(horizon);
  extrapolateTheta(best, line, n, levels[n] as number, center);
  const parameters = PARAMETERS + indices;
  const freedom = Math.max(1, best.observed + 2 - parameters);
  // One-step errors are smaller within the sample than outside it; Akaike's final prediction error corrects for that.
  const unit =
    (errors.variance * (1 + parameters / n) * Math.max(1, best.observed - PARAMETERS)) /
    Math.max(1, best.observed - parameters);

  const forecasts = new Float64Array(horizon);
  const mixed = new Float64Array(horizon);
  const own = new Float64Array(horizon);
  const variance = (solution: ThetaSolution, share: number, into: Float64Array): void => {
    const { alpha } = solution;
    const scale = best.variance > 0 ? solution.variance / best.variance : 1;
    const bySlope = slopeVariance(solution, n);
    const drift = line.slope[n] as number;
    for (let h = 0; h < horizon; h++) {
      const size = errors.isRelative ? Math.max(1e-3, center[h] as number) ** 2 : 1;
      const errorVariance = unit * scale * size;
      const byWeight = solution.weightVariance * (drift * (h + 1 + (1 - alpha) / alpha)) ** 2;
      const offset = (forecasts[h] as number) - (center[h] as number);
      const sum = errorVariance * (1 + h * alpha * alpha + bySlope * (h + 1) ** 2) + byWeight + offset * offset;
      into[h] = (into[h] as number) + share * sum;
    }
  };
  forecasts.set(center);
  variance(best, 1, own);
  for (const { solution, share } of plausible) {
    const level = levelPath(values, solution)[n] as number;
    extrapolateTheta(solution, line, n, level, forecasts);
    variance(solution, share, mixed);
  }
  const theory = own.map((_, h) => Math.sqrt(1 + h * best.alpha * best.alpha));
  const growth = spreadGrowth(errors.byStep, theory, MAX_GROWTH);
  const recent = recentSpread(errors.oneStepErrors, indices + 1);
  const deviation = own.map((v, h) => recent * Math.sqrt(Math.max(v, mixed[h] as number) * (growth[h] as number)));
  return { center, ...skewSpread(deviation, line.slope[n] as number, SKEW), freedom, isRelative: isPositive };
}

/**
 * Returns the variance of the trend's contribution per squared step, in units of the error variance. It is the sum of
 * two variances of a least squares slope: that through a random walk with steps of size alpha (6/5n), and that through
 * noise around the walk (12/n^3).
 */
function slopeVariance({ alpha, weight }: ThetaSolution, n: number): number {
  return weight * weight * ((1.2 * alpha * alpha) / n + (12 * (1 - alpha) ** 2) / (n * n * n));
}
