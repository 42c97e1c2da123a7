import assert from 'node:assert/strict';
import type { z } from 'zod';
import { openApi } from '../../../test/support/api/api.ts';
import { requestAs, type SendRequest } from '../../../test/support/api/request-as.ts';
import { makeAccount, withSession } from '../../../test/support/identity/callers.ts';
import { forEachDatabase, type TestDatabase } from '../../../test/support/platform/database.ts';
import { tablesContaining } from '../../../test/support/platform/rows.ts';
import { MIGRATIONS } from '../../compose/index.ts';
import { type ApiKey, type NewApiKey, SCOPES, type Scope } from '../../contract/index.ts';
import { createApiKey } from '../../identity/index.ts';
import { openDatabase } from '../../platform/index.ts';

type Shown = z.output<typeof ApiKey>;
type Made = z.output<typeof NewApiKey>;

const options = { migrations: MIGRATIONS };
const KEYS = '/v1/me/api-keys';

/** Opens the API with a signed-in pro account that can create keys. */
async function openKeyApi(fixture: TestDatabase) {
  const { app, identity, logged } = await openApi(fixture.database);
  fixture.cleanup(() => app.close());
  const account = await makeAccount(identity);
  const session = requestAs(app, await withSession(identity, account.email));
  const asKey = (key: string) => requestAs(app, { authorization: `Bearer ${key}` });
  /** Creates a key over HTTP. @returns the key and a function that sends requests with it */
  const make = async (request: { scopes?: Scope[]; expires_at?: string } = {}, by: SendRequest = session) => {
    const { status, data } = await by<Made>('POST', KEYS, { name: 'test', ...request });
    assert.equal(status, 201);
    return { ...data, request: asKey(data.key) };
  };
  return { app, identity, logged, account, session, make, asKey };
}

forEachDatabase('a new key works immediately, and a revoked key fails immediately', options, async (fixture) => {
  const { make, session } = await openKeyApi(fixture);
  const { id, key, request } = await make();
  assert.match(key, /^alm_pat_[0-9A-Za-z]{49}$/);
  assert.equal((await request('GET', '/v1/me/access')).status, 200);

  const first = await session('DELETE', `${KEYS}/${id}`);
  assert.deepEqual([first.status, first.data], [200, { id, removed: true }]);
  assert.equal((await request('GET', '/v1/me/access')).code, 'UNAUTHENTICATED');
  assert.equal((await session('DELETE', `${KEYS}/${id}`)).code, 'NOT_FOUND');
});

forEachDatabase(
  'a revoked key fails immediately in every process',
  { ...options, only: 'postgres' },
  async (fixture) => {
    const { make, session } = await openKeyApi(fixture);
    const elsewhere = await openDatabase(fixture.location);
    const other = await openApi(elsewhere);
    fixture.cleanup(async () => {
      await other.app.close();
      await elsewhere.close();
    });
    const { id, key } = await make();
    const askThere = requestAs(other.app, { authorization: `Bearer ${key}` });
    assert.equal((await askThere('GET', '/v1/me/access')).status, 200);
    await session('DELETE', `${KEYS}/${id}`);
    assert.equal((await askThere('GET', '/v1/me/access')).code, 'UNAUTHENTICATED');
  },
);

forEachDatabase('shows the secret once and stores it nowhere', options, async (fixture) => {
  const { make, session, logged } = await openKeyApi(fixture);
  const { request, key, ...made } = await make({ scopes: ['account:read'], expires_at: '2099-01-02T04:04:05.5+01:00' });
  assert.equal(made.expires_at, '2099-01-02T03:04:05.500Z');
  await request('GET', '/v1/me/access');
  const { body, data } = await session<{ api_keys: Shown[] }>('GET', KEYS);
  const { last_used_at, ...shown } = data.api_keys[0] ?? {};
  assert.deepEqual({ ...shown, last_used_at: null }, made);
  assert.match(last_used_at ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  for (const text of [body, logged()]) assert.ok(!text.includes(key.slice(0, 13)), 'the secret does not appear');
  assert.deepEqual(await tablesContaining(fixture.database, key), []);
});

forEachDatabase('a key cannot create a key with more scopes or a longer lifetime', options, async (fixture) => {
  const { make, session } = await openKeyApi(fixture);
  const weak = await make({ scopes: ['account:read', 'events:read'], expires_at: '2099-01-01T00:00:00Z' });
  const refused = async (request: object) => (await weak.request('POST', KEYS, { name: 'x', ...request })).code;

  assert.equal(await refused({ scopes: ['account:read', 'events:write'] }), 'SCOPE_DENIED');
  assert.equal(await refused({ scopes: SCOPES }), 'SCOPE_DENIED');
  assert.equal(await refused({ expires_at: '2099-01-01T00:00:00.001Z' }), 'SCOPE_DENIED');
  assert.equal(await refused({ expires_at: '2020-01-01T00:00:00Z' }), 'INVALID_REQUEST');

  const child = await make({}, weak.request);
  assert.deepEqual(child.scopes, ['account:read', 'events:read'], 'the default is the scopes of the caller');
  assert.equal(child.expires_at, '2099-01-01T00:00:00.000Z', 'the default is the lifetime of the caller');
  const narrow = await make({ scopes: ['account:read'], expires_at: '2098-12-31T23:59:59Z' }, child.request);
  assert.deepEqual([narrow.scopes, narrow.expires_at], [['account:read'], '2098-12-31T23:59:59.000Z']);
  const lasting = await make();
  assert.deepEqual([lasting.scopes, lasting.expires_at], [SCOPES, null], 'a browser session can create lasting keys');

  const { data } = await session<{ api_keys: Shown[] }>('GET', KEYS);
  assert.equal(data.api_keys.length, 4, 'refused keys were not created');
});

forEachDatabase(
  'a key can revoke itself and keys within its scopes; other keys are not found',
  options,
  async (fixture) => {
    const { make, app, identity } = await openKeyApi(fixture);
    const weak = await make({ scopes: ['account:read', 'events:read'] });
    const broader = await make({ scopes: ['account:read', 'events:read', 'events:write'] });
    const other = await make({ scopes: ['screener:read'] });
    const within = await make({ scopes: ['events:read'] });
    const stranger = await makeAccount(identity, { password: null });
    const foreign = await createApiKey(identity, { accountId: stranger.id, name: 'x', scopes: ['events:read'] });

    const missing = await weak.request('DELETE', `${KEYS}/key_01K9ZK3Y6M2Q8V7N5T4R3E2W1A`);
    assert.deepEqual([missing.status, missing.code], [404, 'NOT_FOUND']);
    for (const [name, id] of Object.entries({ foreign: foreign.id, broader: broader.id, other: other.id }))
      assert.equal((await weak.request('DELETE', `${KEYS}/${id}`)).body, missing.body, `${name}: the same body`);
    const stillWork = [requestAs(app, { authorization: `Bearer ${foreign.key}` }), broader.request, other.request];
    for (const request of stillWork) assert.notEqual((await request('GET', '/v1/me/access')).status, 401);

    assert.equal((await weak.request('DELETE', `${KEYS}/${within.id}`)).status, 200);
    assert.equal((await weak.request('DELETE', `${KEYS}/${weak.id}`)).status, 200, 'a key can revoke itself');
    assert.equal((await weak.request('GET', '/v1/me/access')).code, 'UNAUTHENTICATED');
  },
);

forEachDatabase('checks every field of a request for a key', options, async (fixture) => {
  const { session } = await openKeyApi(fixture);
  const bad: Record<string, object> = {
    'name: missing': {},
    'name: empty': { name: '' },
    'name: too long': { name: 'x'.repeat(101) },
    'name: NUL': { name: 'a\u0000' },
    'scopes: none': { name: 'x', scopes: [] },
    'scopes: twice': { name: 'x', scopes: ['account:read', 'account:read'] },
    'scopes[0]: unknown': { name: 'x', scopes: ['account:write'] },
    'expires_at: no instant': { name: 'x', expires_at: 'tomorrow' },
    'expires_at: beyond the year 9999': { name: 'x', expires_at: '9999-12-31T23:59:59-01:00' },
    'body: unknown field': { name: 'x', kind: 'service' },
  };
  for (const [what, request] of Object.entries(bad)) {
    const { status, body, code } = await session('POST', KEYS, request);
    assert.deepEqual([status, code], [400, 'INVALID_REQUEST'], what);
    const field = what.split(':', 1)[0] ?? '';
    assert.ok(JSON.parse(body).error.message.startsWith(`${field}: `), `${what}: ${body}`);
  }
  const { data } = await session<{ api_keys: Shown[] }>('GET', KEYS);
  assert.deepEqual(data.api_keys, []);
});
