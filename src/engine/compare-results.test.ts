import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { monthlyRequest } from '../../test/support/forecasts/forecast-request.ts';
import {
  compareResults,
  createInlineRunner,
  createModels,
  type ForecastResult,
  forecast,
  type Weighting,
} from './index.ts';

const runner = createInlineRunner(createModels({}));
let result: ForecastResult;
before(async () => {
  result = await forecast(monthlyRequest(40, 3, { models: ['ets', 'theta'] }), { runner });
});

function shifted(by: number): ForecastResult {
  const predictions = result.predictions.map(({ timestamp, quantiles }) => ({
    timestamp,
    quantiles: Object.fromEntries(Object.entries(quantiles).map(([key, value]) => [key, value + by])),
  }));
  return { ...result, predictions };
}

test('reports a repeated request as exact and other digits as within tolerance or different', async () => {
  const again = await forecast(monthlyRequest(40, 3, { models: ['ets', 'theta'] }), { runner });
  assert.deepEqual(compareResults(result, again, 10), { outcome: 'exact', largest_difference: 0 });
  const near = compareResults(result, shifted(1e-6), 10);
  assert.equal(near.outcome, 'within_tolerance');
  assert.ok(Math.abs((near.largest_difference as number) - 1e-7) < 1e-12);
  assert.equal(compareResults(result, shifted(1e-3), 10).outcome, 'differs');
});

test('reports other methods or periods as different, however close the digits', () => {
  const { weighting } = result;
  assert.ok(weighting);
  const other = { ...shifted(1e-9), weighting: { ...weighting, selected_method: 'other' } };
  assert.equal(compareResults(result, other, 10).outcome, 'differs');
  const shorter = { ...result, predictions: result.predictions.slice(1) };
  assert.deepEqual(compareResults(result, shorter, 10), { outcome: 'differs', largest_difference: null });
});

test('ignores fields that results did not have when the first one was stored', async () => {
  const short = await forecast(monthlyRequest(4, 3, { models: ['ets', 'theta'] }), { runner });
  for (const repeated of [result, short]) {
    const { prior_weights, ...weighting } = repeated.weighting as Weighting;
    assert.ok(prior_weights);
    const unscored = repeated === short && { audit_metrics: null, baseline_audit_metrics: null };
    const stored = { ...repeated, weighting: { ...weighting, ...unscored } };
    assert.deepEqual(compareResults(stored, repeated, 10), { outcome: 'exact', largest_difference: 0 });
    const other = { ...repeated, weighting: { ...weighting, prior_weights: {} } };
    assert.equal(compareResults(repeated, other, 10).outcome, 'within_tolerance', 'both have the field');
  }
});
