import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MODELS, RUNNER } from '../../../test/support/compute/ensemble-runner.ts';
import { monthlyRequest } from '../../../test/support/forecasts/forecast-request.ts';
import { forecast, MODEL_CATALOG, type Progress } from '../index.ts';
import { checkRequest } from './check-request.ts';
import { type ChosenFor, chooseMembers } from './choose-members.ts';

const ALL = MODEL_CATALOG.map(({ id }) => id);
const MANY = 401;

const series = (rows: number): ChosenFor => ({ frequency: '1D', rows, values: new Float64Array(rows) });

test('chooses members of the default ensemble, and names those that can run but are not fitted', () => {
  assert.deepEqual(chooseMembers(ALL, series(400)), {
    fitted: ['prophet', 'toto', 'ets', 'theta', 'arima'],
    notFitted: [],
  });
  assert.deepEqual(chooseMembers(ALL, series(MANY)), {
    fitted: ['prophet', 'toto', 'ets', 'theta'],
    notFitted: ['arima'],
  });
  const without = ALL.filter((id) => id !== 'arima' && id !== 'toto');
  assert.deepEqual(chooseMembers(without, series(MANY)), { fitted: ['prophet', 'ets', 'theta'], notFitted: [] });
});

test('fits what can run if no chosen model can', () => {
  for (const only of ['arima', 'seasonal_naive']) {
    assert.deepEqual(chooseMembers([only], series(MANY)), { fitted: [only], notFitted: [] });
  }
});

test('a model that is named or weighted is always fitted', () => {
  const request = monthlyRequest(MANY, 6);
  const chosenFor = (fields: object) => {
    const { models, notFitted } = checkRequest({ ...request, ...fields }, ALL);
    return { models, notFitted };
  };
  assert.deepEqual(chosenFor({}).notFitted, ['arima']);
  assert.deepEqual(chosenFor({ models: ['arima', 'ets'] }), { models: ['ets', 'arima'], notFitted: [] });
  assert.deepEqual(chosenFor({ weightMode: 'manual', weights: { arima: 1 } }), { models: ['arima'], notFitted: [] });
  assert.ok(chosenFor({ weightMode: 'manual' }).models.includes('arima'), 'by its default weight');
  assert.deepEqual(chosenFor({ notFitted: ['toto'] }).notFitted, ['arima'], 'nothing was chosen before');
});

test('a member that is not fitted is named in the result, and in nothing else', async () => {
  const seen: Progress[] = [];
  const onProgress = (progress: Progress) => seen.push(progress);
  const fitted: string[] = [];
  const runner = {
    models: RUNNER.models,
    run: (task: Parameters<typeof RUNNER.run>[0], signal: AbortSignal | undefined) => {
      fitted.push(task.model);
      return RUNNER.run(task, signal);
    },
  };
  const request = monthlyRequest(MANY, 6);
  const chosen = await forecast(request, { runner, onProgress });
  assert.deepEqual(chosen.members.at(-1), {
    model: 'arima',
    status: 'left_out',
    reason: 'not_fitted_here',
    error: null,
    predictions: [],
  });
  assert.deepEqual([...new Set(fitted)], ['ets', 'theta']);
  assert.equal(seen[0]?.total_models, 2);
  const models = ['ets', 'theta'];
  assert.deepEqual(Object.keys(chosen.effective_weights_by_quantile['0.5'] ?? {}), models);
  assert.deepEqual(Object.keys(chosen.weighting?.folds[0]?.losses ?? {}), models);
  assert.deepEqual(chosen.historical_validation.requested_models, models);
  const stored = { ...request, models, notFitted: ['arima'] };
  assert.deepEqual(await forecast(stored, { runner }), chosen, 'the stored choice gives the same result');
  const named = await forecast({ ...request, models: [...MODELS.keys()] }, { runner: RUNNER });
  assert.ok(named.members.every(({ status }) => status === 'completed'));
});
