import { type AbortFlag, checkQuantiles, constantForecaster, type Model, ModelError } from '../../model.ts';
import { nestedPeriods } from '../nested-periods.ts';
import { findLastChange } from './last-change.ts';
import { mergeWeighted, sumOf, weightedQuantiles } from './mixture.ts';
import { fitOccurrence } from './occurrence.ts';
import { fitSizeDistribution } from './size-distribution.ts';

/** Limits the work. Older values hardly affect the forecast. */
const MAX_ROWS = 4000;

/**
 * Intermittent demand: the probability that a period has a demand at all, and the distribution of the sizes of demands.
 * Both are smoothed shares of the past, by position in the seasons as far as the positions differ. It uses no random
 * numbers. A series without zeros or with negative values is forecast as well, because a caller may name the model for
 * any series: zeros then simply have no probability, and what remains is the distribution of recent values.
 */
export const intermittent: Model = {
  id: 'intermittent',
  quantileSupport: { type: 'requested' },
  fit(series, { signal }) {
    const values = recentValues(series.values);
    const first = values[0] as number;
    if (values.every((value) => Number.isNaN(value) || value === first)) return constantForecaster(first);
    const periods = nestedPeriods(series.cadence, series.season, values.length);
    return (horizon, quantiles) => {
      checkQuantiles(quantiles);
      return forecastDemand(values, periods, horizon, quantiles, signal);
    };
  },
};

/** Returns the last rows, from the first one with an observation. */
function recentValues(raw: Float64Array): Float64Array {
  const recent = raw.subarray(Math.max(0, raw.length - MAX_ROWS));
  const from = recent.findIndex((value) => !Number.isNaN(value));
  if (from < 0) throw new ModelError('INSUFFICIENT_HISTORY', 'intermittent needs an observation.');
  if (recent.some((value) => Math.abs(value) === Number.POSITIVE_INFINITY)) {
    throw new ModelError('INVALID_SERIES', 'The series holds an infinite value.');
  }
  return recent.subarray(from);
}

/**
 * Returns the quantiles of each step, from the mixture of nothing and of the sizes. Low quantiles are therefore exactly
 * zero. All steps with the same position in the seasons have the same distribution.
 */
function forecastDemand(
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
