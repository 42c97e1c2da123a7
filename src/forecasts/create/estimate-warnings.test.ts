import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../../calendar/index.ts';
import type { ForecastPreview } from '../../engine/index.ts';
import type { ForecastSettings } from '../tables.ts';
import { listWarnings } from './estimate-warnings.ts';

const FIRST = Date.UTC(2024, 0, 1);
const TIMESTAMPS = Float64Array.from({ length: 100 }, (_, i) => FIRST + i * DAY_MS);
/** The instant at which a number of predicted days is over. */
const daysAfter = (days: number) => new Date(FIRST + (TIMESTAMPS.length + days) * DAY_MS);

const SETTINGS = {
  cadence: { frequency: '1D', kind: 'plain' },
  horizon: 30,
  models: ['theta', 'ets'],
  weightMode: 'auto',
  cutoff: null,
} as unknown as ForecastSettings;

const PREVIEW: ForecastPreview = {
  season: 7,
  periods: 100,
  gaps: 0,
  canChooseWeights: true,
  calibrationHorizon: 30,
  isValidated: true,
};

const warn = (settings: Partial<ForecastSettings> = {}, preview: Partial<ForecastPreview> = {}, now = daysAfter(0)) =>
  listWarnings({ ...SETTINGS, ...settings }, { ...PREVIEW, ...preview }, TIMESTAMPS, now);

test('warns of nothing if nothing limits the forecast', () => {
  assert.deepEqual(warn(), []);
  assert.deepEqual(
    warn({ weightMode: 'manual', horizon: 365 }, { canChooseWeights: false, calibrationHorizon: 0 }),
    [],
  );
});

test('warns of unavailable models and of another provider', () => {
  assert.deepEqual(warn({ unavailableModels: ['toto'], fallbackUsed: true }), [
    'models: toto is unavailable on this service, so the default ensemble runs without it. Name other models, or continue with theta, ets.',
    'source: a preferred provider failed, and another one supplied the rows. Try again later if you need those of the preferred one.',
  ]);
});

test('warns in fast mode of unavailable models, but not of what no fold scores', () => {
  const fast = { mode: 'fast', horizon: 31, models: ['theta', 'seasonal_naive'] } as const;
  const unscored = { canChooseWeights: false, calibrationHorizon: 0 };
  assert.deepEqual(warn(fast, unscored), []);
  assert.deepEqual(warn({ ...fast, unavailableModels: ['toto'] }, { ...unscored, isValidated: false }), [
    'models: toto is unavailable on this service, so the fast mode runs without it. Send the mode full, or continue with theta, seasonal_naive.',
    'source: 100 rows are too few to measure the error on the past. Send more rows.',
  ]);
});

test('warns of weights and intervals that the past cannot score', () => {
  const short = { canChooseWeights: false, calibrationHorizon: 0, isValidated: false };
  assert.deepEqual(warn({}, short), [
    'weight_mode: 100 rows are too few to score the models on the past, so the weights and the widths of the intervals are not adjusted to this series. Send more rows.',
    'source: 100 rows are too few to measure the error on the past. Send more rows.',
  ]);
  assert.match(
    warn({ models: ['ets'] }, short)[0] ?? '',
    /, so the widths of its intervals are not adjusted to this series\./,
  );
  assert.match(warn({ horizon: 31 })[0] ?? '', /^horizon: .* extrapolated from step 31 on\. .* at most 30 steps/);
});

test('warns of gaps', () => {
  assert.match(warn({}, { gaps: 1 })[0] ?? '', /of 100 periods, one has no row\. Send it .* estimate it\.$/);
  assert.match(warn({}, { gaps: 7 })[0] ?? '', /of 100 periods, 7 have no row\. Send them .* estimate them\.$/);
});

test('warns of rows that end long ago, unless a cutoff was chosen', () => {
  assert.deepEqual(warn({}, {}, daysAfter(3)), [], 'a source can publish late');
  assert.match(warn({}, {}, daysAfter(4))[0] ?? '', /of 2024-04-09T00:00:00\.000Z, so 4 of 30 predicted periods are/);
  assert.match(warn({}, {}, daysAfter(400))[0] ?? '', /so all 30 predicted periods are already over\. Send newer rows/);
  assert.match(warn({ horizon: 2 }, {}, daysAfter(2))[0] ?? '', /so all 2 predicted periods are/);
  assert.deepEqual(warn({ cutoff: '2024-04-10T00:00:00.000Z' }, {}, daysAfter(400)), []);
});
