import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import type { LookupFunction } from 'node:net';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { startCollector } from '../../../test/support/platform/collector.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { fine, send, startLoopback } from '../../../test/support/platform/loopback.ts';
import { openTelemetry } from '../../../test/support/platform/telemetry.ts';
import { createLog } from '../log.ts';
import { beginTrace, runInSpan } from '../telemetry/index.ts';
import { boundedRequest, type OutboundRequest } from './bounded-request.ts';
import { outboundMigrations } from './migrations/index.ts';
import { createProviderClient, openProviderClient, type ProviderClientOptions } from './provider-client.ts';
import { ProviderError, type ProviderFault } from './provider-error.ts';
import { readProviderStates } from './provider-states.ts';

const MIGRATED = { migrations: [outboundMigrations] };
const HEADERS = { 'x-api-key': 'SECRET-HEADER' };

function clientOf(options: Partial<ProviderClientOptions> = {}) {
  return createProviderClient({ provider: 'loopback', gate: null, random: () => 0, maxBytes: 100_000, ...options });
}

async function assertFault(
  reply: RequestListener,
  fault: ProviderFault,
  attempts: number,
  options: Partial<ProviderClientOptions> = {},
): Promise<ProviderError> {
  await using loopback = await startLoopback(reply);
  const error = await clientOf(options)
    .getJson(loopback.url, { headers: HEADERS })
    .catch((reason: unknown) => reason);
  assert.ok(error instanceof ProviderError, String(error));
  assert.equal(error.fault, fault);
  assert.equal(loopback.requests.length, attempts, 'attempts');
  assert.ok(loopback.requests.every(({ headers }) => headers['x-api-key'] === 'SECRET-HEADER'));
  assertNoSecret(error);
  return error;
}

/** Asserts that no form in which an error is printed contains a header, a query or a part of a reply. */
function assertNoSecret(error: ProviderError): void {
  const lines: string[] = [];
  const log = createLog(
    'info',
    new PassThrough().on('data', (chunk) => lines.push(String(chunk))),
  );
  log.error({ err: error, failure: error }, 'failed');
  const shown = [lines.join(), inspect(error, { showHidden: true, depth: 9 }), JSON.stringify(error), String(error)];
  for (const text of shown) assert.doesNotMatch(text, /SECRET|127\.0\.0\.1/);
}

test('reports wrong keys, with the status', async () => {
  const error = await assertFault(send(401, '{"message":"SECRET is unknown"}'), 'UNAUTHORIZED', 1);
  assert.deepEqual(
    [error.status, error.replyIncludes('is unknown'), error.replyIncludes('a plan')],
    [401, true, false],
  );
});

test('an adapter finds the text of a refusal in the first 4 KiB of the reply', async () => {
  const message = 'subscription does not permit querying recent SIP data';
  const error = await assertFault(send(403, JSON.stringify({ message })), 'FORBIDDEN', 1);
  assert.equal(error.message, 'loopback does not include this data in the plan of this service (HTTP 403).');
  assert.deepEqual([error.status, error.replyIncludes('recent SIP data')], [403, true]);
  const late = await assertFault(send(403, `${'x'.repeat(4_096)}recent SIP data`), 'FORBIDDEN', 1);
  assert.equal(late.replyIncludes('recent SIP data'), false);
  assert.equal(new ProviderError('loopback', 'TIMEOUT').replyIncludes('recent'), false);
});

test('retries 429 with and without Retry-After', async () => {
  await assertFault(send(429, 'SECRET'), 'RATE_LIMITED', 4);
  await assertFault(send(429, 'SECRET', { 'retry-after': '0' }), 'RATE_LIMITED', 4);
  await assertFault(send(429, 'SECRET', { 'retry-after': '60' }), 'RATE_LIMITED', 1);
  const waits: number[] = [];
  const sleep = async (ms: number) => void waits.push(ms);
  await assertFault(send(429, 'SECRET', { 'retry-after': '3' }), 'RATE_LIMITED', 4, { sleep });
  assert.deepEqual(waits, [3_000, 3_000, 3_000]);
});

test('reports HTML, a cut, an endless and a slow body', async () => {
  await assertFault(send(200, '<!doctype html><title>SECRET</title>', { 'content-type': 'text/html' }), 'MALFORMED', 2);
  const cut: RequestListener = (_request, response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('{"SECRET":', () => response.destroy());
  };
  await assertFault(cut, 'TRUNCATED', 4);
  const endless: RequestListener = (_request, response) => {
    const more = () => {
      while (response.write('x'.repeat(10_000)));
    };
    response.on('drain', more);
    more();
  };
  await assertFault(endless, 'TOO_LARGE', 1);
  const slow: RequestListener = (_request, response) => void response.write('{"SECRET":');
  // Long enough for each request to reach the server on a busy machine, because they are counted there.
  await assertFault(slow, 'TIMEOUT', 4, { attemptMs: 400 });
});

test('makes one attempt at a refused connection and at a name that does not resolve', async () => {
  let attempts = 0;
  const lookup: LookupFunction = (name, _options, callback) => {
    const address = name === 'two.example' ? ['127.0.0.1', '127.0.0.2'] : [];
    if (address.length > 0)
      callback(
        null,
        address.map((one) => ({ address: one, family: 4 })),
      );
    else callback(Object.assign(new Error(name), { code: 'ENOTFOUND' }), []);
  };
  const request = (url: string, options: OutboundRequest) => {
    attempts += 1;
    return boundedRequest(url, { ...options, lookup });
  };
  const closed = await startLoopback();
  await closed[Symbol.asyncDispose]();
  const { port } = new URL(closed.url);
  const http = clientOf({ request });
  await assert.rejects(http.getJson(closed.url), { fault: 'UNREACHABLE', message: /\(ECONNREFUSED\)/ });
  await assert.rejects(http.getJson(`http://two.example:${port}/`), {
    fault: 'UNREACHABLE',
    message: /\(ECONNREFUSED\)/,
  });
  await assert.rejects(http.getJson('http://none.example/'), { fault: 'UNREACHABLE', message: /\(ENOTFOUND\)/ });
  assert.equal(attempts, 3);
});

test('posts JSON, and sends it again only if that has no further effect', async () => {
  await using loopback = await startLoopback();
  const bodies: string[] = [];
  loopback.reply = (request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      bodies.push(`${request.method} ${request.headers['content-type']} ${body}`);
      if (bodies.length % 2 === 1) send(502, 'SECRET')(request, response);
      else request.socket.destroy();
    });
  };
  await assert.rejects(clientOf().postJson(loopback.url, { a: 'é' }), { fault: 'UNAVAILABLE' });
  await assert.rejects(clientOf().postJson(loopback.url, { a: 'é' }), { fault: 'UNREACHABLE' });
  assert.deepEqual(bodies, Array(2).fill('POST application/json {"a":"é"}'));
  await assert.rejects(clientOf().postJson(loopback.url, {}, { isIdempotent: true }));
  assert.equal(bodies.length, 6);
  loopback.reply = fine;
  assert.deepEqual(await clientOf().postJson(loopback.url, {}), { fine: true });
});

forEachDatabase('opens the breaker for all clients and closes it after one trial', MIGRATED, async ({ database }) => {
  await using loopback = await startLoopback(send(401, ''));
  const clock = { ms: Date.UTC(2031, 0, 1), now: () => new Date(clock.ms) };
  const open = (signal?: AbortSignal) =>
    openProviderClient({ database, clock }, { id: 'loopback', requestsPerMinute: 60_000 }, { signal });
  const get = (signal?: AbortSignal) => open(signal).getJson(loopback.url, { headers: HEADERS });
  for (let times = 0; times < 5; times++) await assert.rejects(get(), { fault: 'UNAUTHORIZED' });
  await assert.rejects(get(), { fault: 'CIRCUIT_OPEN', message: /until 2031-01-01T00:00:30\.000Z/ });
  assert.equal(loopback.requests.length, 5, 'an open breaker sends nothing');

  clock.ms += 30_000;
  const controller = new AbortController();
  const reason = new Error('the caller disconnected');
  loopback.reply = () => controller.abort(reason);
  await assert.rejects(get(controller.signal), reason);
  assert.equal(loopback.requests.length, 6);

  const { promise: othersRefused, resolve: noteRefusals } = Promise.withResolvers<void>();
  loopback.reply = async (request, response) => {
    await othersRefused;
    fine(request, response);
  };
  let refusals = 0;
  const endOf = async (call: Promise<unknown>): Promise<string> => {
    try {
      await call;
      return 'served';
    } catch (error) {
      refusals += 1;
      if (refusals === 7) noteRefusals();
      return (error as ProviderError).fault;
    }
  };
  const ends = await Promise.all(Array.from({ length: 8 }, () => endOf(get())));
  assert.deepEqual(ends.sort(), [...Array(7).fill('CIRCUIT_OPEN'), 'served']);
  assert.equal(loopback.requests.length, 7, 'one trial after the abandoned one');
  loopback.reply = fine;
  assert.deepEqual(await get(), { fine: true });
  const [state] = await readProviderStates(database, () => clock.ms);
  assert.partialDeepStrictEqual(state, { state: 'closed', failures: 0, lastFault: 'UNAUTHORIZED' });
  assert.equal(state?.lastSuccessAt?.getTime(), clock.ms);
});

forEachDatabase('stores and traces no secret', MIGRATED, async ({ database }) => {
  await using collector = await startCollector();
  const telemetry = await openTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  await using loopback = await startLoopback(send(401, 'SECRET-REPLY'));
  const http = openProviderClient({ database }, { id: 'loopback', requestsPerMinute: 60_000 });
  const span = beginTrace({ name: 'above', kind: 'consumer' });
  assert.ok(span);
  await runInSpan(span, async () => {
    await assert.rejects(http.getText(loopback.url, { headers: HEADERS }), { fault: 'UNAUTHORIZED' });
    await assert.rejects(http.postJson(loopback.url, { key: 'SECRET-BODY' }, { headers: HEADERS }));
  });
  span.end();
  await telemetry.stop();
  assert.ok(collector.spans().some(({ name }) => name === 'POST'));
  assert.doesNotMatch(collector.received(), /SECRET/);
  assert.doesNotMatch(JSON.stringify(await readProviderStates(database)), /SECRET/);
});
