import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { type Operation, operations } from '../../src/contract/index.ts';
import { openApi, type TestApi } from '../support/api/api.ts';
import { listenOnLoopback, send } from '../support/api/http.ts';
import { makeAccount, withKey } from '../support/identity/callers.ts';
import { openTestDatabase, type TestDatabase, testedKind } from '../support/platform/database.ts';
import { assertFault } from './assert-fault.ts';

const ORIGIN = 'https://console.example';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const OWN_ID = 'C0FFEE00-1234-7abc-8def-00000000000f';

let fixture: TestDatabase;
let api: TestApi;
let open: TestApi;
let key: { readonly authorization: string };

before(async () => {
  fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  api = await openApi(fixture.database);
  open = await openApi(fixture.database, { ALMANAC_CORS_ORIGINS: `${ORIGIN},https://other.example` });
  key = await withKey(api.identity, (await makeAccount(api.identity, { password: null })).id);
});
after(async () => {
  await api.app.close();
  await open.app.close();
  await fixture[Symbol.asyncDispose]();
});

test('every response has a request id: the caller’s own if it is a UUID, otherwise a new one', async () => {
  for (const url of [
    '/api/v1/me/access',
    '/api/v1/nothing',
    '/health/live',
    '/api/openapi.json',
    '/api/v1/%zz',
    '/docs/',
  ]) {
    const own = await api.app.inject({ url, headers: { 'x-request-id': OWN_ID } });
    assert.equal(own.headers['x-request-id'], OWN_ID, url);
    for (const sent of ['', 'x', `${OWN_ID} `.repeat(2), `${OWN_ID}0`, '{', `urn:uuid:${OWN_ID}`]) {
      const replaced = await api.app.inject({ url, headers: { 'x-request-id': sent } });
      assert.match(String(replaced.headers['x-request-id']), UUID, `${url} ${sent}`);
    }
  }
  const ids = await Promise.all(Array.from({ length: 20 }, () => api.app.inject('/health/live')));
  assert.equal(new Set(ids.map(({ headers }) => headers['x-request-id'])).size, 20);
});

test('accepts any UUID as the caller’s own, also in an error body', async () => {
  for (const id of [
    '00000000-0000-0000-0000-000000000000',
    '12345678-1234-0234-0234-123456789012',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
  ]) {
    const response = await api.app.inject({ url: '/api/v1/me/access', headers: { 'x-request-id': id } });
    assertFault(response, 'UNAUTHENTICATED');
    assert.equal(response.headers['x-request-id'], id);
  }
});

test('responses forbid sniffing, framing and caching of private data', async () => {
  for (const url of ['/api/v1/me/access', '/api/v1/nothing', '/api/v1/%zz', '/health/live', '/api/openapi.json']) {
    const { headers } = await api.app.inject({ url, headers: key });
    assert.equal(headers['x-content-type-options'], 'nosniff', url);
    assert.equal(headers['x-frame-options'], 'DENY', url);
    assert.equal(headers['referrer-policy'], 'no-referrer', url);
    assert.equal(headers['cross-origin-resource-policy'], 'same-origin', url);
    assert.match(String(headers['content-security-policy']), /default-src 'none'.*frame-ancestors 'none'/, url);
    assert.equal('strict-transport-security' in headers, false, 'not over plain HTTP');
    assert.equal('x-powered-by' in headers || 'server' in headers, false, url);
  }
  const access = await api.app.inject({ url: '/api/v1/me/access', headers: key });
  assert.equal(access.headers['cache-control'], 'no-store');
});

test('the documentation page allows only its own scripts', async () => {
  const { headers } = await api.app.inject('/docs/');
  const policy = String(headers['content-security-policy']);
  assert.match(policy, /script-src [^;]*'self'/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.doesNotMatch(policy, /https?:|unsafe-eval|script-src[^;]*unsafe-inline/);
});

test('other origins are not allowed by default', async () => {
  const headers = { origin: ORIGIN, ...key };
  const simple = await api.app.inject({ url: '/api/v1/me/access', headers });
  assert.equal(simple.statusCode, 200, 'the server responds; the browser prevents the page from reading it');
  const preflight = await api.app.inject({
    method: 'OPTIONS',
    url: '/api/v1/me/access',
    headers: { origin: ORIGIN, 'access-control-request-method': 'GET' },
  });
  assertFault(preflight, 'METHOD_NOT_ALLOWED');
  for (const response of [simple, preflight]) {
    assert.deepEqual(
      Object.keys(response.headers).filter((name) => name.startsWith('access-control-')),
      [],
    );
  }
});

test('configured origins can use every method with a Bearer credential and read errors', async () => {
  for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
    const preflight = await open.app.inject({
      method: 'OPTIONS',
      url: '/api/v1/me/api-keys/key_1',
      headers: {
        origin: ORIGIN,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization,content-type',
      },
    });
    assert.equal(preflight.statusCode, 204);
    assert.equal(preflight.headers['access-control-allow-origin'], ORIGIN);
    assert.ok(String(preflight.headers['access-control-allow-methods']).split(', ').includes(method), method);
    assert.match(String(preflight.headers['access-control-allow-headers']), /authorization/);
    assert.equal('access-control-allow-credentials' in preflight.headers, false, 'cookies are not allowed');
  }
  for (const [url, status] of [
    ['/api/v1/me/access', 401],
    ['/api/v1/nothing', 404],
  ] as const) {
    const refused = await open.app.inject({ url, headers: { origin: ORIGIN } });
    assert.equal(refused.statusCode, status);
    assert.equal(refused.headers['access-control-allow-origin'], ORIGIN, url);
    assert.match(String(refused.headers['access-control-expose-headers']), /x-request-id.*retry-after/);
    assert.match(String(refused.headers.vary), /origin/i);
  }
});

test('refuses unconfigured origins, and writes with cookies from configured ones', async () => {
  for (const origin of ['https://evil.example', `${ORIGIN}.evil.example`, 'null', ORIGIN.toUpperCase()]) {
    const response = await open.app.inject({ url: '/api/v1/me/access', headers: { origin, ...key } });
    assert.equal('access-control-allow-origin' in response.headers, false, origin);
  }
  const write = await open.app.inject({ method: 'POST', url: '/api/v1/guest-sessions', headers: { origin: ORIGIN } });
  assertFault(write, 'ORIGIN_DENIED');
});

test('an OPTIONS request that is not a preflight gets a body of the API', async () => {
  const response = await open.app.inject({ method: 'OPTIONS', url: '/api/v1/me/access' });
  assert.deepEqual([response.statusCode, response.body], [204, '']);
});

test('compresses only large responses, for clients that accept it', async () => {
  const plain = await api.app.inject('/api/openapi.json');
  assert.equal('content-encoding' in plain.headers, false);
  for (const [coding, unpack] of [
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ] as const) {
    const packed = await api.app.inject({ url: '/api/openapi.json', headers: { 'accept-encoding': coding } });
    assert.equal(packed.headers['content-encoding'], coding);
    assert.match(String(packed.headers.vary), /accept-encoding/i);
    assert.ok(packed.rawPayload.length < plain.rawPayload.length / 2);
    assert.equal(unpack(packed.rawPayload).toString(), plain.body);
  }
  for (const accepted of ['identity', 'gzip;q=0, br;q=0', 'compress']) {
    const response = await api.app.inject({ url: '/api/openapi.json', headers: { 'accept-encoding': accepted } });
    assert.equal('content-encoding' in response.headers, false, accepted);
    assert.equal(response.body, plain.body);
  }
  const small = await api.app.inject({ url: '/health/live', headers: { 'accept-encoding': 'gzip, br' } });
  assert.equal('content-encoding' in small.headers, false);
});

test('HEAD returns the headers of GET without a body', async () => {
  const { app } = await openApi(fixture.database);
  const port = await listenOnLoopback(app);
  try {
    for (const [path, headers] of [
      ['/api/v1/me/access', key],
      ['/api/v1/me/access', {}],
      ['/api/v1/nothing', {}],
      ['/api/v1/%zz', {}],
      ['/health/live', {}],
      ['/api/openapi.json', {}],
    ] as const) {
      const get = await send(port, { path, headers });
      const head = await send(port, { method: 'HEAD', path, headers });
      assert.deepEqual([head.status, head.body.length], [get.status, 0], path);
      for (const name of ['content-type', 'content-length', 'x-content-type-options']) {
        assert.equal(head.headers[name], get.headers[name], `${path} ${name}`);
      }
    }
    const writeOnly = await send(port, { method: 'HEAD', path: '/api/v1/sessions' });
    assert.deepEqual([writeOnly.status, writeOnly.headers.allow], [405, 'POST']);
  } finally {
    await app.close();
  }
});

test('every response of a deprecated operation says until when it works, errors included', async () => {
  const read: Operation = operations.readAccess;
  Object.assign(read, { deprecated: { since: '2027-01-01', sunset: '2027-12-31', instead: 'listModels' } });
  const deprecating = await openApi(fixture.database, { ALMANAC_CORS_ORIGINS: ORIGIN });
  try {
    for (const headers of [key, {}]) {
      const response = await deprecating.app.inject({
        url: '/api/v1/me/access',
        headers: { ...headers, origin: ORIGIN },
      });
      assert.equal(response.headers.deprecation, '@1798761600');
      assert.equal(response.headers.sunset, 'Fri, 31 Dec 2027 00:00:00 GMT');
      assert.equal(response.headers.link, '</docs>; rel="deprecation"; type="text/html"');
      assert.match(String(response.headers['access-control-expose-headers']), /deprecation, sunset, link/);
    }
    const other = await deprecating.app.inject({ url: '/api/v1/models', headers: key });
    assert.equal(other.headers.deprecation, undefined);
  } finally {
    Object.assign(read, { deprecated: undefined });
    await deprecating.app.close();
  }
});
