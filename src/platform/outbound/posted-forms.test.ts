import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fine, send, startLoopback } from '../../../test/support/platform/loopback.ts';
import { createProviderClient, type ProviderClientOptions } from './provider-client.ts';

function clientOf(options: Partial<ProviderClientOptions> = {}) {
  return createProviderClient({ provider: 'loopback', gate: null, sleep: async () => {}, ...options });
}

test('posts the fields of a form and returns the JSON of the reply', async () => {
  await using loopback = await startLoopback();
  const received: unknown[] = [];
  loopback.reply = async (request: IncomingMessage, response) => {
    const { 'content-type': type, 'content-length': length, authorization } = request.headers;
    received.push([request.method, type, length, authorization, await text(request)]);
    fine(request, response);
  };
  const fields = { grant_type: 'a:b-c', assertion: 'x&y=é +%' };
  const headers = { authorization: 'Bearer abc' };
  assert.deepEqual(await clientOf().postForm(loopback.url, fields, { headers }), { fine: true });
  assert.deepEqual(await clientOf().postForm(loopback.url, {}), { fine: true });
  const type = 'application/x-www-form-urlencoded';
  const body = 'grant_type=a%3Ab-c&assertion=x%26y%3D%C3%A9+%2B%25';
  assert.deepEqual(received, [
    ['POST', type, String(body.length), 'Bearer abc', body],
    ['POST', type, '0', undefined, ''],
  ]);
});

test('posts a form again only if it is idempotent', async () => {
  await using loopback = await startLoopback(send(503, 'SECRET'));
  await assert.rejects(clientOf().postForm(loopback.url, {}), { fault: 'UNAVAILABLE' });
  assert.equal(loopback.requests.length, 1);
  await assert.rejects(clientOf().postForm(loopback.url, {}, { isIdempotent: true }), { fault: 'UNAVAILABLE' });
  assert.equal(loopback.requests.length, 5);
});

test('completes a request that survives an abort, and makes no further attempt', async () => {
  await using loopback = await startLoopback();
  const accepted: unknown[] = [];
  const accept = (value: unknown) => accepted.push(value);
  for (const reply of [fine, send(500, '')]) {
    const stop = new AbortController();
    const reason = new Error('the caller disconnected');
    loopback.reply = (request, response) => {
      stop.abort(reason);
      setImmediate(reply, request, response);
    };
    const options = { accept, isIdempotent: true, survivesAbort: true };
    const posted = clientOf({ signal: stop.signal }).postForm(loopback.url, {}, options);
    if (reply === fine) assert.equal(await posted, 1);
    else await assert.rejects(posted, reason);
    await assert.rejects(clientOf({ signal: stop.signal }).postForm(loopback.url, {}, options), reason);
  }
  assert.equal(loopback.requests.length, 2);
  assert.deepEqual(accepted, [{ fine: true }]);
});
