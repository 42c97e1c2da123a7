import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Almanac, ConnectionError, LimitedError, ServiceError, TimeoutError } from '../../client/src/index.ts';
import { type Answer, data, disconnect, failure, hang, scriptFetch } from './scripted-fetch.ts';

const REQUEST = { source: { type: 'inline' as const, points: [] }, horizon: 1 };
const QUEUED = data({ forecast_id: 'ef_1', status: 'queued' });

function open(...answers: Answer[]) {
  const { fetch, sent } = scriptFetch(...answers);
  return { almanac: new Almanac({ url: 'https://almanac.example/', key: 'alm_secret', fetch, retryDelayMs: 0 }), sent };
}

describe('retries of the client', () => {
  test('a read is sent again after failures of the connection, 408, 429 and 5xx', async () => {
    const temporary = [disconnect, failure(408, 'X'), failure(429, 'RATE_LIMITED'), failure(502, 'PROVIDER_FAILED')];
    for (const first of [...temporary, failure(500, 'INTERNAL'), failure(503, 'UNAVAILABLE')]) {
      const { almanac, sent } = open(first, data({ plan: 'pro' }));
      assert.deepEqual(await almanac.account.readAccess(), { plan: 'pro' });
      assert.equal(sent.length, 2);
    }
  });

  test('all attempts of a call that creates a forecast have one key, and another call has another', async () => {
    const { almanac, sent } = open(disconnect, failure(503, 'UNAVAILABLE'), QUEUED);
    await almanac.forecasts.create(REQUEST);
    await almanac.forecasts.create(REQUEST);
    const [first, second, third, other] = sent.map(({ headers }) => headers.get('idempotency-key'));
    assert.match(first ?? '', /^almanac-[0-9a-f]{32}$/);
    assert.deepEqual([second, third], [first, first]);
    assert.notEqual(other, first);
    await almanac.forecasts.create(REQUEST, { idempotencyKey: 'mine' });
    assert.equal(sent.at(-1)?.headers.get('idempotency-key'), 'mine');
  });

  test('a write without a key is sent once, and reads that use POST are sent again', async () => {
    for (const answer of [disconnect, failure(429, 'RATE_LIMITED'), failure(503, 'UNAVAILABLE')]) {
      const { almanac, sent } = open(answer);
      await assert.rejects(almanac.workspaces.create({ name: 'Energy' }), { attempts: 1 });
      await assert.rejects(almanac.forecasts.update({ forecast_id: 'ef_1', title: 'Sales' }), { attempts: 1 });
      assert.equal(sent.length, 2);
    }
    const { almanac, sent } = open(disconnect, () => Response.json({ ok: true, results: [], next_cursor: null }));
    assert.deepEqual(await almanac.series.search({ query: 'gold' }), { results: [], next_cursor: null });
    assert.equal(sent.length, 2);
  });

  test('stops after maxRetries and throws the last error with the number of attempts', async () => {
    const { almanac, sent } = open(disconnect);
    await assert.rejects(almanac.account.readAccess(), (error) => {
      assert.ok(error instanceof ConnectionError && error.attempts === 4 && error.status === null);
      return (error.cause as Error).message === 'fetch failed';
    });
    await assert.rejects(almanac.account.readAccess({}, { maxRetries: 0 }), { attempts: 1 });
    assert.equal(sent.length, 5);
  });

  test('refusals and used quotas are not repeated', async () => {
    for (const [status, code] of [
      [400, 'INVALID_REQUEST'],
      [404, 'NOT_FOUND'],
      [409, 'CONFLICT'],
      [412, 'PRECONDITION_FAILED'],
      [429, 'QUOTA_EXCEEDED'],
    ] as const) {
      const { almanac, sent } = open(failure(status, code, { 'retry-after': '0' }));
      await assert.rejects(almanac.forecasts.create(REQUEST), { status, code, requestId: 'the-id' });
      assert.equal(sent.length, 1);
    }
  });

  test('waits as long as Retry-After asks for, but not for minutes', async () => {
    const { almanac, sent } = open(failure(429, 'RATE_LIMITED', { 'retry-after': '0' }), data({}));
    await almanac.account.readAccess();
    assert.equal(sent.length, 2);
    const later = new Date(Date.now() + 3_600_000).toUTCString();
    for (const header of ['3600', later]) {
      const refused = open(failure(429, 'RATE_LIMITED', { 'retry-after': header }));
      await assert.rejects(
        refused.almanac.account.readAccess(),
        (error) => error instanceof LimitedError && (error.retryAfterMs ?? 0) > 3_500_000,
      );
      assert.equal(refused.sent.length, 1);
    }
  });

  test('a reply that was cut off is a failure of the connection', async () => {
    const cut: Answer = () => new Response('{"data":{"plan":{}', { headers: { 'content-type': 'application/json' } });
    const { almanac } = open(cut, data({ plan: 'pro' }));
    assert.deepEqual(await almanac.account.readAccess(), { plan: 'pro' });
    await assert.rejects(open(cut).almanac.account.readAccess(), ConnectionError);
  });

  test('an attempt ends after timeoutMs, and a slow body counts', async () => {
    const { almanac, sent } = open(hang);
    await assert.rejects(almanac.account.readAccess({}, { timeoutMs: 1, maxRetries: 1 }), TimeoutError);
    assert.equal(sent.length, 2);
    const slow: Answer = ({ signal }) => {
      const body = new ReadableStream({
        start: (controller) => signal.addEventListener('abort', () => controller.error(signal.reason)),
      });
      return new Response(body, { headers: { 'content-type': 'application/json' } });
    };
    await assert.rejects(open(slow).almanac.account.readAccess({}, { timeoutMs: 1, maxRetries: 0 }), TimeoutError);
  });

  test('an abort throws the reason of the signal, also during a pause, and nothing is sent afterwards', async () => {
    const reason = new Error('no longer needed');
    const aborted = open(data({}));
    await assert.rejects(aborted.almanac.account.readAccess({}, { signal: AbortSignal.abort(reason) }), reason);
    assert.equal(aborted.sent.length, 0);

    const controller = new AbortController();
    const hanging = open(hang);
    const call = hanging.almanac.account.readAccess({}, { signal: controller.signal });
    queueMicrotask(() => controller.abort(reason));
    await assert.rejects(call, reason);

    const pausing = new AbortController();
    const waiting = open(() => {
      setImmediate(() => pausing.abort(reason));
      return failure(503, 'UNAVAILABLE', { 'retry-after': '50' })({} as never);
    });
    await assert.rejects(waiting.almanac.account.readAccess({}, { signal: pausing.signal }), reason);
    assert.equal(waiting.sent.length, 1);
  });

  test('a function gives a fresh key for every attempt, and no error contains the key', async () => {
    const { fetch, sent } = scriptFetch(failure(503, 'UNAVAILABLE', { 'retry-after': '0' }));
    let number = 0;
    const almanac = new Almanac({ url: 'https://almanac.example', key: () => `token-${++number}`, fetch });
    const error = await almanac.account.readAccess({}, { maxRetries: 1 }).catch((caught) => caught);
    assert.ok(error instanceof ServiceError);
    assert.deepEqual(
      sent.map(({ headers }) => headers.get('authorization')),
      ['Bearer token-1', 'Bearer token-2'],
    );
    assert.ok(!JSON.stringify({ ...error, text: String(error.stack) }).includes('token-'));
    for (const bad of ['', 'two words', 'line\nbreak', 'ü']) {
      assert.throws(() => new Almanac({ url: 'https://a.example', key: bad }), /^TypeError: key: must be/);
    }
  });
});
