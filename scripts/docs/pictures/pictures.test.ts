import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createInlineRunner, createModels, forecast } from '../../../src/engine/index.ts';
import { roundTicks, yearTicks } from './axes.ts';
import { LEVELS, picturedRequest, picturedRun } from './pictured-run.ts';
import { linear, toPixels } from './svg.ts';

test('coordinates are rounded to half pixels', () => {
  assert.deepEqual([1.24, 1.26, -0.1, 3].map(toPixels), ['1', '1.5', '0', '3']);
  assert.equal(linear([10, 20], [100, 0])(15), 50);
});

test('yearTicks places a tick at the start of each year in the range', () => {
  const marks = yearTicks([Date.UTC(2019, 0), Date.UTC(2021, 5)], (time) => time);
  assert.deepEqual(
    marks.map(({ label }) => label),
    ['2019', '2020', '2021'],
  );
  assert.equal(marks[1]?.at, Date.UTC(2020, 0));
  const later = yearTicks([Date.UTC(2019, 0, 2), Date.UTC(2021, 0)], (time) => time);
  assert.deepEqual(later[0]?.label, '2020');
});

test('round ticks enclose the values', () => {
  assert.deepEqual(roundTicks([-0.4, 2.1], 1), { ticks: [-1, 0, 1, 2, 3], range: [-1, 3] });
  assert.deepEqual(roundTicks([400, 412], 5).range, [400, 415]);
});

test('the pictures show the values of a forecast result', async () => {
  const runner = createInlineRunner(createModels({}));
  const result = await forecast(picturedRequest(), { runner });
  const { future, decision, audit } = await picturedRun();
  const drawn = future.rows.map((row, step) => ({
    timestamp: new Date(future.times[step] as number).toISOString(),
    quantiles: Object.fromEntries(LEVELS.map((level, q) => [String(level), row[q]])),
  }));
  assert.deepEqual(drawn, result.predictions);
  assert.deepEqual(decision.calibration, result.weighting?.calibration);
  const errors = audit.outcomes.map(({ step, actual }) => Math.abs(actual - (audit.calibrated[step]?.[2] as number)));
  const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
  assert.ok(Math.abs(mean / (result.weighting?.audit_metrics?.mae ?? 0) - 1) < 1e-9);
});
