import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { openApi, type TestApi } from '../support/api/api.ts';
import { listenOnLoopback, send, sendBytes } from '../support/api/http.ts';
import { makeAccount, withKey, withSession } from '../support/identity/callers.ts';
import { openTestDatabase, type TestDatabase, testedKind } from '../support/platform/database.ts';
import { assertFault, type Family } from './assert-fault.ts';
import { addEchoRoutes, ECHO_PATHS } from './test-routes.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const FAMILIES: readonly Family[] = ['resource', 'search'];

let fixture: TestDatabase;
let api: TestApi;
let account: { id: string; email: string };
let key: { readonly authorization: string };

before(async () => {
  fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  api = await openApi(fixture.database, { ALMANAC_BODY_LIMIT: '2048', ALMANAC_RATE_ANONYMOUS: '10000' }, addEchoRoutes);
  account = await makeAccount(api.identity);
  key = await withKey(api.identity, account.id);
});
after(async () => {
  await api.app.close();
  await fixture[Symbol.asyncDispose]();
});

function post(family: Family, payload: string | Buffer, headers: Record<string, string> = JSON_TYPE) {
  return api.app.inject({ method: 'POST', url: ECHO_PATHS[family], headers, payload });
}

test('reads a JSON body with any spelling of its media type', async () => {
  for (const type of [
    'application/json',
    'Application/JSON; charset=UTF-8',
    'application/json;charset="utf-8"',
    'application/problem+json',
  ]) {
    const response = await post('resource', '{"name":"é"}', { 'content-type': type });
    assert.deepEqual([response.statusCode, response.body], [200, '{"name":"é"}'], type);
  }
  assert.equal((await post('resource', '\ufeff{"name":"with a byte order mark"}')).statusCode, 200);
});

for (const family of FAMILIES) {
  test(`${family}: another media type, charset or content encoding gets 415`, async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=utf-16',
      'application/jsonp',
      'nonsense',
      '/',
      '',
    ]) {
      assertFault(await post(family, '{"name":"x"}', { 'content-type': type }), 'UNSUPPORTED_MEDIA_TYPE', family);
    }
    const untyped = await api.app.inject({ method: 'POST', url: ECHO_PATHS[family], payload: Buffer.from('{}') });
    assertFault(untyped, 'UNSUPPORTED_MEDIA_TYPE', family);
    for (const coding of ['gzip', 'br', 'nonsense']) {
      const headers = { ...JSON_TYPE, 'content-encoding': coding };
      assertFault(await post(family, gzipSync('{"name":"x"}'), headers), 'UNSUPPORTED_MEDIA_TYPE', family);
    }
    assert.equal(
      (await post(family, '{"name":"x"}', { ...JSON_TYPE, 'content-encoding': 'identity' })).statusCode,
      200,
    );
  });

  test(`${family}: a body that is not JSON gets 400`, async () => {
    for (const payload of [
      '{',
      '',
      ' ',
      '{"name":}',
      "{'name':'x'}",
      '{"name":"x"} trailing',
      'NaN',
      '{"name":"\u0001"}',
      '\u0000',
    ]) {
      assertFault(await post(family, payload), 'INVALID_REQUEST', family);
    }
    assertFault(await api.app.inject({ method: 'POST', url: ECHO_PATHS[family] }), 'INVALID_REQUEST', family);
  });

  test(`${family}: refuses invalid UTF-8 instead of replacing it`, async () => {
    for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82]]) {
      const payload = Buffer.concat([Buffer.from('{"name":"'), Buffer.from(bytes), Buffer.from('"}')]);
      assert.match(assertFault(await post(family, payload), 'INVALID_REQUEST', family), /UTF-8/);
    }
  });

  test(`${family}: a body that does not match its schema gets 400, and the message names the mistake`, async () => {
    const cases: [string, RegExp][] = [
      ['null', /^body: /],
      ['[]', /^body: /],
      ['"x"', /^body: /],
      ['{}', /^name: /],
      ['{"name":1}', /^name: /],
      ['{"name":"x","extra":1}', /^body: unknown field "extra"\.$/],
      ['{"name":"x","__proto__":{"admin":true}}', /^body: the field name "__proto__" is not allowed\.$/],
      ['{"name":"x","constructor":{"prototype":{}}}', /^body: unknown field "constructor"\.$/],
      ['{"name":"x","\\u005f_proto__":1}', /^body: the field name "__proto__" is not allowed\.$/],
      ['{"name":{"deep":[{"__proto__":1}]}}', /^body: the field name "__proto__" is not allowed\.$/],
      [`{"name":"x","${'long'.repeat(200)}":1}`, /^body: unknown field "(long){15}"\.$/],
    ];
    for (const [payload, message] of cases) {
      assert.match(assertFault(await post(family, payload), 'INVALID_REQUEST', family), message, payload);
    }
    assert.equal(Object.hasOwn(Object.prototype, 'admin'), false);
  });

  test(`${family}: a body nested too deeply gets 400, even if it is not JSON`, async () => {
    for (const payload of [`{"deep":${'['.repeat(32)}${']'.repeat(32)}}`, '['.repeat(2000), '{"a":'.repeat(300)]) {
      assert.match(assertFault(await post(family, payload), 'INVALID_REQUEST', family), /deeper than 32 levels/);
    }
    assert.equal(
      (await post(family, `{"name":"${'['.repeat(100)}"}`)).statusCode,
      200,
      'brackets within a string do not count',
    );
  });

  test(`${family}: a body over ALMANAC_BODY_LIMIT gets 413, a body of exactly that size is read`, async () => {
    const bodyOf = (size: number) => JSON.stringify({ name: 'x'.repeat(size - '{"name":""}'.length) });
    assert.equal((await post(family, bodyOf(2048))).statusCode, 200);
    assertFault(await post(family, bodyOf(2049)), 'TOO_LARGE', family);
  });
}

test('a chunked or endless body over the limit gets 413', async () => {
  const { app } = await openApi(fixture.database, { ALMANAC_BODY_LIMIT: '2048' }, addEchoRoutes);
  const port = await listenOnLoopback(app);
  try {
    for (const family of FAMILIES) {
      const body = Array.from({ length: 40 }, () => Buffer.alloc(100, '"'));
      const answer = await send(port, { method: 'POST', path: ECHO_PATHS[family], headers: JSON_TYPE, body });
      assertFault(
        { statusCode: answer.status, headers: answer.headers, body: answer.body.toString() },
        'TOO_LARGE',
        family,
      );
      const endless = `POST ${ECHO_PATHS[family]} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nfff\r\n${'x'.repeat(0xfff)}\r\n`;
      assert.match(
        await sendBytes(port, endless),
        /^HTTP\/1\.1 413 /,
        'the response does not wait for the end of the body',
      );
    }
  } finally {
    await app.close();
  }
});

test('operations without a body ignore any body', async () => {
  const sent: [Record<string, string>, string | Buffer][] = [
    [{ 'content-type': 'text/plain' }, 'junk'],
    [{ 'content-type': 'no media type at all' }, 'junk'],
    [{ 'content-type': 'application/json' }, '{broken'],
    [{ 'content-type': 'application/json', 'content-encoding': 'gzip' }, 'not gzip'],
    [{}, Buffer.from([0xff, 0x00])],
    [{ 'content-type': 'application/json' }, ''],
  ];
  for (const [headers, payload] of sent) {
    const guest = await api.app.inject({ method: 'POST', url: '/api/v1/guest-sessions', headers, payload });
    assert.equal(guest.statusCode, 201, guest.body);
    const signedOut = await api.app.inject({ method: 'DELETE', url: '/api/v1/sessions/current', headers, payload });
    assert.equal(signedOut.statusCode, 200, signedOut.body);
    const { authorization } = await withKey(api.identity, account.id);
    const listed = await api.app.inject({
      url: '/api/v1/me/api-keys',
      headers: { authorization, ...headers },
      payload,
    });
    const { id } = listed.json().data.api_keys[0];
    const revoked = await api.app.inject({
      method: 'DELETE',
      url: `/api/v1/me/api-keys/${id}`,
      headers: { ...key, ...headers },
      payload,
    });
    assert.equal(revoked.statusCode, 200, revoked.body);
  }
  const endless = await api.app.inject({ method: 'POST', url: '/api/v1/guest-sessions', payload: Buffer.alloc(2049) });
  assertFault(endless, 'TOO_LARGE');
});

test('refuses an unknown query parameter by name', async () => {
  for (const [query, name] of [
    ['verbose=1', 'verbose'],
    ['__proto__=1', '__proto__'],
    ['constructor', 'constructor'],
    ['a[]=1', 'a[]'],
    ['=x', ''],
  ]) {
    const response = await api.app.inject({ url: `/api/v1/me/access?${query}`, headers: key });
    assert.equal(assertFault(response, 'INVALID_REQUEST'), `query string: unknown field "${name}".`);
  }
  assert.equal((await api.app.inject({ url: '/api/v1/me/access?', headers: key })).statusCode, 200);
});

test('refuses text that cannot be stored and names its field', async () => {
  const cases = [
    ['a\\u0000b', /^name: must be one line without control characters\.$/],
    ['a\\ud800b', /^name: must not contain lone surrogate characters\.$/],
  ] as const;
  for (const [name, problem] of cases) {
    const headers = { ...key, ...JSON_TYPE };
    const response = await api.app.inject({
      method: 'POST',
      url: '/api/v1/me/api-keys',
      headers,
      payload: `{"name":"${name}"}`,
    });
    assert.match(assertFault(response, 'INVALID_REQUEST'), problem);
    const signIn = await api.app.inject({
      method: 'POST',
      url: '/api/v1/sessions',
      headers: JSON_TYPE,
      payload: `{"email":"${name}","password":"x"}`,
    });
    assert.match(assertFault(signIn, 'INVALID_REQUEST'), /^email: must not contain NUL or lone surrogate/);
    const path = await api.app.inject({ method: 'DELETE', url: '/api/v1/me/api-keys/a%00b', headers: key });
    assert.match(assertFault(path, 'INVALID_REQUEST'), /^key_id: must not contain NUL/);
  }
});

test('refuses an instant that its offset moves outside the years 0001 to 9999', async () => {
  for (const instant of ['9999-12-31T23:59:59-23:59', '0001-01-01T00:00:00+23:59', '0000-01-01T00:00:00Z']) {
    const headers = { ...key, ...JSON_TYPE };
    const payload = JSON.stringify({ name: 'x', expires_at: instant });
    const response = await api.app.inject({ method: 'POST', url: '/api/v1/me/api-keys', headers, payload });
    assert.match(assertFault(response, 'INVALID_REQUEST'), /^expires_at: /);
  }
  const last = await api.app.inject({
    method: 'POST',
    url: '/api/v1/me/api-keys',
    headers: { ...(await withSession(api.identity, account.email)), ...JSON_TYPE },
    payload: { name: 'x', expires_at: '9999-12-31T23:59:59.999+00:00' },
  });
  assert.equal(last.json().data.expires_at, '9999-12-31T23:59:59.999Z');
});
