import type { AbortFlag } from '../../model.ts';
import { findLastChange } from './last-change.ts';
import { mergeWeighted, sumOf, weightedQuantiles } from './mixture.ts';
import { fitOccurrence } from './occurrence.ts';
import { fitSizeDistribution } from './size-distribution.ts';

/**
 * Returns the quantiles of each step, from the mixture of nothing and of the sizes. Low quantiles are therefore exactly
 * zero. All steps with the same position in the seasons have the same distribution.
 */
export function forecastDemand(
  values: Float64Array,
  seasons: readonly number[],
  horizon: number,
  quantiles: readonly number[],
  signal: AbortFlag | undefined,
): Float64Array[] {
  const occurred = values.map((value) => (Number.isNaN(value) ? value : value === 0 ? 0 : 1));
  const start = findLastChange(occurred, seasons);
  const recent = values.subarray(start);
  const periods = seasons.filter((period) => 2 * period <= recent.length);
  // Smoothing is judged by forecasts as far ahead as the average step, because nothing is known of the steps between.
  const lag = Math.max(1, Math.min(Math.ceil(horizon / 2), Math.floor(recent.length / 4)));
  const probabilityAt = fitOccurrence(occurred.subarray(start), periods, lag, signal);
  // Demands that have ended leave no sizes after the change; those before it still tell how large one would be.
  const hasDemand = recent.some((value) => value > 0 || value < 0);
  const sizesFrom = hasDemand ? start : 0;
  const sizesAt = fitSizeDistribution(values.subarray(sizesFrom), periods, lag, signal);
  const canBeZero = occurred.includes(0);

  const longest = periods.at(-1) ?? 1;
  const rows = new Map<number, Float64Array>();
  return Array.from({ length: horizon }, (_, step) => {
    const t = recent.length + step;
    const position = t % longest;
    let row = rows.get(position);
    if (row === undefined) {
      const probability = canBeZero ? probabilityAt(t) : 1;
      const sizes = sizesAt(values.length - sizesFrom + step);
      const nothing = { values: Float64Array.of(0), weights: Float64Array.of(1 - probability) };
      row = weightedQuantiles(mergeWeighted(nothing, 1, sizes, probability / sumOf(sizes.weights)), quantiles);
      rows.set(position, row);
    }
    return row.slice();
  });
}
