import { log } from './elementary.ts';

/**
 * Returns how much better changes of constant variance describe the logarithms of a series than its values: the
 * difference of the two log likelihoods, both as densities of the values. If there is a season, changes over one season
 * are used. Returns minus infinity if a value has no logarithm.
 *
 * @param values without gaps
 */
export function logarithmAdvantage(values: Float64Array, season: number): number {
  if (values.some((value) => !(value > 0))) return Number.NEGATIVE_INFINITY;
  const lag = season > 1 && values.length > 2 * season ? season : 1;
  const count = Math.max(0, values.length - lag);
  const changes = new Float64Array(count);
  const logChanges = new Float64Array(count);
  let jacobian = 0;
  for (let i = 0; i < count; i++) {
    const now = values[i + lag] as number;
    const before = values[i] as number;
    changes[i] = now - before;
    logChanges[i] = log(now) - log(before);
    jacobian += log(now);
  }
  return (count / 2) * (logVariance(changes) - logVariance(logChanges)) - jacobian;
}

/**
 * Returns the logarithm of the variance. Scales the values first, so that their squares neither overflow nor vanish.
 */
function logVariance(values: Float64Array): number {
  let size = 0;
  for (const value of values) size = Math.max(size, Math.abs(value));
  if (!(size > 0)) return Number.NEGATIVE_INFINITY;
  const mean = values.reduce((sum, value) => sum + value / size, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value / size - mean) ** 2, 0) / values.length;
  return log(variance) + 2 * log(size);
}
