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

test('a model that fails is named, and its weight goes to the others', async () => {
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

test('a model that fails in the folds, or explodes there, is left out of the weights and named', async () => {
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

test('folds too few to choose leave nobody out: their rows may be those of the holdout', async () => {
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

test('one model, asked for or left over, stands alone; none is an error that says why', async () => {
  const request = monthlyRequest(60, 6, { models: ['theta'] });
  const asked = await forecast(request, { runner: RUNNER });
  assert.deepEqual([asked.weighting?.status, asked.weighting?.reason], ['single_model', 'one_model_requested']);
  assert.deepEqual(asked.effective_weights_by_quantile['0.9'], { theta: 1 });
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

test('no model in the folds: the default weights, and the reason', async () => {
  const late = Object.fromEntries(ENSEMBLE.map((id) => [id, failingBefore(60, id)]));
  const result = await forecast(monthlyRequest(60, 6, { models: ENSEMBLE }), { runner: runnerWith(late) });
  assert.deepEqual([result.weighting?.status, result.weighting?.reason], ['fallback', 'calibration_failed']);
  assert.equal(result.historical_validation.status, 'failed');
  assert.equal(result.historical_validation.metrics, null);
});

test('a holdout that starts before the last fold takes nothing over from it', async () => {
  const seen: [number, boolean][] = [];
  const watching: Partial<Model> = {
    fit: (series, context) => {
      seen.push([series.values.length, context.earlier !== undefined]);
      return (MODELS.get('theta') as Model).fit(series, context);
    },
  };
  // One row in twelve periods: folds score too little to choose, and the holdout reaches back behind them.
  const whole = monthlyRequest(41, 30, { models: ['theta'] });
  const request = { ...whole, timestamps: Array.from(whole.timestamps, (_, i) => Date.UTC(1990, 12 * i, 1)) };
  await forecast(request, { runner: runnerWith({ theta: watching }) });
  let longest = 0;
  for (const [length, isCarried] of seen) {
    if (length < longest) assert.equal(isCarried, false, `${length} after ${longest}`);
    longest = Math.max(longest, length);
  }
  assert.ok(
    seen.some(([length], i) => i > 0 && length < (seen[i - 1]?.[0] ?? 0)),
    'the case was met',
  );
});
