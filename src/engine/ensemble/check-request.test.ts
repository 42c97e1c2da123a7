import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENSEMBLE, RUNNER } from '../../../test/support/compute/ensemble-runner.ts';
import { monthlyRequest } from '../../../test/support/forecasts/forecast-request.ts';
import { ForecastError, type ForecastRequest, forecast } from '../index.ts';
import { checkRequest } from './check-request.ts';

const REFUSED: readonly [string, Partial<ForecastRequest>, string, string | null][] = [
  ['a horizon of 0', { horizon: 0 }, 'INVALID_REQUEST', 'horizon'],
  ['a fractional horizon', { horizon: 1.5 }, 'INVALID_REQUEST', 'horizon'],
  ['a horizon above 365', { horizon: 366 }, 'INVALID_REQUEST', 'horizon'],
  ['an empty list of quantiles', { quantiles: [] }, 'INVALID_REQUEST', 'quantiles'],
  ['a quantile twice', { quantiles: [0.5, 0.5] }, 'INVALID_REQUEST', 'quantiles'],
  ['a quantile of 1', { quantiles: [1] }, 'INVALID_REQUEST', 'quantiles'],
  ['NaN as a quantile', { quantiles: [Number.NaN] }, 'INVALID_REQUEST', 'quantiles'],
  [
    'too many quantiles',
    { quantiles: Array.from({ length: 22 }, (_, i) => (i + 1) / 30) },
    'INVALID_REQUEST',
    'quantiles',
  ],
  ['an empty list of models', { models: [] }, 'INVALID_REQUEST', 'models'],
  ['an unknown model', { models: ['ets', 'oracle'] }, 'INVALID_REQUEST', 'models'],
  ['a model twice', { models: ['ets', 'ets'] }, 'INVALID_REQUEST', 'models'],
  ['weights in auto mode', { weights: { ets: 1 } }, 'INVALID_REQUEST', 'weights'],
  ['a negative weight', { weightMode: 'manual', weights: { ets: -1 } }, 'INVALID_REQUEST', 'weights'],
  ['weights that are all 0', { weightMode: 'manual', weights: { ets: 0 } }, 'INVALID_REQUEST', 'weights'],
  [
    'a weight of a model that is not requested',
    { weightMode: 'manual', weights: { prophet: 1 } },
    'INVALID_REQUEST',
    'weights',
  ],
  ['a seed below 0', { seed: -1 }, 'INVALID_REQUEST', 'seed'],
  [
    'a horizon beyond the supported dates',
    {
      horizon: 365,
      cadence: { frequency: '1YE', kind: 'plain' },
      timestamps: [Date.UTC(2020, 11, 31), Date.UTC(2021, 11, 31), Date.UTC(2022, 11, 31)],
      values: [1, 2, 3],
    },
    'INVALID_REQUEST',
    'horizon',
  ],
  ['a missing cadence', { cadence: undefined as never }, 'INVALID_REQUEST', 'frequency'],
  [
    'an unknown frequency',
    { cadence: { frequency: 'toString' as never, kind: 'plain' } },
    'INVALID_REQUEST',
    'frequency',
  ],
  ['an unknown kind', { cadence: { frequency: '1MS', kind: 'weird' as never } }, 'INVALID_REQUEST', 'cadence'],
  ['missing values', { values: undefined as never }, 'INVALID_REQUEST', 'values'],
  ['missing timestamps', { timestamps: null as never }, 'INVALID_REQUEST', 'timestamps'],
  ['a quantile as text', { quantiles: ['0.5' as never] }, 'INVALID_REQUEST', 'quantiles'],
  ['two rows', { timestamps: [0, 1], values: [1, 2] }, 'INSUFFICIENT_HISTORY', null],
];

for (const [what, fields, code, field] of REFUSED) {
  test(`refuses ${what}`, async () => {
    const request = { ...monthlyRequest(40, 6), models: ENSEMBLE, ...fields };
    await assert.rejects(forecast(request, { runner: RUNNER }), (error) => {
      assert.ok(error instanceof ForecastError, String(error));
      assert.deepEqual([error.code, error.field], [code, field]);
      return true;
    });
  });
}

test('without a list of models, the manual weights name the models', () => {
  const request = { ...monthlyRequest(40, 6), weightMode: 'manual' as const };
  const available = ['prophet', 'ets', 'theta', 'arima'];
  assert.deepEqual(checkRequest({ ...request, weights: { theta: 1, ets: 2 } }, available).models, ['ets', 'theta']);
  assert.deepEqual(checkRequest(request, available).models, available, 'without weights, the default ensemble');
  assert.throws(() => checkRequest({ ...request, weights: { oracle: 1 } }, available), { field: 'weights' });
});

test('a series of years has a horizon of at most 150', () => {
  const request = { ...monthlyRequest(40, 6), cadence: { frequency: '1YE', kind: 'plain' } as const };
  assert.equal(checkRequest({ ...request, horizon: 150 }, ['ets']).horizon, 150);
  assert.throws(
    () => checkRequest({ ...request, horizon: 151 }, ['ets']),
    /horizon must be a whole number from 1 to 150/,
  );
});
