import { lean } from '../../numerics/lean.ts';
import type { Predictive } from '../../numerics/predictive-rows.ts';
import { recentSpread } from '../../numerics/recent-spread.ts';
import { spreadGrowth } from '../../numerics/spread-growth.ts';
import type { ThetaFit } from './dynamic-theta.ts';
import { extrapolate, levelPath } from './extrapolate.ts';
import { measurePastErrors } from './past-errors.ts';
import type { ThetaSolution } from './solve-for-alpha.ts';

/**
 * The largest widening that past errors of later steps may ask for. This and `LEAN` gave the lowest interval score of
 * forecasts made inside the history of the M1 and M3 series, at two origins each; their 80 % intervals held 80.1 %.
 */
const MAX_GROWTH = 1.5;
const LEAN = 0.2;
const PARAMETERS = 3;

/**
 * The forecast distribution. Its spread has four parts: surprises to come, the estimated slope and weight of the trend,
 * the alphas that the data leave possible, and what past errors of the same step say beyond that. It is wider where the
 * last errors were larger than usual, and leans to the side to which the series has been drifting.
 *
 * @param indices how many seasonal indices were estimated before
 */
export function predictTheta(fit: ThetaFit, horizon: number, indices: number, isPositive: boolean): Predictive {
  const { values, line, best, plausible } = fit;
  const n = values.length;
  const levels = levelPath(values, best);
  const errors = measurePastErrors(fit, levels, horizon, isPositive);
  const centre = new Float64Array(horizon);
  extrapolate(best, line, n, levels[n] as number, centre);
  const parameters = PARAMETERS + indices;
  const freedom = Math.max(1, best.observed + 2 - parameters);
  // One-step errors are smaller inside the sample than outside: Akaike's final prediction error.
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
      const size = errors.isRelative ? Math.max(1e-3, centre[h] as number) ** 2 : 1;
      const surprise = unit * scale * size;
      const byWeight = solution.weightVariance * (drift * (h + 1 + (1 - alpha) / alpha)) ** 2;
      const apart = (forecasts[h] as number) - (centre[h] as number);
      const sum = surprise * (1 + h * alpha * alpha + bySlope * (h + 1) ** 2) + byWeight + apart * apart;
      into[h] = (into[h] as number) + share * sum;
    }
  };
  forecasts.set(centre);
  variance(best, 1, own);
  for (const { solution, share } of plausible) {
    const level = levelPath(values, solution)[n] as number;
    extrapolate(solution, line, n, level, forecasts);
    variance(solution, share, mixed);
  }
  const theory = own.map((_, h) => Math.sqrt(1 + h * best.alpha * best.alpha));
  const growth = spreadGrowth(errors.byStep, theory, MAX_GROWTH);
  const recent = recentSpread(errors.surprises, indices + 1);
  const deviation = own.map((v, h) => recent * Math.sqrt(Math.max(v, mixed[h] as number) * (growth[h] as number)));
  return { centre, ...lean(deviation, line.slope[n] as number, LEAN), freedom, isRelative: isPositive };
}

/**
 * Variance of the trend's contribution per step squared, in units of the error variance: that of a least squares slope
 * through a random walk of alpha-sized steps (6/5n) and through noise around it (12/n^3).
 */
function slopeVariance({ alpha, weight }: ThetaSolution, n: number): number {
  return weight * weight * ((1.2 * alpha * alpha) / n + (12 * (1 - alpha) ** 2) / n ** 3);
}
