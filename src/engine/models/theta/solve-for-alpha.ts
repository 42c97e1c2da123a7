/** The best model for one value of alpha. */
export interface ThetaSolution {
  /** Weight of a one-step error on the level. */
  readonly alpha: number;
  /** Weight of the trend line, 1 - 1/theta: 0 is simple exponential smoothing, 1/2 the classical Theta method. */
  readonly weight: number;
  /** Variance of the estimated weight, at most `UNKNOWN_WEIGHT`. */
  readonly weightVariance: number;
  readonly initialLevel: number;
  /** Sum and mean of squared one-step errors. */
  readonly squares: number;
  readonly variance: number;
  readonly observed: number;
}

/** Keeps the initial level near the first value if the data do not determine it, as for alpha near 1. */
const PRIOR = 1e-3;
/** The number of estimated parameters: level, weight and alpha. */
const PARAMETERS = 3;
/** The variance of a weight that is uniform from 0 to 1. */
const UNKNOWN_WEIGHT = 1 / 12;

/**
 * Solves for the initial level and the weight by least squares, with y - level = power * shift + weight * trend + error
 * and 0 <= weight <= 1.
 */
export function solveForAlpha(values: Float64Array, { intercept, slope }: TrendLine, alpha: number): ThetaSolution {
  const first = values[0] as number;
  const keep = 1 - alpha;
  let level = first;
  let power = 1;
  let powerPower = PRIOR;
  let powerTrend = 0;
  let trendTrend = 0;
  let powerResidual = 0;
  let trendResidual = 0;
  let residualResidual = 0;
  let observed = 0;
  for (let t = 0; t < values.length; t++) {
    const residual = (values[t] as number) - level;
    if (!Number.isNaN(residual)) {
      // Fewer than two values do not determine a line.
      if (t >= 2) {
        const trend = power * (intercept[t] as number) + ((1 - power * keep) / alpha) * (slope[t] as number);
        powerPower += power * power;
        powerTrend += power * trend;
        trendTrend += trend * trend;
        powerResidual += power * residual;
        trendResidual += trend * residual;
        residualResidual += residual * residual;
        observed++;
      }
      level += alpha * residual;
    }
    power *= keep;
  }
  const ownTrend = trendTrend - (powerTrend * powerTrend) / powerPower;
  const isDetermined = ownTrend > 1e-12 * trendTrend;
  const raw = isDetermined ? (trendResidual - (powerTrend * powerResidual) / powerPower) / ownTrend : 0;
  const weight = Math.min(1, Math.max(0, raw));
  const shift = (powerResidual - weight * powerTrend) / powerPower;
  const explained = shift * powerResidual + weight * trendResidual;
  const fitted = shift * shift * powerPower + 2 * shift * weight * powerTrend + weight * weight * trendTrend;
  const squares = Math.max(0, residualResidual - 2 * explained + fitted);
  const variance = squares / Math.max(1, observed - PARAMETERS);
  const weightVariance = isDetermined ? Math.min(UNKNOWN_WEIGHT, variance / ownTrend) : UNKNOWN_WEIGHT;
  return { alpha, weight, weightVariance, initialLevel: first + shift, squares, variance, observed };
}

/**
 * The least squares line through the values so far, after each value: `intercept[t]` and `slope[t]` are computed from
 * the first t values, at the positions 1, 2, …, t. A gap is filled with the continuation of the line, which leaves the
 * line unchanged.
 */
export interface TrendLine {
  readonly intercept: Float64Array;
  readonly slope: Float64Array;
}

export function runningTrendLine(values: Float64Array): TrendLine {
  const n = values.length;
  const intercept = new Float64Array(n + 1);
  const slope = new Float64Array(n + 1);
  let mean = 0;
  let rise = 0;
  for (let t = 1; t <= n; t++) {
    let y = values[t - 1] as number;
    if (Number.isNaN(y)) y = (intercept[t - 1] as number) + rise * t;
    rise = t === 1 ? 0 : ((t - 2) * rise + (6 * (y - mean)) / t) / (t + 1);
    mean += (y - mean) / t;
    slope[t] = rise;
    intercept[t] = mean - (rise * (t + 1)) / 2;
  }
  return { intercept, slope };
}
