import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeAudit } from './audit.ts';
import { judgeCoverage } from './coverage.ts';
import { type Metrics, type Weighting, type WordedForecast, wordsOf } from './forecast-words.ts';

const metrics = (fields: Partial<Metrics> = {}): Metrics => ({
  count: 24,
  point_count: 24,
  mae: 1.5,
  rmse: 2,
  smape: 0.1,
  average_wql: 0.088,
  coverage: { '0.8': 0.875, '0.5': 0.5 },
  ...fields,
});

interface Case {
  readonly weighting?: Partial<Weighting> | null;
  readonly forecast?: Partial<WordedForecast>;
}

/** Returns the audit of 30 months of a monthly forecast. */
function auditOf({ weighting = {}, forecast = {} }: Case = {}) {
  const predictions = Array.from({ length: 30 }, (_, i) => ({
    timestamp: new Date(Date.UTC(2026, i, 1)).toISOString(),
    quantiles: { '0.1': 90, '0.25': 95, '0.5': 100, '0.75': 105, '0.9': 110 },
  }));
  const whole = {
    predictions,
    settings: { frequency: '1MS', series_kind: 'plain', models: ['ets', 'toto'], horizon: 30 },
    historical_validation: {
      status: 'completed',
      validation_start_at: '2024-01-01T00:00:00.000Z',
      validation_end_at: '2025-12-01T00:00:00.000Z',
      metrics: metrics(),
    },
    ...(weighting && {
      weighting: {
        status: 'optimized',
        reason: null,
        selected_method: 'evidence',
        extrapolated_from_step: null,
        audit_metrics: metrics(),
        baseline_audit_metrics: metrics({ average_wql: 0.1 }),
        ...weighting,
      },
    }),
    ...forecast,
  } as unknown as WordedForecast;
  return describeAudit(wordsOf(whole, undefined));
}

const titlesOf = (audit: ReturnType<typeof auditOf>) => audit.warnings.map(({ title }) => title);

test('the audit is one sentence with the gain and how often the interval held', () => {
  const { headline, verdict, warnings, details } = auditOf();
  assert.equal(
    headline,
    'On 24 months that it had not seen, it was 12% better than equal weights; its 80% interval held 21 of 24.',
  );
  assert.deepEqual([verdict, warnings], ['better', []]);
  assert.match(details[0] ?? '', /^The rows of the test are Jan 2024 to Dec 2025\. They chose neither/);
});

test('the audit warns if the weights did worse than the baseline', () => {
  const audit = auditOf({ weighting: { baseline_audit_metrics: metrics({ average_wql: 0.08 }) } });
  assert.match(audit.headline ?? '', /it was 10% worse than equal weights;/);
  assert.deepEqual([audit.verdict, titlesOf(audit)], ['worse', ['Worse than equal weights']]);
  const same = auditOf({ weighting: { baseline_audit_metrics: metrics({ average_wql: 0.0881 }) } });
  assert.match(same.headline ?? '', /as good as equal weights/);
  assert.deepEqual([same.verdict, same.warnings], ['equal', []]);
});

test('the audit warns if an interval clearly held too seldom or too often', () => {
  const held = (inside: number) =>
    titlesOf(auditOf({ weighting: { audit_metrics: metrics({ coverage: { '0.8': inside / 24 } }) } }));
  assert.deepEqual(held(13), ['Its intervals look too narrow']);
  assert.deepEqual(held(24), ['Its intervals look too wide']);
  assert.deepEqual([held(17), held(22)], [[], []]);
  assert.deepEqual(
    [judgeCoverage(0, 0, 0.8), judgeCoverage(6, 6, 0.8), judgeCoverage(0, 3, 0.8), judgeCoverage(1, 1, 0.5)],
    [null, null, 'narrow', null],
  );
});

test('the audit warns about default weights, short tests, steps beyond the folds and missing models', () => {
  const members = [{ model: 'toto', status: 'failed' }] as unknown as NonNullable<WordedForecast['members']>;
  const audit = auditOf({
    weighting: {
      status: 'fallback',
      reason: 'insufficient_history',
      selected_method: 'default_weights',
      extrapolated_from_step: 25,
      audit_metrics: metrics({ count: 11, coverage: { '0.8': 0.8 } }),
    },
    forecast: { members },
  });
  assert.deepEqual(titlesOf(audit), [
    'Weights without proof',
    'A short test',
    'Steps that no test reaches',
    'A model is missing',
  ]);
  assert.equal(
    audit.warnings[0]?.text,
    'The series is too short for the folds to choose weights, so the weights are the default ones and the spread is not calibrated.',
  );
  assert.match(audit.warnings[2]?.text ?? '', /^From Jan 2028 on, the last 6 months are further ahead/);
});

test('the audit of a fast forecast names the mode, and does not list models that were not fitted as missing', () => {
  const members = [
    { model: 'theta', status: 'completed', reason: null },
    { model: 'arima', status: 'left_out', reason: 'not_fitted_here' },
  ] as unknown as NonNullable<WordedForecast['members']>;
  const weighting = { status: 'fallback', reason: 'fast_mode', selected_method: 'default_weights' } as const;
  const settings = { frequency: '1MS', series_kind: 'plain', models: ['theta'], mode: 'fast' } as const;
  const unavailable = { ...settings, models: ['theta'], unavailable_models: ['toto'] };
  const audit = auditOf({ weighting, forecast: { members, settings: unavailable } });
  assert.deepEqual(titlesOf(audit), ['Made in fast mode', 'Made without a model of the fast mode']);
  assert.equal(
    audit.warnings[0]?.text,
    'No folds tested the models on the past. The weights are the default ones, and the spread is not calibrated. The full mode adjusts both to this series.',
  );
  const full = auditOf({ forecast: { members } });
  assert.deepEqual(full.warnings, []);
});

test('the audit names the weights and the width of a pool that starts from what suits most series', () => {
  const spread_weights = { '0.5': { toto: 1 } };
  const warningOf = (reason: string) =>
    auditOf({ weighting: { status: 'fallback', reason, selected_method: 'default_weights', spread_weights } })
      .warnings[0]?.text;
  const prior = 'the weights and the width of the spread are those that suit most series of this kind.';
  assert.equal(
    warningOf('insufficient_history'),
    `The series is too short for the folds to choose weights, so ${prior}`,
  );
  assert.equal(warningOf('calibration_failed'), `Every model failed in at least one fold, so ${prior}`);
  assert.match(
    warningOf('fast_mode') ?? '',
    /\. The weights and the width of the spread are those that suit most series/,
  );
});

test('equal weights are named only if they do not differ from the baseline, as they can by the spread', () => {
  const details = (baseline: number) =>
    auditOf({
      weighting: { selected_method: 'equal', baseline_audit_metrics: metrics({ average_wql: baseline }) },
    }).details.join();
  assert.match(details(0.088), /The weights are equal, so there is no difference to measure\./);
  assert.doesNotMatch(details(0.1), /no difference/);
});

test('the audit of a forecast without scored rows, with manual weights or with one model claims no gain', () => {
  const none = metrics({ count: 0, mae: null, average_wql: null, coverage: {} });
  const untested = auditOf({ weighting: { audit_metrics: none, baseline_audit_metrics: none } });
  assert.deepEqual([untested.headline, untested.verdict, titlesOf(untested)], [null, 'none', ['Not tested']]);
  const manual = auditOf({ weighting: null });
  assert.equal(manual.headline, 'On 24 months that it had not seen, its 80% interval held 21 of 24.');
  const single = auditOf({ weighting: { status: 'single_model', selected_method: 'single_model' } });
  assert.deepEqual([single.verdict, /One model takes part/.test(single.details.join())], ['none', true]);
});
