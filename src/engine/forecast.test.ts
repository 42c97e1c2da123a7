import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENSEMBLE, MODELS, RUNNER } from '../../test/support/compute/ensemble-runner.ts';
import { monthlyRequest } from '../../test/support/forecasts/forecast-request.ts';
import {
  canonicalResult,
  createInlineRunner,
  DEFAULT_QUANTILES,
  type ForecastRequest,
  type ForecastResult,
  forecast,
  type Model,
  type Progress,
  type Weighting,
} from './index.ts';

function checkShares(result: ForecastResult, quantiles: readonly number[]): void {
  const shares = result.effective_weights_by_quantile;
  assert.deepEqual(Object.keys(shares), quantiles.map(String));
  for (const row of Object.values(shares)) {
    const total = Object.values(row).reduce((sum, weight) => sum + weight, 0);
    assert.ok(Math.abs(total - 1) < 1e-12, `${total}`);
    assert.ok(Object.values(row).every((weight) => weight >= 0));
  }
}

function checkPredictions(result: ForecastResult, horizon: number): void {
  assert.equal(result.predictions.length, horizon);
  for (const { timestamp, quantiles } of result.predictions) {
    assert.equal(new Date(timestamp).toISOString(), timestamp);
    const values = Object.values(quantiles);
    assert.ok(values.every(Number.isFinite));
    assert.deepEqual(
      values,
      values.toSorted((a, b) => a - b),
    );
  }
}

const UNSCORED = { count: 0, point_count: 0, mae: null, rmse: null, smape: null, average_wql: null, coverage: {} };

for (const rows of [3, 8, 14, 20, 40]) {
  for (const horizon of [1, 6, 30, 365]) {
    test(`forecasts ${horizon} steps from ${rows} rows with shares that sum to 1 and the right status`, async () => {
      const result = await forecast(monthlyRequest(rows, horizon, { models: ENSEMBLE }), { runner: RUNNER });
      checkPredictions(result, horizon);
      checkShares(result, DEFAULT_QUANTILES);
      const weighting = result.weighting as Weighting;
      const validation = result.historical_validation;
      assert.equal(weighting.reason === null, weighting.status === 'optimized');
      assert.equal(
        weighting.calibration_rows,
        weighting.folds.reduce((sum, fold) => sum + fold.rows, 0),
      );
      if (weighting.status === 'optimized') {
        assert.ok(weighting.folds.length >= 2 && weighting.calibration_rows >= 12);
        assert.equal(validation.holdout_rows, weighting.calibration_horizon);
      } else {
        assert.deepEqual([weighting.status, weighting.reason], ['fallback', 'insufficient_history']);
        assert.equal(weighting.selected_method, 'default_weights');
        assert.deepEqual(weighting.prior_weights, weighting.weights_by_quantile);
      }
      const audited = validation.metrics ?? UNSCORED;
      assert.deepEqual([weighting.audit_metrics, weighting.baseline_audit_metrics?.count], [audited, audited.count]);
      assert.equal(validation.status, rows > 8 ? 'completed' : 'insufficient_history');
      assert.equal(validation.metrics === null, rows <= 8);
    });
  }
}

test('finds a season and starts one period after the last row', async () => {
  const result = await forecast(monthlyRequest(96, 12, { season: 30, models: ENSEMBLE }), { runner: RUNNER });
  assert.equal(result.season, 12);
  assert.equal(result.predictions[0]?.timestamp, '1998-01-01T00:00:00.000Z');
  assert.equal(result.predictions[11]?.timestamp, '1998-12-01T00:00:00.000Z');
  assert.equal(result.weighting?.calibration_horizon, 12);
  assert.equal(result.weighting?.extrapolated_from_step, null);
});

test('reports the first step beyond the calibrated ones', async () => {
  const result = await forecast(monthlyRequest(60, 36, { models: ENSEMBLE }), { runner: RUNNER });
  assert.equal(result.weighting?.extrapolated_from_step, (result.weighting?.calibration_horizon as number) + 1);
});

test('chooses weights, method, space, season and calibration without the audit window', async () => {
  // ARIMA is the slowest model by far: one horizon covers it.
  for (const horizon of [1, 2, 6, 12, 40]) {
    const models = horizon === 6 ? ENSEMBLE : ['ets', 'theta'];
    const request = monthlyRequest(120, horizon, { season: 20, models });
    const before = await forecast(request, { runner: RUNNER });
    const audited = before.historical_validation.holdout_rows as number;
    const values = Array.from(request.values, (value, i) =>
      i < 120 - audited ? value : Math.abs(value * (i % 2 === 0 ? 9 : 0.2)),
    );
    const after = await forecast({ ...request, values }, { runner: RUNNER });
    const decided = ({ weighting, season }: ForecastResult) => {
      const { audit_metrics, baseline_audit_metrics, ...rest } = weighting as Weighting;
      return { season, ...rest };
    };
    assert.deepEqual(decided(after), decided(before));
    assert.notDeepEqual(after.weighting?.audit_metrics, before.weighting?.audit_metrics);
    assert.equal(before.weighting?.status, 'optimized');
  }
});

test('chooses weights by both policies, and reports the status optimized even if equal weights win', async () => {
  const request = monthlyRequest(90, 6, { models: ENSEMBLE });
  const first = await forecast({ ...request, weightingPolicy: 'rolling_pinball_v1' }, { runner: RUNNER });
  assert.equal(first.weighting?.policy, 'rolling_pinball_v1');
  assert.equal(first.weighting?.selected_method, 'convex_per_quantile');
  const third = 1 / 3;
  assert.deepEqual(first.weighting?.prior_weights?.['0.9'], { ets: third, theta: third, arima: third });
  const twins = createInlineRunner(new Map(['ets', 'theta'].map((id) => [id, MODELS.get('ets') as Model])));
  const equal = await forecast({ ...request, models: ['ets', 'theta'] }, { runner: twins });
  assert.deepEqual([equal.weighting?.status, equal.weighting?.selected_method], ['optimized', 'equal']);
  assert.deepEqual(equal.weighting?.audit_metrics, equal.weighting?.baseline_audit_metrics);
});

test('scales manual weights to a sum of 1 and scores them on one holdout', async () => {
  const request = monthlyRequest(40, 6, { models: ENSEMBLE, weightMode: 'manual', weights: { ets: 3, theta: 1 } });
  const result = await forecast(request, { runner: RUNNER });
  assert.equal(result.weighting, undefined);
  assert.deepEqual(result.effective_weights_by_quantile['0.5'], { ets: 0.75, theta: 0.25, arima: 0 });
  assert.equal(result.historical_validation.holdout_rows, 6);
  assert.equal(result.historical_validation.training_rows, 34);
  assert.equal(result.historical_validation.validation_end_at, '1993-04-01T00:00:00.000Z');
});

test('scores observed rows only, and none where a gap is too long', async () => {
  const whole = monthlyRequest(80, 6, { models: ENSEMBLE });
  const keep = (isKept: (i: number) => boolean): ForecastRequest => ({
    ...whole,
    timestamps: Array.from(whole.timestamps).filter((_, i) => isKept(i)),
    values: Array.from(whole.values).filter((_, i) => isKept(i)),
  });
  const thinned = await forecast(
    keep((i) => i % 5 !== 3),
    { runner: RUNNER },
  );
  const validation = thinned.historical_validation;
  assert.ok((validation.metrics?.count as number) < (validation.holdout_rows as number));
  checkPredictions(thinned, 6);
  // Twelve rows, a gap of five years, then the six rows to score: six steps do not reach them.
  const hole = await forecast(
    keep((i) => i < 12 || i >= 74),
    { runner: RUNNER },
  );
  assert.equal(hole.historical_validation.status, 'no_matching_outcomes');
  assert.equal(hole.historical_validation.metrics, null);
  assert.deepEqual([hole.weighting?.audit_metrics, hole.weighting?.baseline_audit_metrics], [UNSCORED, UNSCORED]);
});

test('pools logarithms of a positive series that grows by ratios, unless requested otherwise', async () => {
  const growing = monthlyRequest(80, 6, { models: ENSEMBLE });
  const request = { ...growing, values: Array.from(growing.values, (value, i) => value * 1.05 ** i) };
  const spaces = await Promise.all(
    (['auto', 'none', 'log'] as const).map((transform) => forecast({ ...request, transform }, { runner: RUNNER })),
  );
  assert.deepEqual(
    spaces.map(({ weighting }) => weighting?.pooling_space),
    ['transformed', 'target', 'transformed'],
  );
  const negative = { ...request, values: Array.from(request.values, (value) => value - 500) };
  assert.equal((await forecast(negative, { runner: RUNNER })).weighting?.pooling_space, 'target');
});

test('does not depend on the order of models and quantiles', async () => {
  const request = monthlyRequest(60, 6, { models: ['ets', 'theta'], quantiles: [0.9, 0.1, 0.5] });
  const turned = { ...request, models: ['theta', 'ets'], quantiles: [0.1, 0.5, 0.9] };
  assert.deepEqual(await forecast(request, { runner: RUNNER }), await forecast(turned, { runner: RUNNER }));
});

test('reports no point measures without the median', async () => {
  const request = monthlyRequest(60, 6, { models: ENSEMBLE });
  const outer = await forecast({ ...request, quantiles: [0.1, 0.9] }, { runner: RUNNER });
  assert.deepEqual(Object.keys(outer.predictions[0]?.quantiles ?? {}), ['0.1', '0.9']);
  assert.equal(outer.historical_validation.metrics?.point_count, 0);
  assert.equal(outer.historical_validation.metrics?.mae, null);
});

test('reports progress up to the last model', async () => {
  const seen: Progress[] = [];
  await forecast(monthlyRequest(40, 6, { models: ENSEMBLE }), {
    runner: RUNNER,
    onProgress: (step) => seen.push(step),
  });
  assert.deepEqual(
    seen.map(({ completed_models }) => completed_models),
    [0, 1, 2, 3],
  );
  assert.deepEqual(seen[0], { completed_models: 0, total_models: 3, current_model: 'ets' });
  assert.equal(seen[3]?.current_model, null);
});

test('forecasts a few rows with the log transform', async () => {
  for (const [rows, horizon] of [
    [3, 3],
    [3, 365],
    [20, 30],
    [29, 30],
  ] as const) {
    const result = await forecast(monthlyRequest(rows, horizon, { models: ENSEMBLE, transform: 'log' }), {
      runner: RUNNER,
    });
    checkPredictions(result, horizon);
    assert.equal(Object.keys(result.predictions[0]?.quantiles ?? {}).length, 5);
    assert.equal(result.weighting?.pooling_space, 'transformed');
  }
});

test('reports finite measures for tiny and huge values', async () => {
  for (const size of [5e-324, 1e-170, 1e-12, 1e12]) {
    const request = monthlyRequest(60, 6, { models: ENSEMBLE });
    const result = await forecast(
      { ...request, values: Array.from(request.values, (value) => value * size) },
      { runner: RUNNER },
    );
    canonicalResult(result);
    const { mae, rmse } = result.historical_validation.metrics ?? {};
    assert.ok((rmse as number) >= (mae as number) * (1 - 1e-9), `${rmse} and ${mae} at ${size}`);
  }
});

test('accepts huge manual weights, and rejects an aborted signal first', async () => {
  const request = monthlyRequest(40, 6, {
    models: ENSEMBLE,
    weightMode: 'manual',
    weights: { ets: 1e308, theta: 1e308 },
  });
  const { effective_weights_by_quantile: weights } = await forecast(request, { runner: RUNNER });
  assert.deepEqual(weights['0.5'], { ets: 0.5, theta: 0.5, arima: 0 });
  const constant = { ...request, values: Array.from(request.values, () => 7) };
  await assert.rejects(forecast(constant, { runner: RUNNER, signal: AbortSignal.abort() }), { name: 'AbortError' });
});

test('pools logarithms even if one model falls below zero, with a floor from past values only', async () => {
  const falling = monthlyRequest(60, 24, { models: ENSEMBLE, transform: 'log' });
  const values = Array.from(falling.values, (_, i) => (i < 50 ? 1_000 - 19 * i : 50 * 0.8 ** (i - 49)));
  const { predictions, members } = await forecast({ ...falling, values }, { runner: RUNNER });
  const medianAt = (rows: readonly { quantiles: Readonly<Record<string, number>> }[], step: number): number =>
    rows[step]?.quantiles['0.5'] as number;
  const last = values.at(-1) as number;
  assert.ok(last < 0.5 * Math.min(...values.slice(0, 50)), 'the last values are far below those before');
  assert.ok(
    members.some((member) => medianAt(member.predictions, 23) < 0),
    'one model falls below zero',
  );
  assert.ok(medianAt(predictions, 0) < 1.2 * last, `${medianAt(predictions, 0)} beside ${last}`);
  assert.ok(medianAt(predictions, 23) >= (1 - 1e-12) * 0.5 * last, `${medianAt(predictions, 23)} beside ${last}`);
});
