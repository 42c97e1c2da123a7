import { pow } from '../../numerics/elementary.ts';
import type { ThetaSolution, TrendLine } from './solve-for-alpha.ts';

/** Returns the level before each value and after the last one. Forecasts start from these levels. */
export function levelPath(values: Float64Array, { alpha, initialLevel }: ThetaSolution): Float64Array {
  const levels = new Float64Array(values.length + 1);
  let level = initialLevel;
  levels[0] = level;
  for (let t = 0; t < values.length; t++) {
    const residual = (values[t] as number) - level;
    if (!Number.isNaN(residual)) level += alpha * residual;
    levels[t + 1] = level;
  }
  return levels;
}

/**
 * Writes the forecasts of the `into.length` steps after the first `origin` values. The model is dynamic: the trend line
 * is updated with each forecast as if it had been observed, which gradually bends the line toward the forecasts.
 */
export function extrapolateTheta(
  { alpha, weight }: ThetaSolution,
  line: TrendLine,
  origin: number,
  startLevel: number,
  into: Float64Array,
): void {
  const keep = 1 - alpha;
  let level = startLevel;
  let power = pow(keep, origin);
  let slope = line.slope[origin] as number;
  let intercept = line.intercept[origin] as number;
  let mean = intercept + (slope * (origin + 1)) / 2;
  for (let h = 0; h < into.length; h++) {
    const forecast = level + weight * (power * intercept + ((1 - power * keep) / alpha) * slope);
    into[h] = forecast;
    level += alpha * (forecast - level);
    power *= keep;
    const t = origin + h + 1;
    slope = ((t - 2) * slope + (6 * (forecast - mean)) / t) / (t + 1);
    mean += (forecast - mean) / t;
    intercept = mean - (slope * (t + 1)) / 2;
  }
}
