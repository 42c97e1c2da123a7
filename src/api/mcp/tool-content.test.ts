import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../../contract/index.ts';
import { toFailure } from './tool-content.ts';

const LIMITED = new Fault('RATE_LIMITED', 'More than 600 requests a minute.', { retryAfter: 59 });

test('a failure states its code, message, request id and what to do next', () => {
  const { content, isError } = toFailure(LIMITED, 'request-1');
  assert.equal(isError, true);
  assert.deepEqual(JSON.parse(String(content[0]?.type === 'text' && content[0].text)), {
    error: {
      code: 'RATE_LIMITED',
      message: 'More than 600 requests a minute.',
      request_id: 'request-1',
      next_step: 'Wait 59 s first. Call the tool again with the same arguments.',
    },
  });
});

test('a failure after the creation of a forecast names the forecast instead of advising a second one', () => {
  const { content } = toFailure(LIMITED, 'request-1', 'ef_1');
  const { error } = JSON.parse(String(content[0]?.type === 'text' && content[0].text));
  assert.equal(error.forecast_id, 'ef_1');
  assert.match(error.next_step, /^Wait 59 s first\. The forecast was created\. Call check_forecast/);
});
