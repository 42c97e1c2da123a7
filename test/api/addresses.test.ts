import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { openApi, type TestApi } from '../support/api/api.ts';
import { listenOnLoopback, send, sendBytes } from '../support/api/http.ts';
import { makeAccount, withKey } from '../support/identity/callers.ts';
import { openTestDatabase, type TestDatabase, testedKind } from '../support/platform/database.ts';
import { assertFault } from './assert-fault.ts';
import { addEchoRoutes } from './test-routes.ts';

let fixture: TestDatabase;
let api: TestApi;

before(async () => {
  fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  api = await openApi(fixture.database, {}, addEchoRoutes);
});
after(async () => {
  await api.app.close();
  await fixture[Symbol.asyncDispose]();
});

test('an unknown address gets 404 in the envelope of its family', async () => {
  for (const url of [
    '/nothing',
    '/api',
    '/api/v2/me',
    '/api/v1/market-searching',
    '/v1/market-search',
    '/market-data',
  ]) {
    assertFault(await api.app.inject(url), 'NOT_FOUND', 'resource');
  }
  for (const url of [
    '/api/v1/market-search/x',
    '/api/v1/market-search/x?a=b',
    '/api/market-data/',
    '/api/market-data/stocks/x',
  ]) {
    assertFault(await api.app.inject(url), 'NOT_FOUND', 'search');
  }
});

test('distinguishes addresses by trailing slash, doubled slash and letter case', async () => {
  for (const url of ['/api/v1/me/access/', '/api//v1/me/access', '/api/v1/me/Access']) {
    assertFault(await api.app.inject(url), 'NOT_FOUND');
  }
});

test('an unsupported method gets 405, and Allow lists the supported ones', async () => {
  const keys = await api.app.inject({ method: 'DELETE', url: '/api/v1/me/api-keys' });
  assertFault(keys, 'METHOD_NOT_ALLOWED');
  assert.equal(keys.headers.allow, 'GET, HEAD, POST');
  const key = await api.app.inject({ method: 'GET', url: '/api/v1/me/api-keys/key_1' });
  assertFault(key, 'METHOD_NOT_ALLOWED');
  assert.equal(key.headers.allow, 'DELETE');
  const history = await api.app.inject({ method: 'PATCH', url: '/api/market-data/echo?x=1' });
  assertFault(history, 'METHOD_NOT_ALLOWED', 'search');
  assert.equal(history.headers.allow, 'POST');
  for (const url of ['/health/live', '/api/openapi.json']) {
    assertFault(await api.app.inject({ method: 'POST', url }), 'METHOD_NOT_ALLOWED');
  }
});

test('OPTIONS lists the methods of addresses that support it', async () => {
  for (const [url, allow] of [
    ['/auth/oauth/token', 'OPTIONS, POST'],
    ['/auth/oauth/revoke', 'OPTIONS, POST'],
    ['/auth/oauth/jwks', 'GET, HEAD, OPTIONS'],
    ['/auth/.well-known/openid-configuration', 'GET, HEAD, OPTIONS'],
  ] as const) {
    for (const headers of [{}, { origin: 'https://app.example' }, { 'access-control-request-method': 'POST' }]) {
      const { statusCode, headers: sent, body } = await api.app.inject({ method: 'OPTIONS', url, headers });
      assert.deepEqual([statusCode, sent.allow, body], [204, allow, ''], url);
      assert.ok(Number(sent['ratelimit-remaining']) > 0, 'the request is counted');
    }
  }
  for (const url of ['/auth/oauth/authorize', '/auth/sign-in']) {
    const response = await api.app.inject({ method: 'OPTIONS', url });
    assertFault(response, 'METHOD_NOT_ALLOWED');
    assert.match(String(response.headers.allow), /^GET, (?:HEAD, )?POST$/);
  }
});

test('an encoded letter changes neither the method list nor the envelope', async () => {
  const access = await api.app.inject({ method: 'DELETE', url: '/api/v1/%6De/access' });
  assertFault(access, 'METHOD_NOT_ALLOWED');
  assert.equal(access.headers.allow, 'GET, HEAD');
  assertFault(await api.app.inject('/api/market%2Ddata/x'), 'NOT_FOUND', 'search');
  assertFault(
    await api.app.inject({ method: 'POST', url: '/api/market%2Ddata/echo', payload: {} }),
    'INVALID_REQUEST',
    'search',
  );
});

test('an undecodable URL gets 400, is counted and is logged', async () => {
  for (const [url, family] of [
    ['/api/v1/me/api-keys/%ff', 'resource'],
    ['/%', 'resource'],
    ['/api/market-data/%zz', 'search'],
  ] as const) {
    const response = await api.app.inject({ method: 'DELETE', url });
    assertFault(response, 'INVALID_REQUEST', family);
    assert.equal(response.headers['x-frame-options'], 'DENY');
    assert.ok(Number(response.headers['ratelimit-remaining']) > 0);
    const line = api
      .logged()
      .split('\n')
      .find((text) => text.includes(String(response.headers['x-request-id'])));
    assert.deepEqual(JSON.parse(line ?? '{}').status, 400);
  }
});

test('refuses an id that is too long and names its parameter', async () => {
  const { id } = await makeAccount(api.identity, { password: null });
  const headers = await withKey(api.identity, id);
  for (const length of [101, 501, 5_000]) {
    const long = 'x'.repeat(length);
    for (const [method, path, name] of [
      ['DELETE', `/v1/me/api-keys/${long}`, 'key_id'],
      ['GET', `/v1/ensemble-forecasts/${long}`, 'forecast_id'],
      ['POST', `/v1/ensemble-forecasts/${long}/cancel`, 'forecast_id'],
      ['GET', `/v1/workspaces/${long}`, 'workspace_id'],
      ['GET', `/v1/workspaces/ws_1/csv/${long}`, 'csv_id'],
    ] as const) {
      const message = assertFault(await api.app.inject({ method, url: `/api${path}`, headers }), 'INVALID_REQUEST');
      assert.ok(message.startsWith(`${name}: must `), message);
    }
    const anonymous = await api.app.inject({ method: 'DELETE', url: `/api/v1/me/api-keys/${long}` });
    assertFault(anonymous, 'UNAUTHENTICATED');
  }
});

test('responds to an unknown address before reading the body', async () => {
  const payload = Buffer.alloc(api.config.bodyLimit + 1);
  for (const headers of [{ 'content-type': 'no media type' }, { 'content-type': 'application/json' }]) {
    assertFault(await api.app.inject({ method: 'POST', url: '/api/v1/nothing', headers, payload }), 'NOT_FOUND');
    assertFault(
      await api.app.inject({ method: 'PUT', url: '/api/v1/me/access', headers, payload }),
      'METHOD_NOT_ALLOWED',
    );
  }
});

test('handles unusual methods and forms of the address over a socket', async () => {
  const { app } = await openApi(fixture.database, {}, addEchoRoutes);
  const port = await listenOnLoopback(app);
  try {
    for (const method of ['OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'M-SEARCH']) {
      for (const [path, code, family] of [
        ['/api/v1/me/access', 'METHOD_NOT_ALLOWED', 'resource'],
        ['/api/market-data/nothing', 'NOT_FOUND', 'search'],
      ] as const) {
        const { status, headers, body } = await send(port, { method, path });
        assertFault({ statusCode: status, headers, body: body.toString() }, code, family);
      }
    }
    const absolute = await sendBytes(
      port,
      'PUT http://elsewhere/api/market-data/echo HTTP/1.1\r\nHost: elsewhere\r\nConnection: close\r\n\r\n',
    );
    assert.match(absolute, /^HTTP\/1\.1 405 /);
    assert.match(absolute, /\{"ok":false,"error":"METHOD_NOT_ALLOWED"/);
    const asterisk = await sendBytes(port, 'OPTIONS * HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n');
    assert.match(asterisk, /^HTTP\/1\.1 404 /);
  } finally {
    await app.close();
  }
});
