import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { mock, test } from 'node:test';
import { chooseDelay, pause, readRetryAfter } from '../../client/src/retry.ts';

test('each failure doubles the pause up to eight seconds, and a part of it is random', () => {
  const bounds = [1, 2, 3, 4, 5, 6, 20].map((failures) => {
    const delays = Array.from({ length: 200 }, () => chooseDelay(failures, 500, null) ?? Number.NaN);
    assert.ok(new Set(delays).size > 100, 'random');
    return [Math.min(...delays), Math.max(...delays)] as const;
  });
  const longest = [500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000];
  for (const [i, [low, high]] of bounds.entries()) {
    const max = longest[i] ?? 0;
    assert.ok(low >= max / 2 && low < 0.6 * max, `${low} after ${i + 1} failures`);
    assert.ok(high <= max && high > 0.9 * max, `${high} after ${i + 1} failures`);
  }
});

test('the pause is as long as the service asks for, never shorter than after other failures, and not above a minute', () => {
  for (let i = 0; i < 100; i++) {
    const asked = chooseDelay(1, 500, 20_000) ?? 0;
    assert.ok(asked >= 20_000 && asked <= 21_000);
    assert.ok((chooseDelay(3, 500, 0) ?? 0) >= 1_000);
  }
  assert.ok((chooseDelay(1, 500, 60_000) ?? 0) >= 60_000);
  assert.equal(chooseDelay(1, 500, 60_001), null);
});

test('Retry-After is a number of seconds or a date, and anything else is ignored', () => {
  assert.equal(readRetryAfter('7'), 7_000);
  assert.equal(readRetryAfter('0'), 0);
  const date = new Date(Date.now() + 30_000).toUTCString();
  const wait = readRetryAfter(date) ?? 0;
  assert.ok(wait > 28_000 && wait <= 30_000);
  assert.equal(readRetryAfter('Wed, 21 Oct 2015 07:28:00 GMT'), 0);
  for (const header of [null, '', '1.5', '-1', '+2', 'soon', '99999999999']) {
    assert.equal(readRetryAfter(header), undefined, String(header));
  }
});

test('a pause ends when the signal aborts, and leaves neither a timer nor a listener', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const controller = new AbortController();
    const waiting = pause(1_000, controller.signal);
    mock.timers.tick(1_000);
    await waiting;
    assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
    const aborted = pause(1_000, controller.signal);
    controller.abort(new Error('enough'));
    await assert.rejects(aborted, /enough/);
    await assert.rejects(pause(1_000, controller.signal), /enough/);
  } finally {
    mock.timers.reset();
  }
});
