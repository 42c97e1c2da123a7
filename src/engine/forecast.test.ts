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

for (const rows of [3, 8, 14, 20, 40]) {
  for (const horizon of [1, 6, 30, 365]) {
    test(`${rows} rows, horizon ${horizon}: a forecast, whole shares and an honest status`, async () => {
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
        assert.deepEqual(validation.metrics, weighting.audit_metrics);
      } else {
        assert.deepEqual([weighting.status, weighting.reason], ['fallback', 'insufficient_history']);
        assert.equal(weighting.selected_method, 'default_weights');
      }
      assert.equal(validation.status, rows > 8 ? 'completed' : 'insufficient_history');
      assert.equal(validation.metrics === null, rows <= 8);
    });
  }
}

test('a season is found, and the first forecast lies one period after the last row', async () => {
  const result = await forecast(monthlyRequest(96, 12, { season: 30, models: ENSEMBLE }), { runner: RUNNER });
  assert.equal(result.season, 12);
  assert.equal(result.predictions[0]?.timestamp, '1998-01-01T00:00:00.000Z');
  assert.equal(result.predictions[11]?.timestamp, '1998-12-01T00:00:00.000Z');
  assert.equal(result.weighting?.calibration_horizon, 12);
  assert.equal(result.weighting?.extrapolated_from_step, null);
});

test('steps beyond the calibrated ones are pointed out', async () => {
  const result = await forecast(monthlyRequest(60, 36, { models: ENSEMBLE }), { runner: RUNNER });
  assert.equal(result.weighting?.extrapolated_from_step, (result.weighting?.calibration_horizon as number) + 1);
});

test('changing the values of the audit window changes no weight, method, space, season or calibration', async () => {
  for (const horizon of [1, 2, 6, 12, 40]) {
    const request = monthlyRequest(120, horizon, { season: 20, models: ENSEMBLE });
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

test('both policies choose; equal weights winning counts as optimised', async () => {
  const request = monthlyRequest(90, 6, { models: ENSEMBLE });
  const first = await forecast({ ...request, weightingPolicy: 'rolling_pinball_v1' }, { runner: RUNNER });
  assert.equal(first.weighting?.policy, 'rolling_pinball_v1');
  assert.equal(first.weighting?.selected_method, 'convex_per_quantile');
  const twins = createInlineRunner(new Map(['ets', 'theta'].map((id) => [id, MODELS.get('ets') as Model])));
  const equal = await forecast({ ...request, models: ['ets', 'theta'] }, { runner: twins });
  assert.deepEqual([equal.weighting?.status, equal.weighting?.selected_method], ['optimized', 'equal']);
  assert.deepEqual(equal.weighting?.audit_metrics, equal.weighting?.baseline_audit_metrics);
});

test('manual weights are taken as they are, scaled to 1, and judged on one holdout', async () => {
  const request = monthlyRequest(40, 6, { models: ENSEMBLE, weightMode: 'manual', weights: { ets: 3, theta: 1 } });
  const result = await forecast(request, { runner: RUNNER });
  assert.equal(result.weighting, undefined);
  assert.deepEqual(result.effective_weights_by_quantile['0.5'], { ets: 0.75, theta: 0.25, arima: 0 });
  assert.equal(result.historical_validation.holdout_rows, 6);
  assert.equal(result.historical_validation.training_rows, 34);
  assert.equal(result.historical_validation.validation_end_at, '1993-04-01T00:00:00.000Z');
});

test('gaps stay gaps: only rows that were observed are scored, and a hole may leave none', async () => {
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
  // Twelve rows, a hole of four years, then the six that would be scored: out of reach of six steps.
  const hole = await forecast(
    keep((i) => i < 12 || i >= 74),
    { runner: RUNNER },
  );
  assert.equal(hole.historical_validation.status, 'no_matching_outcomes');
  assert.equal(hole.historical_validation.metrics, null);
  assert.equal(hole.weighting?.audit_metrics, null);
});

test('a positive series that grows by ratios is pooled among logarithms, unless told otherwise', async () => {
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

test('what was asked for decides, not the order in which it was asked for', async () => {
  const request = monthlyRequest(60, 6, { models: ['ets', 'theta'], quantiles: [0.9, 0.1, 0.5] });
  const turned = { ...request, models: ['theta', 'ets'], quantiles: [0.1, 0.5, 0.9] };
  assert.deepEqual(await forecast(request, { runner: RUNNER }), await forecast(turned, { runner: RUNNER }));
});

test('without the median there are no point measures, and the other quantiles stay as they were', async () => {
  const request = monthlyRequest(60, 6, { models: ENSEMBLE });
  const outer = await forecast({ ...request, quantiles: [0.1, 0.9] }, { runner: RUNNER });
  assert.deepEqual(Object.keys(outer.predictions[0]?.quantiles ?? {}), ['0.1', '0.9']);
  assert.equal(outer.historical_validation.metrics?.point_count, 0);
  assert.equal(outer.historical_validation.metrics?.mae, null);
});

test('progress counts models up to the last', async () => {
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

test('logarithms asked for on a few rows still make a forecast', async () => {
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

test('the tiniest values leave no measure that is not a number', async () => {
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

test('huge manual weights count as they are, and an aborted signal counts before anything else', async () => {
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

test('among logarithms one member below zero does not draw the others after it, and a new low is no floor', async () => {
  const falling = monthlyRequest(60, 24, { models: ENSEMBLE, transform: 'log' });
  const values = Array.from(falling.values, (_, i) => (i < 50 ? 1_000 - 19 * i : 50 * 0.8 ** (i - 49)));
  const { predictions, members } = await forecast({ ...falling, values }, { runner: RUNNER });
  const medianAt = (rows: readonly { quantiles: Readonly<Record<string, number>> }[], step: number): number =>
    rows[step]?.quantiles['0.5'] as number;
  const last = values.at(-1) as number;
  assert.ok(last < 0.5 * Math.min(...values.slice(0, 50)), 'the last values are far below what came before');
  assert.ok(
    members.some((member) => medianAt(member.predictions, 23) < 0),
    'a straight line goes below zero',
  );
  assert.ok(medianAt(predictions, 0) < 1.2 * last, `${medianAt(predictions, 0)} beside ${last}`);
  assert.ok(medianAt(predictions, 23) >= 0.5 * last, `${medianAt(predictions, 23)} beside ${last}`);
});
