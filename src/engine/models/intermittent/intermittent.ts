import { checkQuantiles, constantForecaster, type Model, ModelError } from '../../model.ts';
import { nestedPeriods } from '../nested-periods.ts';
import { forecastDemand } from './forecast-demand.ts';

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
