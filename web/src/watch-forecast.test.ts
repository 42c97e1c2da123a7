/// <reference types="node" />
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventsAddress, readProgress } from './watch-forecast.ts';

test('the progress is read from inside the data of an event', () => {
  const progress = { completed_models: 2, total_models: 5, current_model: 'theta' };
  assert.deepEqual(readProgress(JSON.stringify({ status: 'running', progress })), progress);
  assert.deepEqual(readProgress('{"progress":{"completed_models":5,"total_models":5}}'), {
    completed_models: 5,
    total_models: 5,
    current_model: null,
  });
});

test('an event without progress states none', () => {
  for (const data of [
    '',
    'null',
    '{}',
    '{"status":"queued","progress":null}',
    '{"completed_models":2,"total_models":5}',
    '{"progress":{"completed_models":"2","total_models":5}}',
  ])
    assert.equal(readProgress(data), null, data);
});

test('an id cannot leave its place in the address', () => {
  assert.equal(eventsAddress('a/../b?c#d'), '/api/v1/ensemble-forecasts/a%2F..%2Fb%3Fc%23d/events');
});
