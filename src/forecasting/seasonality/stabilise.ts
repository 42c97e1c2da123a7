import { sortedQuantile } from '../numerics/sorted-quantile.ts';

/**
 * Changes from one value to the next, with spikes pulled in: what is left has neither trend nor level, and one wild
 * value cannot pass for a season.
 *
 * @param values without gaps
 */
export function stableChanges(values: Float64Array): Float64Array {
  const changes = new Float64Array(Math.max(0, values.length - 1));
  // Halves first: the difference of two huge values must not overflow.
  for (let t = 0; t < changes.length; t++) changes[t] = (values[t + 1] as number) / 2 - (values[t] as number) / 2;
  if (changes.length === 0) return changes;
  const ascending = Float64Array.from(changes).sort();
  const middle = sortedQuantile(ascending, 0.5);
  // A month that stands out once a year makes two changes in twelve: the fences must lie outside of them.
  const reach = 2 * Math.max(middle - sortedQuantile(ascending, 0.05), sortedQuantile(ascending, 0.95) - middle);
  if (!(reach > 0)) return changes.fill(0);
  return changes.map((change) => Math.min(Math.max((change - middle) / reach, -1), 1));
}
