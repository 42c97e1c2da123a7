import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { planWindows } from '../../src/engine/ensemble/windows.ts';
import { createInlineRunner, createModels, forecast } from '../../src/engine/index.ts';
import { monthlyRequest } from '../../test/support/forecasts/forecast-request.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/ensemble.md'), 'utf8');

test('the table of windows on the page matches the code', () => {
  const [, table = ''] = page.split('| n | h | s | m | H |');
  const rows = table.split('\n\n')[0]?.split('\n').slice(2) ?? [];
  assert.ok(rows.length > 5);
  for (const row of rows) {
    const [n, h, s, ...listed] = row.slice(2, -2).split(' | ');
    const { minTraining, calibrationHorizon, folds, audit, holdout } = planWindows(Number(n), Number(h), Number(s));
    const scored = folds.length * calibrationHorizon;
    const weights = folds.length >= 2 && scored >= 12 ? 'chosen' : 'default';
    const planned = [minTraining, calibrationHorizon, folds.join(', ') || '-', audit ?? '-', scored, holdout, weights];
    assert.deepEqual(listed, planned.map(String), `${n} rows`);
  }
});

test('the page names every field of a result', async () => {
  const runner = createInlineRunner(createModels({}));
  const result = await forecast(monthlyRequest(40, 6, { models: ['ets', 'theta'] }), { runner });
  const { weighting, historical_validation, members } = result;
  const parts = [result, weighting, weighting?.folds[0], weighting?.calibration, historical_validation, members[0]];
  const names = [...parts, historical_validation.metrics].flatMap((part) => Object.keys(part ?? {}));
  assert.ok(names.length > 40);
  const unnamed = names.filter((name) => !new RegExp(`\`([a-z]+(\\[\\])?\\.)?${name}\``).test(page));
  assert.deepEqual(unnamed, []);
});
