import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { FREQUENCIES, type Frequency } from '../../src/calendar/index.ts';
import { planWindows } from '../../src/engine/ensemble/windows.ts';
import { createInlineRunner, createModels, forecast } from '../../src/engine/index.ts';
import { priorOf } from '../../src/engine/weighting/frequency-priors.ts';
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

test('the table of fitted models on the page matches the code', () => {
  const [, table = ''] = page.split('| Series | Frequencies |');
  const rows = table.split('\n\n')[0]?.split('\n').slice(2) ?? [];
  const named = rows.flatMap((row) => {
    const [series = '', listed = '', share = '', fitted = '', width = ''] = row.slice(2, -2).split(' | ');
    const [first, to, last] = listed.split(/(?<=`) (to) (?=`)/).map((name) => name.replaceAll('`', ''));
    const frequencies = to
      ? FREQUENCIES.slice(FREQUENCIES.indexOf(first as Frequency), FREQUENCIES.indexOf(last as Frequency) + 1)
      : listed.replaceAll('`', '').split(', ');
    const zeroShare = series.startsWith('sparse') ? 0.3 : 0.29;
    const season = series.endsWith('without a season') ? 1 : 7;
    for (const frequency of frequencies as Frequency[]) {
      const prior = priorOf({ frequency, zeroShare, season });
      for (const count of [10, 1000]) {
        const [, from = '', more = '0'] = /^([\d.]+)(?: \+ ([\d.]+) g)?$/.exec(share) ?? [];
        const stated = Number(from) + (Number(more) * count) / (count + 1000);
        assert.ok(Math.abs(prior.pretrainedShare(count) - stated) < 1e-9, `${frequency}: ${share}`);
        assert.equal(prior.width(count), width === '1 + 2 / rows' ? 1 + 2 / count : Number(width), frequency);
      }
      const shares = Object.entries(prior.fitted).map(([model, part]) => `\`${model}\` ${part}`);
      assert.equal(fitted, shares.join(', '), `${series}, ${frequency}`);
    }
    return frequencies.map((frequency) => `${frequency} ${zeroShare} ${season}`);
  });
  const withSeason = FREQUENCIES.flatMap((one) => [`${one} 0.29 7`, `${one} 0.3 7`]);
  const withoutSeason = named.filter((one) => one.endsWith(' 1'));
  assert.deepEqual(named.filter((one) => one.endsWith(' 7')).toSorted(), withSeason.toSorted());
  const differing = FREQUENCIES.filter(
    (frequency) => priorOf({ frequency, zeroShare: 0, season: 1 }) !== priorOf({ frequency, zeroShare: 0, season: 7 }),
  );
  assert.deepEqual(withoutSeason.toSorted(), differing.map((one) => `${one} 0.29 1`).toSorted());
});

test('the page names every field of a result', async () => {
  const runner = createInlineRunner(createModels({}));
  const result = await forecast(monthlyRequest(40, 6, { models: ['ets', 'theta'] }), { runner });
  const { weighting, historical_validation, members } = result;
  assert.match(page, /`spread_weights`/, 'which this result does not have');
  const parts = [result, weighting, weighting?.folds[0], weighting?.calibration, historical_validation, members[0]];
  const names = [...parts, historical_validation.metrics].flatMap((part) => Object.keys(part ?? {}));
  assert.ok(names.length > 40);
  const unnamed = names.filter((name) => !new RegExp(`\`([a-z]+(\\[\\])?\\.)?${name}\``).test(page));
  assert.deepEqual(unnamed, []);
});
