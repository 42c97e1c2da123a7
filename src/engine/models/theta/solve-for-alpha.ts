import type { TrendLine } from './trend-line.ts';

/** The best model for one value of alpha. */
export interface ThetaSolution {
  /** Weight of a surprise on the level. */
  readonly alpha: number;
  /** Weight of the trend line, 1 - 1/theta: 0 is simple exponential smoothing, 1/2 the classical Theta method. */
  readonly weight: number;
  /** Variance of the weight's estimate; at most that of knowing nothing. */
  readonly weightVariance: number;
  readonly initialLevel: number;
  /** Sum and mean of squared one-step errors. */
  readonly squares: number;
  readonly variance: number;
  readonly observed: number;
}

/** Keeps the initial level near the first value where the data do not tell it, as for alpha near 1. */
const PRIOR = 1e-3;
/** Level, weight and alpha. */
const PARAMETERS = 3;
/** The variance of a weight that may be anything from 0 to 1. */
const UNKNOWN_WEIGHT = 1 / 12;

/** Least squares for initial level and weight: y - level = power * shift + weight * trend + error, 0 <= weight <= 1. */
export function solveForAlpha(values: Float64Array, { intercept, slope }: TrendLine, alpha: number): ThetaSolution {
  const first = values[0] as number;
  const keep = 1 - alpha;
  let level = first;
  let power = 1;
  let powerPower = PRIOR;
  let powerTrend = 0;
  let trendTrend = 0;
  let powerMiss = 0;
  let trendMiss = 0;
  let missMiss = 0;
  let observed = 0;
  for (let t = 0; t < values.length; t++) {
    const miss = (values[t] as number) - level;
    if (!Number.isNaN(miss)) {
      // The line through fewer than two values is no line.
      if (t >= 2) {
        const trend = power * (intercept[t] as number) + ((1 - power * keep) / alpha) * (slope[t] as number);
        powerPower += power * power;
        powerTrend += power * trend;
        trendTrend += trend * trend;
        powerMiss += power * miss;
        trendMiss += trend * miss;
        missMiss += miss * miss;
        observed++;
      }
      level += alpha * miss;
    }
    power *= keep;
  }
  const ownTrend = trendTrend - (powerTrend * powerTrend) / powerPower;
  const isTold = ownTrend > 1e-12 * trendTrend;
  const raw = isTold ? (trendMiss - (powerTrend * powerMiss) / powerPower) / ownTrend : 0;
  const weight = Math.min(1, Math.max(0, raw));
  const shift = (powerMiss - weight * powerTrend) / powerPower;
  const explained = shift * powerMiss + weight * trendMiss;
  const fitted = shift * shift * powerPower + 2 * shift * weight * powerTrend + weight * weight * trendTrend;
  const squares = Math.max(0, missMiss - 2 * explained + fitted);
  const variance = squares / Math.max(1, observed - PARAMETERS);
  const weightVariance = isTold ? Math.min(UNKNOWN_WEIGHT, variance / ownTrend) : UNKNOWN_WEIGHT;
  return { alpha, weight, weightVariance, initialLevel: first + shift, squares, variance, observed };
}
