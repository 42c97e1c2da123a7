/**
 * The average pattern of a season by classical decomposition: what is left of each value after its centred moving
 * average over one season, averaged by position in the season. Additive indices sum to 0, multiplicative ones to
 * `period`. Below two and a half seasons there are too few averages, so a straight line takes their place.
 *
 * @param values without gaps
 * @returns one index per position, the first for `values[0]`; null where a multiplicative pattern does not exist
 */
export function seasonalIndices(values: Float64Array, period: number, multiplicative: boolean): Float64Array | null {
  const n = values.length;
  const trend = 2 * n >= 5 * period ? centredAverage(values, period) : straightLine(values);
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

/** The moving average over one season, the ends of an even season counting half; NaN within half a season of the ends. */
export function centredAverage(values: Float64Array, period: number): Float64Array {
  const n = values.length;
  const half = period >> 1;
  const isEven = period % 2 === 0;
  const averages = new Float64Array(n).fill(Number.NaN);
  // A running sum, so that long seasons cost no more than short ones.
  let sum = 0;
  for (let t = 0; t < Math.min(n, 2 * half + 1); t++) sum += values[t] as number;
  for (let t = half; t < n - half; t++) {
    const ends = isEven ? ((values[t - half] as number) + (values[t + half] as number)) / 2 : 0;
    averages[t] = (sum - ends) / period;
    sum += ((values[t + half + 1] ?? 0) as number) - (values[t - half] as number);
  }
  return averages;
}

/** The least squares line through all values. */
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
