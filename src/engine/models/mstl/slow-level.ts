import { fillGaps } from '../../numerics/prepare-values.ts';

/**
 * Returns the moving average over one season around each row. Near the ends it is that of the first or last whole season,
 * so that no row is left out.
 */
export function slowLevel(values: Float64Array, period: number): Float64Array {
  const filled = fillGaps(values);
  const n = filled.length;
  const half = period >> 1;
  const sums = new Float64Array(n + 1);
  for (let t = 0; t < n; t++) sums[t + 1] = (sums[t] as number) + (filled[t] as number);
  return filled.map((_, t) => {
    const from = Math.max(0, Math.min(n - period, t - half));
    const to = Math.min(n, from + period);
    return ((sums[to] as number) - (sums[from] as number)) / (to - from);
  });
}
