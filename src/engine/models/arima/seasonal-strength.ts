import { decompose } from '../../numerics/stl.ts';

/**
 * How much of the detrended series is season, 0 to 1: one minus the share of its variance that is left when the
 * season is taken out, too.
 */
export function seasonalStrength(x: Float64Array, season: number): number {
  const { seasonal, trend } = decompose(x, season, SEASONAL_SPAN);
  const remainder = x.map((value, t) => value - (trend[t] as number) - (seasonal[t] as number));
  const detrended = remainder.map((value, t) => value + (seasonal[t] as number));
  return Math.max(0, Math.min(1, 1 - variance(remainder) / variance(detrended)));
}

/** The span of the season's smoother, in years, that the limit of the test was calibrated with. */
const SEASONAL_SPAN = 11;

function variance(x: Float64Array): number {
  let mean = 0;
  for (const value of x) mean += value;
  mean /= x.length;
  let sum = 0;
  for (const value of x) sum += (value - mean) ** 2;
  return sum / (x.length - 1);
}
