import { log, log1p, pow } from '../../numerics/elementary.ts';
import type { EtsForm } from './form.ts';
import type { PathGradient } from './gradient.ts';
import type { Smoothing } from './recursion.ts';

/**
 * The standard deviations of the prior on the initial states around their first guess, in standard deviations of the
 * errors. The prior is wide enough not to matter if the data determine the states. It also sets the penalty for a trend
 * or a season in the choice between forms.
 */
export const STATE_PRIOR = { level: 10, trend: 3, season: 3 } as const;

/**
 * Adds the derivatives of the penalty on the initial states with respect to the smoothing parameters. Computes them by
 * differences.
 *
 * The penalty is the log determinant of I + P X'X, where X holds the derivatives of the residuals with respect to the
 * initial states, and P the prior variance of these states in units of the error variance. Adding it to -2 log
 * likelihood integrates the states out instead of maximizing over them. Without the penalty, a straight line through
 * all data, which needs no smoothing, would look better than it is. The result is exact for additive errors without
 * seasons and close for the other forms.
 *
 * @returns the penalty
 */
export function addInitialStatePenalty(
  smoothing: Smoothing,
  n: number,
  form: EtsForm,
  period: number,
  into: PathGradient,
): number {
  const ofTrend = trendPenalty(smoothing, n, form);
  const ofSeason = form.season === 'none' ? 0 : seasonPenalty(smoothing.gamma, n, period);
  const value = ofTrend + ofSeason;
  const add = (name: 'alpha' | 'beta' | 'phi'): void => {
    const kept = smoothing[name];
    smoothing[name] = kept + STEP;
    into[name] += (trendPenalty(smoothing, n, form) + ofSeason - value) / STEP;
    smoothing[name] = kept;
  };
  add('alpha');
  if (form.trend !== 'none') add('beta');
  if (form.trend === 'damped') add('phi');
  if (form.season !== 'none') {
    into.gamma += (ofTrend + seasonPenalty(smoothing.gamma + STEP, n, period) - value) / STEP;
  }
  return value;
}

const STEP = 1e-5;

/** Returns the part of the penalty for level and trend. */
function trendPenalty({ alpha, beta, phi }: Smoothing, n: number, form: EtsForm): number {
  let level1 = 1;
  let trend1 = 0;
  let level2 = 0;
  let trend2 = 1;
  let aa = 0;
  let ab = 0;
  let bb = 0;
  for (let t = 0; t < n; t++) {
    const residual1 = level1 + phi * trend1;
    const residual2 = level2 + phi * trend2;
    aa += residual1 * residual1;
    ab += residual1 * residual2;
    bb += residual2 * residual2;
    level1 = (1 - alpha) * residual1;
    trend1 = phi * trend1 - beta * residual1;
    level2 = (1 - alpha) * residual2;
    trend2 = phi * trend2 - beta * residual2;
  }
  const level = STATE_PRIOR.level ** 2;
  const trend = form.trend === 'none' ? 0 : STATE_PRIOR.trend ** 2;
  return log((1 + level * aa) * (1 + trend * bb) - level * trend * ab * ab);
}

/** Returns the part of the penalty for the season. */
function seasonPenalty(gamma: number, n: number, period: number): number {
  const keep = (1 - gamma) ** 2;
  const information = (1 - pow(keep, n / period)) / (1 - keep);
  return (period - 1) * log1p(STATE_PRIOR.season ** 2 * information);
}
