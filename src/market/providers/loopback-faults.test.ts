import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type LoopbackProvider,
  type Reply,
  sendJson,
  sendText,
  startLoopbackProvider,
  type WireBar,
} from '../../../test/support/market/loopback-provider.ts';
import { sessionsBetween } from '../../calendar/index.ts';
import {
  createProviderClient,
  type ProviderClientOptions,
  ProviderError,
  type ProviderFault,
} from '../../platform/index.ts';
import { collectBars } from './collect-bars.ts';
import type { PageQuery } from './provider.ts';

const DAYS = [...sessionsBetween(Date.UTC(2024, 0, 1), Date.UTC(2024, 1, 29))];
const NOW = Date.UTC(2025, 5, 2);
const BARS = DAYS.map((day, place): WireBar => {
  const t = new Date(day).toISOString().replace('.000Z', 'Z');
  return { t, o: 10 + place, h: 12 + place, l: 9 + place, c: 11 + place, v: 1_000 + place };
});

const QUERY: PageQuery = {
  symbol: 'KNOWN',
  frequency: '1D',
  adjustment: 'raw',
  side: 'trade',
  end: NOW,
  limit: 1_000,
};

const silence: Reply = () => {};
const halfBody: Reply = (_request, response) => {
  response.writeHead(200, { 'content-length': '1000' }).write('{"bars":[{"t":', () => response.destroy());
};
const hangUp: Reply = (request) => request.socket.destroy();
const redirect = sendText('', 302, { location: '/elsewhere' });
const html = sendText('<!doctype html><title>Too many requests, says SECRET</title>', 200, {
  'content-type': 'text/html',
});
const wrongJson = sendText('{"bars":[SECRET');
const notUtf8 = sendText(Buffer.from([0x22, 0xff, 0x22]));
const revokedKey = sendJson({ message: 'SECRET is revoked' }, 401);
const huge = sendText(' '.repeat(200_000));

const start = () => startLoopbackProvider({ bars: BARS, pageSize: 10 });

function collect(
  loopback: LoopbackProvider,
  options: Partial<ProviderClientOptions> = {},
  query: Partial<PageQuery> = {},
) {
  const http = createProviderClient({
    provider: loopback.adapter.id,
    gate: null,
    random: () => 0,
    maxBytes: 100_000,
    ...options,
  });
  return collectBars(loopback.adapter, { ...QUERY, ...query }, { http, at: NOW });
}

async function assertFault(script: Reply[], fault: ProviderFault, options?: Partial<ProviderClientOptions>) {
  await using loopback = await start();
  loopback.script.push(...script);
  await assert.rejects(collect(loopback, options), (error) => {
    assert.ok(error instanceof ProviderError, String(error));
    assert.equal(error.fault, fault);
    assert.doesNotMatch(error.message, /SECRET|127\.0\.0\.1/);
    return true;
  });
  return loopback.requests.length;
}

async function assertRecovers(script: Reply[], options?: Partial<ProviderClientOptions>): Promise<void> {
  await using loopback = await start();
  loopback.script.push(...script);
  const { bars, dropped, reachedStart } = await collect(loopback, options);
  assert.deepEqual([...bars.timestamps], DAYS);
  assert.deepEqual(
    Array.from(bars.columns.close),
    BARS.map(({ c }) => c),
  );
  assert.deepEqual([dropped, reachedStart], [{}, true]);
}

const four = (reply: Reply): Reply[] => [reply, reply, reply, reply];

test('reads all pages of a correct provider', () => assertRecovers([]));

test('waits after 429 and retries', async () => {
  await assertRecovers([sendJson({}, 429), sendJson({}, 429, { 'retry-after': '0' })]);
  await assertRecovers([sendJson({}, 429, { 'retry-after': '1' })]);
  assert.equal(await assertFault(four(sendJson({ message: 'SECRET' }, 429)), 'RATE_LIMITED'), 4);
  assert.equal(await assertFault([sendJson({}, 429, { 'retry-after': '60' })], 'RATE_LIMITED'), 1);
});

test('retries 5xx', async () => {
  await assertRecovers([sendJson({}, 500), sendText('bad gateway', 502), sendJson({}, 503)]);
  await assertFault(four(sendJson({ message: 'SECRET' }, 500)), 'UNAVAILABLE');
});

test('reports a timeout when no reply comes', async () => {
  await assertRecovers([silence], { attemptMs: 500 });
  await assertFault(four(silence), 'TIMEOUT', { attemptMs: 50 });
  assert.equal(
    await assertFault([silence], 'TIMEOUT', { deadline: Date.now() + 1_000 }),
    1,
    'the deadline also ends it',
  );
});

test('retries a truncated body and a missing reply', async () => {
  await assertRecovers([halfBody, halfBody]);
  await assertFault(four(halfBody), 'TRUNCATED');
  await assertRecovers([hangUp]);
  await assertFault(four(hangUp), 'UNREACHABLE');
});

test('retries a reply outside the protocol once', async () => {
  for (const reply of [wrongJson, html, notUtf8, redirect]) {
    await assertRecovers([reply]);
    assert.equal(await assertFault([reply, reply], 'MALFORMED'), 2);
  }
  assert.equal(await assertFault([sendJson({ surprise: true })], 'MALFORMED'), 1, 'JSON of another shape');
});

test('skips empty pages', async () => {
  await using loopback = await start();
  loopback.script.push(sendJson({ bars: [], next_page_token: String(BARS.length) }));
  assert.equal((await collect(loopback)).bars.timestamps.length, BARS.length);
});

test('reports a page loop when a token repeats', async () => {
  const page = sendJson({ bars: BARS.slice(0, 5), next_page_token: 'again' });
  assert.equal(await assertFault([page, page], 'PAGE_LOOP'), 2);
  const empty = sendJson({ bars: [], next_page_token: 'again' });
  assert.equal(await assertFault([empty, empty], 'PAGE_LOOP'), 2);
});

test('stops immediately on a revoked key, also between pages', async () => {
  assert.equal(await assertFault([revokedKey], 'UNAUTHORIZED'), 1);
  const page = sendJson({ bars: BARS.slice(-5), next_page_token: '30' });
  assert.equal(await assertFault([page, revokedKey], 'UNAUTHORIZED'), 2);
});

test('does not read an oversized body to its end', async () => {
  assert.equal(await assertFault([huge], 'TOO_LARGE'), 1);
});

test('reports an unknown symbol', async () => {
  await using loopback = await start();
  await assert.rejects(collect(loopback, {}, { symbol: 'OTHER' }), { fault: 'NOT_FOUND' });
});

test('reports an unreachable address', async () => {
  const loopback = await start();
  await loopback[Symbol.asyncDispose]();
  await assert.rejects(collect(loopback), { fault: 'UNREACHABLE' });
});

test('throws the reason of an abort during a request', async () => {
  await using loopback = await start();
  const controller = new AbortController();
  const reason = new Error('the caller disconnected');
  loopback.script.push(() => controller.abort(reason));
  await assert.rejects(collect(loopback, { signal: controller.signal }), reason);
});
