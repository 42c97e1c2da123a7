/** The normal quantile of 0.95. */
const NINETY_PERCENT = 1.6448536269514722;
const MAX_PRODUCTS = 5_000_000;

/**
 * Whether a season shows: the autocorrelation at the season's lag against its standard error under the shorter lags
 * (Bartlett), at 90 %, two-sided. The test that the Theta method has used since the M3 competition.
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
  // Long seasons: every so many lags stand for all, which bounds the work and changes the sum little.
  const stride = Math.ceil((n * period) / MAX_PRODUCTS);
  let squares = 0;
  for (let lag = 1; lag < period; lag += stride) squares += stride * correlation(lag) ** 2;
  return Math.abs(correlation(period)) / Math.sqrt((1 + 2 * squares) / n) > NINETY_PERCENT;
}
