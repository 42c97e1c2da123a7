import { straightLine } from '../numerics/seasonal-indices.ts';
import { sortedQuantile } from '../numerics/sorted-quantile.ts';

/** Changes no larger than this are what rounding leaves of a straight line. */
const ROUNDING = 1e-11;

/**
 * Changes from one value to the next, with spikes pulled in: what is left has neither trend nor level, and one wild
 * value cannot pass for a season. As many changes as values: the first comes from the last value, along the trend, so
 * that three whole seasons of values are three of changes and not two and a bit.
 *
 * @param values without gaps, of the size of 1 or their logarithms
 */
export function stableChanges(values: Float64Array): Float64Array {
  const n = values.length;
  if (n < 2) return new Float64Array(n);
  const line = straightLine(values);
  const level = values.map((value, t) => value - (line[t] as number));
  const changes = level.map((value, t) => value - (level[t > 0 ? t - 1 : n - 1] as number));
  const ascending = changes.slice(1).sort();
  const middle = sortedQuantile(ascending, 0.5);
  // A month that stands out once a year makes two changes in twelve: the fences must lie outside of them.
  const reach = 2 * Math.max(middle - sortedQuantile(ascending, 0.05), sortedQuantile(ascending, 0.95) - middle);
  if (!(reach > ROUNDING)) return changes.fill(0);
  return changes.map((change) => Math.min(Math.max((change - middle) / reach, -1), 1));
}
