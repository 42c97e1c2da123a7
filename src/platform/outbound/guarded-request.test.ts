import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import {
  LOCAL_NAMES,
  LOOPBACK_SPELLINGS,
  listForbiddenAddresses,
} from '../../../test/support/platform/forbidden-addresses.ts';
import { guardedGet, guardedRequest } from './guarded-request.ts';

// The listener accepts both address families, so that every spelling of this machine's own address would reach it.
let connections = 0;
let location = '';
const listener = createServer((request, response) => {
  if (location !== '') return void response.writeHead(302, { location }).end();
  response.end(`${request.method} ${request.url}`);
});
listener.on('connection', () => {
  connections += 1;
});
let port: number;

before(async () => {
  listener.listen(0);
  await once(listener, 'listening');
  port = (listener.address() as AddressInfo).port;
});
beforeEach(() => {
  connections = 0;
  location = '';
});
after(() => {
  listener.closeAllConnections();
  listener.close();
});

const LOOPBACK = ['127.0.0.0/8', '0.0.0.0'];

/** Creates a resolver that gives each of its answers once. */
function answering(...answers: readonly (readonly string[])[]): LookupFunction & { calls: number } {
  const resolve = Object.assign(
    ((_hostname, _options, callback) => {
      const addresses = answers[resolve.calls] ?? [];
      resolve.calls += 1;
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    }) as LookupFunction,
    { calls: 0 },
  );
  return resolve;
}

/**
 * Checks that the listener has accepted no connection since the test began. One connection is made afterward: it is
 * accepted after all earlier ones, so that none of them is missed.
 */
async function assertNoConnection(): Promise<void> {
  await guardedGet(`http://127.0.0.1:${port}/`, { allow: LOOPBACK });
  assert.equal(connections, 1, 'only the last connection');
}

test('refuses more than 200 forbidden addresses without a connection', async () => {
  const forbidden = listForbiddenAddresses(port);
  assert.ok(new Set(forbidden.map((address) => JSON.stringify(address))).size > 300);
  for (const { url, kind, answer } of forbidden) {
    const lookup = answering(answer ?? ['127.0.0.1']);
    await assert.rejects(guardedGet(url, { allow: [], lookup }), { name: 'OutboundError', kind }, JSON.stringify(url));
    assert.equal(lookup.calls, answer === undefined ? 0 : 1, `${JSON.stringify(url)} is resolved only if it is a name`);
  }
  await assertNoConnection();
});

test('refuses the same addresses if the operator allowed other ones', async () => {
  const allow = ['192.0.2.77', '2001:db8:77::/48'];
  for (const { url, kind, answer } of listForbiddenAddresses(port)) {
    if (kind === 'not_https') continue;
    const lookup = answering(answer ?? ['127.0.0.1']);
    await assert.rejects(guardedGet(url, { allow, lookup }), { kind }, JSON.stringify(url));
  }
  // A name can then have an address that is allowed, so it is resolved.
  const lookup = answering(['1.1.1.1']);
  await assert.rejects(guardedGet('http://name.example/', { allow, lookup }), { kind: 'not_https' });
  const mixed = answering(['192.0.2.77', '1.1.1.1']);
  await assert.rejects(guardedGet('http://name.example/', { allow, lookup: mixed }), { kind: 'not_https' });
  assert.deepEqual([lookup.calls, mixed.calls], [1, 1]);
  await assertNoConnection();
});

test('reaches every spelling of an address that the operator allowed', async () => {
  const hosts = [...LOOPBACK_SPELLINGS, ...LOCAL_NAMES, 'name.example'];
  for (const host of hosts) {
    const lookup = answering(['127.0.0.1']);
    const { text } = await guardedGet(`http://${host}:${port}/path`, { allow: LOOPBACK, lookup });
    assert.equal(text, 'GET /path', host);
  }
  assert.equal(connections, hosts.length);
});

test('follows no redirect, wherever it leads', async () => {
  const url = `http://127.0.0.1:${port}/`;
  const targets = ['/elsewhere', '//127.0.0.1:1/', 'http://169.254.169.254/', 'https://name.example/', 'file:///etc'];
  for (const target of targets) {
    location = target;
    const lookup = answering(['127.0.0.1']);
    await assert.rejects(guardedGet(url, { allow: LOOPBACK, lookup }), { kind: 'malformed' }, target);
    assert.equal(lookup.calls, 0);
  }
  assert.equal(connections, targets.length);
});

test('checks the addresses of every request again, and connects only to those that it checked', async () => {
  const url = `http://name.example:${port}/`;
  const lookup = answering(['127.0.0.1'], ['127.0.0.1', '10.0.0.5'], ['169.254.169.254'], ['127.0.0.1']);
  const get = () => guardedGet(url, { allow: ['127.0.0.1'], lookup });
  assert.equal((await get()).status, 200);
  await assert.rejects(get(), { kind: 'not_public' });
  await assert.rejects(get(), { kind: 'not_public' });
  assert.equal((await get()).status, 200);
  // One answer for each request: nothing resolves the name a second time between the check and the connection.
  assert.deepEqual([lookup.calls, connections], [4, 2]);

  // Aborts when the public answer has been checked, so that the test contacts no other machine.
  const controller = new AbortController();
  const rebinding = answering(['1.1.1.1'], ['127.0.0.1']);
  const abortAfterward: LookupFunction = (hostname, options, callback) =>
    rebinding(hostname, options, (...answer) => {
      controller.abort();
      callback(...answer);
    });
  const secure = `https://name.example:${port}/`;
  const first = guardedGet(secure, { allow: [], lookup: abortAfterward, signal: controller.signal });
  await assert.rejects(first, { kind: 'aborted' });
  assert.equal(rebinding.calls, 1);
  await assert.rejects(guardedGet(secure, { allow: [], lookup: rebinding }), { kind: 'not_public' });
  assert.deepEqual([rebinding.calls, connections], [2, 2]);
});

test('sends a POST request, and limits the size of the reply to 64 KiB unless it gets another limit', async () => {
  await using large = await serveBytes(64 * 1024 + 1);
  await assert.rejects(guardedGet(large.url, { allow: LOOPBACK }), { kind: 'too_large' });
  const { bytes } = await guardedRequest(large.url, { allow: LOOPBACK, maxBytes: 100_000, timeoutMs: 30_000 });
  assert.equal(bytes.length, 64 * 1024 + 1);
  await using fitting = await serveBytes(64 * 1024);
  assert.equal((await guardedGet(fitting.url, { allow: LOOPBACK })).text.length, 64 * 1024);

  const url = `http://127.0.0.1:${port}/hook`;
  const post = { method: 'POST', body: Buffer.from('{}') } as const;
  assert.equal((await guardedRequest(url, { ...post, allow: LOOPBACK })).bytes.toString(), 'POST /hook');
  await assert.rejects(guardedRequest(url, { ...post, allow: [] }), { kind: 'not_public' });
});

async function serveBytes(length: number): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((_request, response) => response.end('x'.repeat(length))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
