import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { openApi, type TestApi } from '../support/api/api.ts';
import { listenOnLoopback } from '../support/api/http.ts';
import { makeAccount, PASSWORD, withGuest, withKey, withSession } from '../support/identity/callers.ts';
import { openTestDatabase, type TestDatabase, testedKind } from '../support/platform/database.ts';

let fixture: TestDatabase;
let api: TestApi;

before(async () => {
  fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  api = await openApi(fixture.database, { ALMANAC_LOG_LEVEL: 'trace' }, (app) => {
    // A careless log line, and an error whose properties contain private data of a library.
    app.get('/api/v1/careless', async (request) => {
      request.log.info({ headers: request.headers, authorization: request.headers.authorization }, 'careless');
      throw Object.assign(new Error('broken'), {
        authorization: request.headers.authorization,
        cookie: request.headers.cookie,
      });
    });
  });
});
after(async () => {
  await api.app.close();
  await fixture[Symbol.asyncDispose]();
});

function lines(): Record<string, unknown>[] {
  return api
    .logged()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

test('writes one JSON line per request with its id, path and caller', async () => {
  const account = await makeAccount(api.identity, { password: null });
  const key = await withKey(api.identity, account.id);
  const guest = await withGuest(api.identity);
  for (const [method, url, headers, expected] of [
    ['GET', '/api/v1/me/access?token=abc', key, { status: 400, path: '/api/v1/me/access', caller: account.id }],
    ['GET', '/api/v1/me/api-keys', key, { status: 200, path: '/api/v1/me/api-keys', caller: account.id }],
    ['GET', '/api/v1/me/access', {}, { status: 401, path: '/api/v1/me/access', caller: undefined }],
    ['DELETE', '/api/v1/me/access', guest, { status: 405, path: '/api/v1/me/access', caller: undefined }],
    [
      'GET',
      `/api/${'long'.repeat(100)}`,
      {},
      { status: 404, path: `/api/${'long'.repeat(100)}`.slice(0, 200), caller: undefined },
    ],
    ['GET', '/api/v1/%zz?secret', {}, { status: 400, path: '/api/v1/%zz', caller: undefined }],
  ] as const) {
    const response = await api.app.inject({ method, url, headers });
    const ofRequest = lines().filter((line) => line.request_id === response.headers['x-request-id']);
    assert.equal(ofRequest.length, 1, url);
    const { status, path, caller, ms } = ofRequest[0] ?? {};
    assert.deepEqual({ status, path, caller }, expected);
    assert.equal(typeof ms, 'number');
  }
});

test('logs no key, cookie, password or query', async () => {
  const account = await makeAccount(api.identity);
  const { authorization } = await withKey(api.identity, account.id);
  const session = await withSession(api.identity, account.email);
  const guest = await withGuest(api.identity);
  const cookie = `${session.cookie}; ${guest.cookie}`;
  const key = authorization.replace('Bearer ', '');
  const json = { 'content-type': 'application/json' };

  await api.app.inject({ url: '/api/v1/me/access', headers: { authorization, cookie } });
  await api.app.inject({ url: `/api/v1/me/access?key=${key}&hunter=hunter2-query`, headers: { authorization } });
  await api.app.inject({ method: 'DELETE', url: `/api/v1/me/api-keys/${key}`, headers: { authorization } });
  await api.app.inject({ url: `/api/v1/${key}/%zz`, headers: { authorization } });
  const odd = `/${key.replace('_', '%5F')}/%zz/${key.replaceAll('_', '%255F')}`;
  await api.app.inject({ url: `/api/v1${odd}`, headers: { authorization } });
  const opaque = randomBytes(32).toString('base64url');
  const jwt = `eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.${opaque}`;
  for (const token of [opaque, jwt, `${'x'.repeat(150)}/${jwt}`]) await api.app.inject({ url: `/auth/${token}` });
  await api.app.inject({ url: '/api/v1/careless', headers: { authorization, cookie } });
  await api.app.inject({ url: '/api/v1/me/access', headers: { authorization: `Basic ${key}` } });
  const made = await api.app.inject({
    method: 'POST',
    url: '/api/v1/me/api-keys',
    headers: { cookie, ...json },
    payload: { name: 'new' },
  });
  const signedIn = await api.app.inject({
    method: 'POST',
    url: '/api/v1/sessions',
    headers: { cookie, ...json },
    payload: { email: account.email, password: PASSWORD },
  });
  await api.app.inject({
    method: 'POST',
    url: '/api/v1/sessions',
    headers: json,
    payload: { email: account.email, password: 'hunter2-wrong' },
  });
  await api.app.inject({
    method: 'POST',
    url: '/api/v1/sessions',
    headers: json,
    payload: '{"password":"hunter2-broken',
  });
  await api.app.inject({
    method: 'POST',
    url: '/api/v1/sessions',
    headers: json,
    payload: { email: account.email, password: PASSWORD, secret: 'hunter2-extra' },
  });
  assert.deepEqual([made.statusCode, signedIn.statusCode], [201, 201]);

  const secrets = [
    key,
    made.json().data.key,
    secretOf(session.cookie),
    secretOf(guest.cookie),
    secretOf(String(signedIn.headers['set-cookie'])),
    PASSWORD,
    'hunter2',
    key.slice(8),
    opaque.slice(0, 20),
    'eyJzdWIi',
  ];
  const log = api.logged();
  assert.match(log, /careless/);
  for (const secret of secrets) {
    assert.ok(secret.length > 6);
    assert.equal(log.includes(secret), false, `the log contains ${secret}`);
  }
});

test('does not report a disconnected client as a database failure', async () => {
  const port = await listenOnLoopback(api.app);
  const socket = connect(port, '127.0.0.1');
  const before = api.logged().length;
  socket.write(
    'POST /api/v1/sessions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"email"',
  );
  await until(async () => (await connectionsOf()) === 1);
  await new Promise((resolve) => setTimeout(resolve, 50));
  socket.destroy();
  await until(async () => (await connectionsOf()) === 0);
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.doesNotMatch(api.logged().slice(before), /"level":(50|60)|database unavailable/);
});

function connectionsOf(): Promise<number> {
  return new Promise((resolve, reject) => {
    api.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error('still waiting after 20 s');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function secretOf(cookie: string | undefined): string {
  return /=(alm_\w+)/.exec(cookie ?? '')?.[1] ?? '';
}
