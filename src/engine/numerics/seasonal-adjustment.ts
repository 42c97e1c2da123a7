import { fillGaps } from './prepare-values.ts';

/** A seasonally adjusted series, and the function that restores its season. */
interface SeasonalAdjustment {
  readonly adjusted: Float64Array;
  /** Number of estimated indices; 0 if no season was found and the values are unchanged. */
  readonly indices: number;
  /** Restores the season in rows of forecasts, one row for each step after the series. */
  restore(rows: Float64Array[]): Float64Array[];
}

/** Division by smaller indices would inflate the adjusted values. */
const MIN_INDEX = 1e-2;

/**
 * Removes the season if the data show one. Divides if all values are positive, because the season of such series mostly
 * grows with the level. Subtracts otherwise, or if an index is close to zero. Gaps remain.
 */
export function adjustSeason(values: Float64Array, period: number, isPositive: boolean): SeasonalAdjustment {
  const none = { adjusted: values, indices: 0, restore: (rows: Float64Array[]) => rows };
  if (period < 2 || values.length <= 2 * period) return none;
  const filled = fillGaps(values);
  if (!hasSeason(filled, period)) return none;
  const ratios = isPositive ? seasonalIndices(filled, period, true) : null;
  const isRatio = ratios?.every((index) => index > MIN_INDEX) === true;
  const indices = isRatio ? ratios : seasonalIndices(filled, period, false);
  if (indices === null) return none;
  const index = (t: number): number => indices[t % period] as number;
  return {
    adjusted: values.map((value, t) => (isRatio ? value / index(t) : value - index(t))),
    indices: period - 1,
    restore: (rows) =>
      rows.map((row, h) =>
        row.map((value) => (isRatio ? value * index(values.length + h) : value + index(values.length + h))),
      ),
  };
}

/**
 * Returns the average pattern of a season by classical decomposition. The centered moving average over one season is
 * removed from each value, and the results are averaged by position in the season. Additive indices sum to 0,
 * multiplicative ones to `period`. With fewer than two and a half seasons there are too few moving averages, so a
 * straight line replaces them.
 *
 * @param values without gaps
 * @returns one index per position, the first for `values[0]`; null if a multiplicative pattern does not exist
 */
export function seasonalIndices(values: Float64Array, period: number, multiplicative: boolean): Float64Array | null {
  const n = values.length;
  const trend = 2 * n >= 5 * period ? centeredAverage(values, period) : straightLine(values);
  const sums = new Float64Array(period);
  const counts = new Float64Array(period);
  for (let t = 0; t < n; t++) {
    const base = trend[t] as number;
    if (Number.isNaN(base)) continue;
    if (multiplicative && !(base > 0)) return null;
    const rest = multiplicative ? (values[t] as number) / base : (values[t] as number) - base;
    sums[t % period] = (sums[t % period] as number) + rest;
    counts[t % period] = (counts[t % period] as number) + 1;
  }
  let total = 0;
  for (let s = 0; s < period; s++) {
    sums[s] = (counts[s] as number) > 0 ? (sums[s] as number) / (counts[s] as number) : multiplicative ? 1 : 0;
    total += sums[s] as number;
  }
  const mean = total / period;
  if (multiplicative && !(mean > 0)) return null;
  for (let s = 0; s < period; s++) sums[s] = multiplicative ? (sums[s] as number) / mean : (sums[s] as number) - mean;
  return sums;
}

/**
 * Returns the moving average over one season. For a season of even length, the two values at the ends count half. The
 * average is NaN within half a season of the ends of the series.
 */
function centeredAverage(values: Float64Array, period: number): Float64Array {
  const n = values.length;
  const half = period >> 1;
  const isEven = period % 2 === 0;
  const averages = new Float64Array(n).fill(Number.NaN);
  // With a running sum, long seasons cost no more than short ones.
  let sum = 0;
  for (let t = 0; t < Math.min(n, 2 * half + 1); t++) sum += values[t] as number;
  for (let t = half; t < n - half; t++) {
    const ends = isEven ? ((values[t - half] as number) + (values[t + half] as number)) / 2 : 0;
    averages[t] = (sum - ends) / period;
    sum += ((values[t + half + 1] ?? 0) as number) - (values[t - half] as number);
  }
  return averages;
}

/** Returns the least squares line through all values. */
export function straightLine(values: Float64Array): Float64Array {
  const n = values.length;
  const middle = (n - 1) / 2;
  let mean = 0;
  let covariance = 0;
  let spread = 0;
  for (let t = 0; t < n; t++) {
    mean += (values[t] as number) / n;
    covariance += (t - middle) * (values[t] as number);
    spread += (t - middle) ** 2;
  }
  const slope = spread > 0 ? covariance / spread : 0;
  return Float64Array.from(values, (_, t) => mean + slope * (t - middle));
}

/** The normal quantile of 0.95. */
const NORMAL_QUANTILE_95 = 1.6448536269514722;
const MAX_PRODUCTS = 5_000_000;

/**
 * Tests whether the data show a season. Compares the autocorrelation at the lag of the season with Bartlett's standard
 * error from the shorter lags, two-sided at the 90% level. The Theta method has used this test since the M3
 * competition.
 *
 * @param values without gaps
 */
export function hasSeason(values: Float64Array, period: number): boolean {
  const n = values.length;
  if (period < 2 || n <= 2 * period) return false;
  let mean = 0;
  for (let t = 0; t < n; t++) mean += (values[t] as number) / n;
  let variance = 0;
  for (let t = 0; t < n; t++) variance += ((values[t] as number) - mean) ** 2;
  if (!(variance > 0)) return false;
  const correlation = (lag: number): number => {
    let sum = 0;
    for (let t = lag; t < n; t++) sum += ((values[t] as number) - mean) * ((values[t - lag] as number) - mean);
    return sum / variance;
  };
  // For long seasons, every `stride`th lag stands for all, which bounds the work and changes the sum little.
  const stride = Math.ceil((n * period) / MAX_PRODUCTS);
  let squares = 0;
  for (let lag = 1; lag < period; lag += stride) squares += stride * correlation(lag) ** 2;
  return Math.abs(correlation(period)) / Math.sqrt((1 + 2 * squares) / n) > NORMAL_QUANTILE_95;
}
