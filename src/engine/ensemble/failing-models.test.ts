import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ENSEMBLE,
  FAILING,
  failingBefore,
  MODELS,
  RUNNER,
  runnerWith,
} from '../../../test/support/compute/ensemble-runner.ts';
import { monthlyRequest } from '../../../test/support/forecasts/forecast-request.ts';
import { ForecastError, forecast, type Model } from '../index.ts';

test('names a failed model and gives its weight to the others', async () => {
  const request = monthlyRequest(40, 6, {
    models: ENSEMBLE,
    weightMode: 'manual',
    weights: { ets: 2, theta: 1, arima: 1 },
  });
  const result = await forecast(request, { runner: runnerWith({ ets: FAILING }) });
  assert.deepEqual(result.effective_weights_by_quantile['0.1'], { theta: 0.5, arima: 0.5 });
  const [ets] = result.members;
  assert.deepEqual([ets?.model, ets?.status, ets?.reason], ['ets', 'failed', 'failed']);
  assert.deepEqual(ets?.error, { code: 'NOT_CONVERGED', message: 'It does not converge.' });
  assert.deepEqual(ets?.predictions, []);
});

test('leaves out and names a model that fails or explodes in the folds', async () => {
  const request = monthlyRequest(60, 6, { models: ENSEMBLE });
  const late = await forecast(request, { runner: runnerWith({ theta: failingBefore(60, 'theta') }) });
  assert.deepEqual(late.members[1]?.reason, 'failed_in_calibration');
  assert.deepEqual(Object.keys(late.effective_weights_by_quantile['0.5'] ?? {}), ['ets', 'arima']);
  assert.equal(late.weighting?.folds[0]?.losses.theta, null);
  const exploding: Partial<Model> = {
    fit: () => (horizon, quantiles) =>
      Array.from({ length: horizon }, () => Float64Array.from(quantiles, (q) => 1e6 * q)),
  };
  const exploded = await forecast(request, { runner: runnerWith({ arima: exploding }) });
  assert.deepEqual(exploded.members[2]?.reason, 'exploded_in_calibration');
  assert.deepEqual(exploded.members[2]?.status, 'left_out');
  assert.equal(exploded.members[2]?.predictions.length, 6);
});

test('leaves no model out where the folds are too few to choose weights', async () => {
  const exploding: Partial<Model> = {
    fit: () => (horizon, quantiles) =>
      Array.from({ length: horizon }, () => Float64Array.from(quantiles, (q) => 1e6 * q)),
  };
  const request = monthlyRequest(14, 6, { models: ENSEMBLE });
  const result = await forecast(request, {
    runner: runnerWith({ arima: exploding, theta: failingBefore(14, 'theta') }),
  });
  assert.equal(result.weighting?.status, 'fallback');
  assert.ok(result.members.every(({ status }) => status === 'completed'));
});

test('uses a single model where one is requested or remains, and fails with the reasons where none remains', async () => {
  const request = monthlyRequest(60, 6, { models: ['theta'] });
  const single = await forecast(request, { runner: RUNNER });
  assert.deepEqual([single.weighting?.status, single.weighting?.reason], ['single_model', 'one_model_requested']);
  assert.deepEqual(single.effective_weights_by_quantile['0.9'], { theta: 1 });
  const failing = runnerWith({ ets: FAILING, arima: FAILING });
  const left = await forecast({ ...request, models: ENSEMBLE }, { runner: failing });
  assert.deepEqual([left.weighting?.status, left.weighting?.reason], ['single_model', 'one_model_survived']);
  const late = await forecast(request, { runner: runnerWith({ theta: failingBefore(60, 'theta') }) });
  assert.deepEqual([late.weighting?.status, late.weighting?.calibration.rows], ['single_model', 0]);
  assert.deepEqual(late.weighting?.calibration, { lower: 1, upper: 1, rows: 0 });
  const none = runnerWith({ ets: FAILING, arima: FAILING, theta: FAILING });
  await assert.rejects(forecast({ ...request, models: ENSEMBLE }, { runner: none }), (error) => {
    return (
      error instanceof ForecastError && error.code === 'ALL_MODELS_FAILED' && /theta: It does not/.test(error.message)
    );
  });
});

test('falls back to the default weights where every model fails in the folds', async () => {
  const late = Object.fromEntries(ENSEMBLE.map((id) => [id, failingBefore(60, id)]));
  const result = await forecast(monthlyRequest(60, 6, { models: ENSEMBLE }), { runner: runnerWith(late) });
  assert.deepEqual([result.weighting?.status, result.weighting?.reason], ['fallback', 'calibration_failed']);
  assert.equal(result.historical_validation.status, 'failed');
  assert.equal(result.historical_validation.metrics, null);
});

test('does not pass a fit to a window with fewer rows', async () => {
  const seen: [number, boolean][] = [];
  const recording: Partial<Model> = {
    fit: (series, context) => {
      seen.push([series.values.length, context.earlierFit !== undefined]);
      return (MODELS.get('theta') as Model).fit(series, context);
    },
  };
  // One row in twelve periods: the folds score too few rows to choose weights, and the holdout starts before them.
  const whole = monthlyRequest(41, 30, { models: ['theta'] });
  const request = { ...whole, timestamps: Array.from(whole.timestamps, (_, i) => Date.UTC(1990, 12 * i, 1)) };
  await forecast(request, { runner: runnerWith({ theta: recording }) });
  let longest = 0;
  for (const [length, hasEarlierFit] of seen) {
    if (length < longest) assert.equal(hasEarlierFit, false, `${length} after ${longest}`);
    longest = Math.max(longest, length);
  }
  assert.ok(
    seen.some(([length], i) => i > 0 && length < (seen[i - 1]?.[0] ?? 0)),
    'a window with fewer rows followed one with more',
  );
});
