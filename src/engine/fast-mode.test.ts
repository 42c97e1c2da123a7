import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FAILING, MODELS, RUNNER, runnerWith } from '../../test/support/compute/ensemble-runner.ts';
import { monthlyRequest } from '../../test/support/forecasts/forecast-request.ts';
import { checkForecast, createInlineRunner, type ForecastResult, forecast, type Model } from './index.ts';

/** Runs a model in the place of toto, which has no checkpoint here. */
const WITH_TOTO = createInlineRunner(new Map([...MODELS, ['toto', MODELS.get('ets') as Model]]));
const CLOSE = 1e-12;

const statusOf = ({ weighting }: ForecastResult) => [weighting?.status, weighting?.reason];

function assertWeights(result: ForecastResult, quantile: string, expected: Readonly<Record<string, number>>): void {
  const weights = result.weighting?.prior_weights?.[quantile] ?? {};
  assert.deepEqual(Object.keys(weights), Object.keys(expected));
  for (const [model, weight] of Object.entries(expected)) {
    assert.ok(Math.abs((weights[model] as number) - weight) < CLOSE, `${model}: ${weights[model]}`);
  }
}

test('the fast mode fits its models without folds and uses the weights known beforehand', async () => {
  const result = await forecast(monthlyRequest(120, 6, { mode: 'fast', quantiles: [0.05, 0.5] }), {
    runner: WITH_TOTO,
  });
  const { weighting } = result;
  assert.deepEqual(statusOf(result), ['fallback', 'fast_mode']);
  // The prior of monthly series with 120 rows.
  // Prophet, which takes no part, has a fifth of what is left for fitted models.
  const toto = 1 - 0.8 * (1 - (0.67 + (0.33 * 120) / 1120));
  const [theta, naive] = [5 / 8, 3 / 8];
  assertWeights(result, '0.5', { toto, theta: theta * (1 - toto), seasonal_naive: naive * (1 - toto) });
  assertWeights(result, '0.05', { theta, seasonal_naive: naive });
  assert.deepEqual(weighting?.weights_by_quantile, weighting?.prior_weights);
  assert.deepEqual(result.effective_weights_by_quantile, weighting?.prior_weights);
  assert.deepEqual([weighting?.folds, weighting?.calibration_rows, weighting?.inner_scores], [[], 0, {}]);
  assert.deepEqual(weighting?.calibration, { lower: 1.02, upper: 1.02, rows: 0 });
  assert.equal(weighting?.spread_weights?.['0.5']?.toto, 1);
  assert.deepEqual([weighting?.calibration_horizon, weighting?.extrapolated_from_step], [6, null]);
  assert.deepEqual(result.historical_validation.requested_models, ['toto', 'theta', 'seasonal_naive']);
  assert.deepEqual(
    result.members.map(({ model, status }) => `${model} ${status}`),
    ['toto completed', 'theta completed', 'seasonal_naive completed'],
  );
});

test('the fast mode scores the audit window of the full mode', async () => {
  const spanOf = ({ historical_validation: validation, season }: ForecastResult) => {
    const { status, training_rows, holdout_rows, validation_start_at, validation_end_at } = validation;
    return { season, status, training_rows, holdout_rows, validation_start_at, validation_end_at };
  };
  for (const [rows, horizon, season] of [
    [120, 1, 0],
    [120, 40, 0],
    [96, 12, 30],
  ] as const) {
    const request = monthlyRequest(rows, horizon, { season });
    const full = await forecast({ ...request, models: ['theta'] }, { runner: RUNNER });
    const fast = await forecast({ ...request, mode: 'fast' }, { runner: RUNNER });
    assert.equal(full.weighting?.calibration_horizon, fast.weighting?.calibration_horizon);
    assert.deepEqual(spanOf(fast), spanOf(full));
    assert.deepEqual(fast.weighting?.audit_metrics, fast.historical_validation.metrics);
    assert.equal(fast.weighting?.baseline_audit_metrics?.count, fast.historical_validation.metrics?.count);
  }
});

test('the fast mode has its reason on a short history, too, and scores the holdout if there is no audit window', async () => {
  for (const [rows, status, holdout] of [
    [3, 'insufficient_history', undefined],
    [10, 'completed', 2],
    // Full mode scores the holdout of six rows here, because its folds cannot choose weights.
    [14, 'completed', 2],
  ] as const) {
    const result = await forecast(monthlyRequest(rows, 6, { mode: 'fast' }), { runner: RUNNER });
    assert.deepEqual(statusOf(result), ['fallback', 'fast_mode'], `${rows} rows`);
    const { status: validated, holdout_rows } = result.historical_validation;
    assert.deepEqual([validated, holdout_rows], [status, holdout], `${rows} rows`);
  }
});

test('the fast mode runs with the models that are left, and gives their weight to them', async () => {
  const request = monthlyRequest(60, 6, { mode: 'fast' });
  const without = await forecast(request, { runner: RUNNER });
  assertWeights(without, '0.5', { theta: 1, seasonal_naive: 0 });
  const left = await forecast(request, { runner: runnerWith({ theta: FAILING }) });
  assert.deepEqual(statusOf(left), ['single_model', 'one_model_survived']);
  assert.deepEqual(left.effective_weights_by_quantile['0.5'], { seasonal_naive: 1 });
  assert.equal(left.members.find(({ model }) => model === 'theta')?.reason, 'failed');
});

test('the fast mode with its stored models gives the same result, and the full mode is the default', async () => {
  const request = monthlyRequest(60, 6);
  const fast = await forecast({ ...request, mode: 'fast' }, { runner: RUNNER });
  const again = await forecast({ ...request, mode: 'fast', models: ['seasonal_naive', 'theta'] }, { runner: RUNNER });
  assert.deepEqual(again, fast);
  assert.deepEqual(
    await forecast({ ...request, mode: 'full' }, { runner: RUNNER }),
    await forecast(request, { runner: RUNNER }),
  );
});

test('the fast mode needs no folds, and refuses manual weights', () => {
  const available = [...MODELS.keys()];
  const request = monthlyRequest(500, 30);
  assert.equal(checkForecast(request, available).maxFolds, 5);
  assert.equal(checkForecast({ ...request, mode: 'fast' }, available).maxFolds, 0);
  for (const fields of [{ mode: 'slow' as never }, { mode: 'fast', weightMode: 'manual' }] as const) {
    assert.throws(() => checkForecast({ ...request, ...fields }, available), {
      code: 'INVALID_REQUEST',
      field: 'mode',
    });
  }
});
