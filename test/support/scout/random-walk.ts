import { futureTimestamps } from '../../../src/calendar/index.ts';
import type { Engine } from '../../../src/compute/index.ts';
import { normalQuantile } from '../../../src/engine/index.ts';

const QUANTILES = [0.1, 0.25, 0.5, 0.75, 0.9];

/** Forecasts a random walk without fitting a model, for tests whose subject is not the engine. */
export const forecastRandomWalk: Engine['forecast'] = async (request, { signal } = {}) => {
  signal?.throwIfAborted();
  const { cadence, horizon, quantiles = QUANTILES, models = [] } = request;
  const values = Array.from(request.values);
  const last = values.at(-1) ?? Number.NaN;
  const changes = values.slice(1).map((value, i) => Math.abs(value - (values[i] ?? value)));
  const spread = changes.reduce((sum, change) => sum + change, 0) / changes.length;
  const timestamps = futureTimestamps(cadence, Array.from(request.timestamps).at(-1) ?? Number.NaN, horizon);
  const predictions = Array.from(timestamps, (timestamp, i) => ({
    timestamp: new Date(timestamp).toISOString(),
    quantiles: Object.fromEntries(
      quantiles.map((level) => [String(level), last + spread * Math.sqrt(i + 1) * normalQuantile(level)]),
    ),
  }));
  const weights = Object.fromEntries(
    quantiles.map((level) => [String(level), Object.fromEntries(models.map((model) => [model, 1 / models.length]))]),
  );
  return {
    predictions,
    weight_mode: 'manual',
    historical_validation: {
      policy: 'chronological_holdout_v1',
      method: 'chronological_holdout',
      status: 'insufficient_history',
      requested_models: models,
      effective_weights_by_quantile: weights,
      metrics: null,
    },
    effective_weights_by_quantile: weights,
    members: models.map((model) => ({ model, status: 'completed', reason: null, error: null, predictions })),
    season: 1,
  };
};
