import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { openApi, type TestApi } from '../support/api/api.ts';
import { makeAccount, PASSWORD, withKey } from '../support/identity/callers.ts';
import { openTestDatabase, type TestDatabase, testedKind } from '../support/platform/database.ts';
import { assertFault } from './assert-fault.ts';

const PROXY = '10.0.0.7';
const STRANGER = '203.0.113.9';
const HTTPS = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '198.51.100.4' };

let fixture: TestDatabase;
let api: TestApi;
let key: { readonly authorization: string };
let email: string;

before(async () => {
  fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  api = await openApi(fixture.database, {
    HOST: '0.0.0.0',
    SITE_URL: 'https://almanac.example',
    ALMANAC_TRUSTED_PROXIES: PROXY,
  });
  const account = await makeAccount(api.identity);
  email = account.email;
  key = await withKey(api.identity, account.id);
});
after(async () => {
  await api.app.close();
  await fixture[Symbol.asyncDispose]();
});

test('refuses plain HTTP at every path beyond loopback', async () => {
  for (const url of ['/api/v1/me/access', '/api/v1/nothing', '/docs/', '/api/openapi.json', '/HEALTH/live']) {
    const response = await api.app.inject({ url, headers: key, remoteAddress: PROXY });
    assert.match(assertFault(response, 'INVALID_REQUEST'), /Plain HTTP.*https:\/\/almanac\.example/, url);
    assert.equal('ratelimit' in response.headers, false, 'refused before it is counted');
  }
  assertFault(await api.app.inject({ url: '/api/market-data/x', remoteAddress: PROXY }), 'INVALID_REQUEST', 'search');
});

test('allows health checks without TLS', async () => {
  assert.equal((await api.app.inject({ url: '/health/live', remoteAddress: STRANGER })).statusCode, 200);
  assert.equal((await api.app.inject({ url: '/health/ready', remoteAddress: STRANGER })).statusCode, 200);
});

test('refuses a path that only begins like a health check', async () => {
  for (const url of [
    '/health/../api/v1/me/access',
    '/health/%2e%2e/api/v1/me/access',
    '/health/..%2fapi/v1/me/access',
    '/health//api/v1/me/access',
  ]) {
    const response = await api.app.inject({ method: 'GET', url, headers: key, remoteAddress: STRANGER });
    assert.ok(response.statusCode === 404 || response.statusCode === 400, `${url}: ${response.body}`);
  }
});

test('serves requests through the trusted TLS proxy, with HSTS', async () => {
  const response = await api.app.inject({
    url: '/api/v1/me/access',
    headers: { ...key, ...HTTPS },
    remoteAddress: PROXY,
  });
  assert.equal(response.statusCode, 200);
  assert.match(String(response.headers['strict-transport-security']), /max-age=\d{8}/);
  const nested = { ...HTTPS, 'x-forwarded-proto': 'http, https' };
  const last = await api.app.inject({ url: '/api/v1/me/access', headers: { ...key, ...nested }, remoteAddress: PROXY });
  assert.equal(last.statusCode, 200, 'the value of the nearest proxy counts');
});

test('ignores X-Forwarded-Proto from other addresses and with other schemes', async () => {
  const forged = await api.app.inject({
    url: '/api/v1/me/access',
    headers: { ...key, ...HTTPS },
    remoteAddress: STRANGER,
  });
  assertFault(forged, 'INVALID_REQUEST');
  for (const scheme of ['http', 'HTTPS', 'https, http', 'wss']) {
    const headers = { ...key, ...HTTPS, 'x-forwarded-proto': scheme };
    assertFault(await api.app.inject({ url: '/api/v1/me/access', headers, remoteAddress: PROXY }), 'INVALID_REQUEST');
  }
});

test('refuses a browser’s write from another origin than the site’s https origin', async () => {
  const signIn = (origin: string) =>
    api.app.inject({
      method: 'POST',
      url: '/api/v1/sessions',
      headers: { ...HTTPS, origin },
      remoteAddress: PROXY,
      payload: { email, password: PASSWORD },
    });
  const own = await signIn('https://almanac.example');
  assert.equal(own.statusCode, 201);
  assert.match(
    String(own.headers['set-cookie']),
    /^__Host-almanac_session=.*; Max-Age=1209600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  for (const origin of ['http://almanac.example', 'https://evil.example', 'http://localhost:8080', 'null']) {
    assertFault(await signIn(origin), 'ORIGIN_DENIED');
  }
});

test('serves plain HTTP on loopback and ignores X-Forwarded-*', async () => {
  const local = await openApi(fixture.database);
  const response = await local.app.inject({ url: '/api/v1/me/access', headers: { ...key, ...HTTPS } });
  assert.equal(response.statusCode, 200);
  assert.equal('strict-transport-security' in response.headers, false);
  await local.app.close();
});
