import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareLoss, describeScore, describeState, describeVisibility } from './describe-forecast.ts';
import { describeFigures, describeIntervals, judgeInterval } from './describe-record.ts';

const interval = (nominal: number, share: number, rows = 812) => ({
  interval: String(nominal),
  nominal,
  inside: Math.round(share * rows),
  rows,
  share,
  low: share - 0.05,
  high: share + 0.04,
});

test('the state of a forecast is in words, with the reason of a failure', () => {
  const progress = { completed_models: 3, total_models: 5, current_model: 'theta' };
  const names = new Map([['theta', 'Theta']]);
  const words = (state: Parameters<typeof describeState>[0]) => {
    const { label, detail } = describeState(state, names);
    return [label, detail];
  };
  assert.deepEqual(words({ status: 'running', progress }), ['Running: 3 of 5 models', 'Now Theta']);
  assert.deepEqual(words({ status: 'running', progress: null }), ['Running', null]);
  assert.equal(words({ status: 'queued', progress: null })[0], 'Queued');
  assert.deepEqual(words({ status: 'completed', progress }), ['Completed', null]);
  const error = { code: 'TIMED_OUT', message: 'It took too long.', retryable: true };
  assert.deepEqual(words({ status: 'failed', progress, error }), ['Failed', 'It took too long.']);
  const canceled = { ...error, code: 'FORECAST_CANCELED' };
  assert.deepEqual(words({ status: 'failed', progress, error: canceled }), ['Canceled', null]);
});

test('a score compares the outcome with the seasonal naive forecast', () => {
  assert.equal(compareLoss(0.83), '17% less loss than the seasonal naive forecast');
  assert.equal(compareLoss(1.12), '12% more loss than the seasonal naive forecast');
  assert.equal(compareLoss(0.999), 'about the loss of the seasonal naive forecast');
  assert.equal(compareLoss(3.456), '3.46 times the loss of the seasonal naive forecast');
  const score = { validation_wql: 0.03124, outcome_status: 'partial', average_wql: 0.04, relative_wql: 0.83 } as const;
  const source = { type: 'market', symbol: 'AAPL', timeframe: '1D' } as const;
  const describe = (changed: object, isOver = false) =>
    describeScore({ status: 'completed', source, score: { ...score, ...changed } }, isOver);
  assert.deepEqual(describe({}), {
    outcome: 'So far 17% less loss than the seasonal naive forecast',
    validation: 'Validation loss 0.0312 (WQL)',
  });
  assert.match(describe({ outcome_status: 'complete' }).outcome ?? '', /^Outcome: 17% less/);
  assert.equal(describe({ relative_wql: null }).outcome, 'Loss so far 0.04 (WQL)');
  const unscored = { relative_wql: null, average_wql: null };
  assert.equal(describe({ ...unscored, outcome_status: 'waiting' }).outcome, 'No outcome yet');
  assert.match(
    describe({ ...unscored, outcome_status: 'waiting' }, true).outcome ?? '',
    /^Its periods are over; .* read/,
  );
  const sent = { status: 'completed', source: null, score: { ...score, ...unscored } } as const;
  assert.equal(describeScore(sent, true).outcome, 'No outcome yet', 'its owner sends the values');
  assert.equal(describe({ ...unscored, outcome_status: 'unavailable' }, true).outcome, 'The outcome cannot be read');
  assert.equal(describeScore({ status: 'running', source, score }, false).outcome, null);
});

test('a visibility names the workspace', () => {
  const shared = { visibility: 'workspace', workspace_id: 'ws_1' } as const;
  assert.equal(describeVisibility(shared, 'Research'), 'Shared in Research');
  assert.equal(describeVisibility({ ...shared, visibility: 'private' }, 'Research'), 'Private, in Research');
  assert.equal(describeVisibility(shared, undefined), 'Workspace');
});

test('a track record is a sentence with its uncertainty', () => {
  const figures = { forecasts: 42, rows: 812, relative_wql: 0.83, compared: 42, coverage: [interval(0.8, 0.79)] };
  assert.equal(
    describeFigures(figures),
    'Over 42 forecasts and 812 rows, the loss was 0.83 of that of the seasonal naive forecast, which is 17% better; the 80% interval held 79% of the rows [74–83%].',
  );
  assert.match(describeFigures({ ...figures, compared: 40 }), /\(40 of the forecasts can be compared\)/);
  const alone = { ...figures, relative_wql: null, compared: 0, coverage: [] };
  assert.match(describeFigures(alone), /^Over 42 forecasts and 812 rows, no loss can be compared .*\.$/);
  assert.match(describeFigures({ ...figures, relative_wql: 1.001 }), /which is about equal/);
});

test('an interval is judged by whether its promise lies within the uncertainty', () => {
  assert.equal(judgeInterval(interval(0.8, 0.79)), 'as promised');
  assert.equal(judgeInterval(interval(0.8, 0.9)), 'too wide');
  assert.equal(judgeInterval(interval(0.8, 0.7)), 'too narrow');
  assert.match(describeIntervals([interval(0.8, 0.79), interval(0.5, 0.9)]), /^1 of 2 intervals held .* 812 rows\.$/);
  assert.match(describeIntervals([interval(0.8, 0.5), interval(0.5, 0.9)]), /^None of 2/);
  assert.equal(describeIntervals([interval(0.8, 0.5), interval(0.9, 0.1, 0)]), 'The 80% interval was too narrow.');
});
