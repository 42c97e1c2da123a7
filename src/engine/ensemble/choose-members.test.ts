import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MODELS, RUNNER } from '../../../test/support/compute/ensemble-runner.ts';
import { monthlyRequest } from '../../../test/support/forecasts/forecast-request.ts';
import { createInlineRunner, forecast, MODEL_CATALOG, type Model, type Progress } from '../index.ts';
import { checkRequest } from './check-request.ts';
import { type ChosenFor, chooseMembers } from './choose-members.ts';

const ALL = MODEL_CATALOG.map(({ id }) => id);
const ROWS = 401;

const series = (frequency: ChosenFor['frequency']): ChosenFor => ({
  frequency,
  values: new Float64Array(ROWS).fill(1),
});

const YEARLY = { frequency: '1YE', kind: 'plain' } as const;
const yearEnds = (rows: number) => Array.from({ length: rows }, (_, i) => Date.UTC(1900 + i, 11, 31));

test('chooses the models that help at the frequency, and names those of the default ensemble that are not fitted', () => {
  assert.deepEqual(chooseMembers(ALL, series('1YE')), {
    fitted: ['prophet', 'toto', 'theta', 'arima'],
    notFitted: ['ets'],
  });
  assert.deepEqual(chooseMembers(ALL, series('1h')), {
    fitted: ['toto', 'seasonal_naive', 'intermittent', 'mstl'],
    notFitted: ['prophet', 'ets', 'theta', 'arima'],
  });
  const sparse = { frequency: '1ME', values: Float64Array.of(0, 0, 3, 0, 0, 1) } as const;
  assert.deepEqual(chooseMembers(ALL, sparse).fitted, ['toto', 'intermittent']);
  const withoutArima = ALL.filter((id) => id !== 'arima');
  assert.deepEqual(chooseMembers(withoutArima, series('1YE')), {
    fitted: ['prophet', 'toto', 'theta'],
    notFitted: ['ets'],
  });
});

test('fits the default ensemble without a pretrained model, and what can run if no chosen model can', () => {
  const untrained = ALL.filter((id) => id !== 'toto');
  assert.deepEqual(chooseMembers(untrained, series('1h')), {
    fitted: ['prophet', 'ets', 'theta', 'arima'],
    notFitted: [],
  });
  assert.deepEqual(chooseMembers(['seasonal_naive'], series('1YE')), { fitted: ['seasonal_naive'], notFitted: [] });
});

test('a model that is named or weighted is always fitted', () => {
  const request = monthlyRequest(ROWS, 6);
  const chosenFor = (fields: object) => {
    const { models, notFitted } = checkRequest({ ...request, ...fields }, ALL);
    return { models, notFitted };
  };
  assert.deepEqual(chosenFor({}).notFitted, ['ets', 'arima']);
  assert.deepEqual(chosenFor({ models: ['arima', 'ets'] }), { models: ['ets', 'arima'], notFitted: [] });
  assert.deepEqual(chosenFor({ weightMode: 'manual', weights: { arima: 1 } }), { models: ['arima'], notFitted: [] });
  assert.ok(chosenFor({ weightMode: 'manual' }).models.includes('ets'), 'by its default weight');
  assert.deepEqual(chosenFor({ notFitted: ['toto'] }).notFitted, ['ets', 'arima'], 'nothing was chosen before');
});

test('a member that is not fitted is named in the result, and in nothing else', async () => {
  const seen: Progress[] = [];
  const onProgress = (progress: Progress) => seen.push(progress);
  const fitted: string[] = [];
  // A model in the place of toto, which has no checkpoint here.
  const withToto = createInlineRunner(new Map([...MODELS, ['toto', MODELS.get('theta') as Model]]));
  const runner = {
    models: withToto.models,
    run: (task: Parameters<typeof RUNNER.run>[0], signal: AbortSignal | undefined) => {
      fitted.push(task.model);
      return withToto.run(task, signal);
    },
  };
  const request = { ...monthlyRequest(120, 6), cadence: YEARLY, timestamps: yearEnds(120) };
  const chosen = await forecast(request, { runner, onProgress });
  assert.deepEqual(chosen.members.at(-1), {
    model: 'ets',
    status: 'left_out',
    reason: 'not_fitted_here',
    error: null,
    predictions: [],
  });
  const models = ['toto', 'theta', 'arima'];
  assert.deepEqual([...new Set(fitted)], models);
  assert.equal(seen[0]?.total_models, 3);
  assert.deepEqual(Object.keys(chosen.effective_weights_by_quantile['0.5'] ?? {}), models);
  assert.deepEqual(Object.keys(chosen.weighting?.folds[0]?.losses ?? {}), models);
  assert.deepEqual(chosen.historical_validation.requested_models, models);
  const stored = { ...request, models, notFitted: ['ets'] };
  assert.deepEqual(await forecast(stored, { runner }), chosen, 'the stored choice gives the same result');
  const named = await forecast({ ...request, models: [...MODELS.keys()] }, { runner: RUNNER });
  assert.ok(named.members.every(({ status }) => status === 'completed'));
});
