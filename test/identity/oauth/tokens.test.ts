import assert from 'node:assert/strict';
import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { decodeJwt, SignJWT } from 'jose';
import { reauthorize } from '../../../src/api/edge/admit.ts';
import { authenticate } from '../../../src/api/edge/authenticate.ts';
import { MIGRATIONS } from '../../../src/compose/index.ts';
import { SCOPES } from '../../../src/contract/index.ts';
import {
  createAccount,
  createApiKey,
  openAccessTokens,
  openExternalIssuers,
  removeClient,
  revokeGrant,
  revokeGrants,
} from '../../../src/identity/index.ts';
import { readSigningKeys, rotateSigningKey } from '../../../src/identity/oauth/signing-keys.ts';
import type { OAuthTables } from '../../../src/identity/oauth/tables.ts';
import { createLog } from '../../../src/platform/index.ts';
import { openApi, SITE_URL, type TestApi } from '../../support/api/api.ts';
import { requestAs } from '../../support/api/request-as.ts';
import { type MintedToken, mintAccessToken, signAccessToken } from '../../support/identity/access-tokens.ts';
import { makeAccount, PASSWORD, withSession } from '../../support/identity/callers.ts';
import { openTestDatabase, type TestDatabase, testedKind } from '../../support/platform/database.ts';

let fixture: TestDatabase;
let api: TestApi;
let accountId: string;
let good: MintedToken;

before(async () => {
  fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  api = await openApi(fixture.database);
  accountId = (await makeAccount(api.identity, { password: null })).id;
  good = await mintAccessToken(api.identity, accountId);
});
after(async () => {
  await api?.app.close();
  await fixture?.[Symbol.asyncDispose]();
});

function sendWith(token: string) {
  return api.app.inject({ url: '/api/v1/me/access', headers: { authorization: `Bearer ${token}` } });
}

async function assertRefused(token: string, label: string): Promise<void> {
  const response = await sendWith(token);
  assert.equal(response.statusCode, 401, label);
  assert.equal(response.json().error.code, 'UNAUTHENTICATED', label);
  assert.equal(
    response.headers['www-authenticate'],
    `Bearer realm="almanac", error="invalid_token", resource_metadata="${SITE_URL}/.well-known/oauth-protected-resource"`,
    label,
  );
}

test('accepts a token as the provider issues it', async () => {
  const response = await sendWith(good.token);
  assert.equal(response.statusCode, 200);
  assert.equal(response.json().data.user.id, accountId);
  assert.deepEqual(response.json().data.token_scopes, SCOPES);
});

test('refuses a correctly signed token with wrong claims or headers', async () => {
  const now = Math.floor(Date.now() / 1_000);
  const holder = { accountId, ...good };
  const claims: Record<string, Record<string, unknown>> = {
    'another audience': { aud: 'https://api.example' },
    'the application as its audience': { aud: good.clientId },
    'no audience': { aud: undefined },
    'the issuer as its audience': { aud: `${SITE_URL}/auth` },
    'another issuer': { iss: 'https://login.example' },
    'the site as its issuer': { iss: SITE_URL },
    'no issuer': { iss: undefined },
    expired: { iat: now - 1_000, exp: now - 100 },
    'without an expiry': { exp: undefined },
    'not yet valid': { nbf: now + 100 },
    'issued in the future': { iat: now + 100 },
    'issued long ago': { iat: now - 2_000 },
    'without an issue time': { iat: undefined },
    'without an account': { sub: undefined },
    'of another account': { sub: 'usr_00000000000000000000000000' },
    'of no application': { client_id: undefined },
    'of another application': { client_id: 'app_00000000000000000000000000' },
    'under no grant': { grant_id: undefined },
    'under an unknown grant': { grant_id: 'grt_unknown' },
    'with a grant that is not text': { grant_id: { $ne: null } },
    'without an id': { jti: undefined },
  };
  for (const [label, overrides] of Object.entries(claims)) {
    await assertRefused(await signAccessToken(api.identity, holder, { claims: overrides }), label);
  }
  const headers: Record<string, Record<string, unknown>> = {
    'the type of an ID token': { typ: undefined },
    'the type of any token': { typ: 'JWT' },
    'the type of a logout token': { typ: 'logout+jwt' },
    'an unknown key': { kid: 'unknown' },
    'no key': { kid: undefined },
    'an extension that must be understood': { crit: ['exp'], exp: 1 },
  };
  for (const [label, header] of Object.entries(headers)) {
    const token = signAccessToken(api.identity, holder, { header }).catch(() => null);
    await assertRefused((await token) ?? forge({ alg: 'ES256', typ: 'at+jwt', ...header }), label);
  }
});

/** Returns the claims of a valid token with another header, unsigned. */
function forge(header: object, signature = ''): string {
  const [, claims] = good.token.split('.');
  return `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${claims}.${signature}`;
}

test('refuses a token that the provider did not sign', async () => {
  const [key] = await readSigningKeys(api.identity);
  assert.ok(key);
  const { kid, private_jwk } = key;
  const [head = '', claims = '', signature = ''] = good.token.split('.');
  await assertRefused(forge({ alg: 'none', typ: 'at+jwt' }), 'none');
  await assertRefused(forge({ alg: 'none', typ: 'at+jwt', kid }), 'none, with the id of the signing key');
  await assertRefused(forge({ alg: 'NONE', typ: 'at+jwt', kid }, signature), 'none in capitals');
  await assertRefused(`${head}.${claims}.`, 'no signature');
  await assertRefused(`${head}.${claims}.${signature.slice(0, -4)}AAAA`, 'a modified signature');
  const richer = { ...JSON.parse(Buffer.from(claims, 'base64url').toString()), sub: 'usr_1' };
  await assertRefused(
    `${head}.${Buffer.from(JSON.stringify(richer)).toString('base64url')}.${signature}`,
    'changed claims',
  );

  // The public key, which anyone can read, used as a shared secret.
  const publicKey = createPublicKey({ key: private_jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
  const unsigned = forge({ alg: 'HS256', typ: 'at+jwt', kid }).slice(0, -1);
  const hmac = createHmac('sha256', publicKey).update(unsigned).digest('base64url');
  await assertRefused(`${unsigned}.${hmac}`, 'HS256 with the public key');

  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = other.publicKey.export({ format: 'jwk' });
  for (const header of [{ kid }, { kid, jwk }, { jwk }]) {
    const forged = await new SignJWT(JSON.parse(Buffer.from(claims, 'base64url').toString()))
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', ...header } as never)
      .sign(other.privateKey);
    await assertRefused(forged, 'another key');
  }
  for (const nonsense of [
    'a.b.c',
    '..',
    '.',
    'a.b',
    'a.b.c.d',
    'a.b.c.d.e',
    `${good.token}.x`,
    'e30.e30.e30',
    '....',
  ]) {
    await assertRefused(nonsense, nonsense);
  }
  assert.doesNotMatch(api.logged(), /"level":(50|60)/);
});

test('a token ends with its grant, its application and its account', async () => {
  const account = await makeAccount(api.identity, { password: null });
  const first = await mintAccessToken(api.identity, account.id);
  const second = await mintAccessToken(api.identity, account.id);
  const status = async ({ token }: MintedToken) => (await sendWith(token)).statusCode;
  assert.deepEqual([await status(first), await status(second)], [200, 200]);
  await removeClient(api.identity, first.clientId);
  assert.deepEqual([await status(first), await status(second)], [401, 200]);
  await revokeGrants(fixture.database, account.id);
  assert.equal(await status(second), 401);

  const db = fixture.database.query<OAuthTables>();
  const third = await mintAccessToken(api.identity, account.id);
  const past = { expires_at: new Date(Date.now() - 1_000) };
  await db.updateTable('oauth_record').set(past).where('id', '=', third.grantId).execute();
  assert.equal(await status(third), 401, 'the grant has expired');

  const withoutWorkspace = { ...api.identity, onAccountCreated: async () => {} };
  const leaving = await createAccount(withoutWorkspace, { email: 'leaving@example.org', plan: 'pro', verified: true });
  const fourth = await mintAccessToken(api.identity, leaving.id);
  assert.equal(await status(fourth), 200);
  await db.deleteFrom('account').where('id', '=', leaving.id).execute();
  assert.equal(await status(fourth), 401);
});

test('a valid cookie does not replace an invalid token', async () => {
  const expired = await signAccessToken(api.identity, { accountId, ...good }, { claims: { exp: 1 } });
  const person = await makeAccount(api.identity);
  const { cookie = '' } = await withSession(api.identity, person.email);
  const headers = { authorization: `Bearer ${expired}`, cookie };
  assert.equal((await api.app.inject({ url: '/api/v1/me/access', headers })).statusCode, 401);
});

test('a token gives no API access to an account whose plan has none', async () => {
  const free = await makeAccount(api.identity, { plan: 'free', password: null });
  const { credentials } = await mintAccessToken(api.identity, free.id);
  const response = await api.app.inject({ url: '/api/v1/me/access', headers: credentials });
  assert.deepEqual([response.statusCode, response.json().error.code], [403, 'PLAN_REQUIRED']);
  const userinfo = await api.app.inject({ url: '/auth/oauth/userinfo', headers: credentials });
  assert.equal(userinfo.statusCode, 200);
  assert.equal(userinfo.json().sub, free.id);
});

async function makeKey(creator: string): Promise<{ key: string; expires_at: string }> {
  const headers = { authorization: `Bearer ${creator}` };
  const payload = { name: 'created by a token' };
  const response = await api.app.inject({ method: 'POST', url: '/api/v1/me/api-keys', headers, payload });
  assert.equal(response.statusCode, 201);
  return response.json().data;
}

test('a key that a token creates does not outlive the token', async () => {
  const { exp = 0 } = decodeJwt(good.token);
  assert.equal((await makeKey(good.token)).expires_at, new Date(exp * 1_000).toISOString());
});

test('keys that a token creates, directly or through a key, end with the grant', async () => {
  const { identity } = api;
  const account = await makeAccount(identity);
  const session = requestAs(api.app, await withSession(identity, account.email));
  const [revoked, removed, kept] = [
    await mintAccessToken(identity, account.id),
    await mintAccessToken(identity, account.id),
    await mintAccessToken(identity, account.id),
  ];
  const keys: string[] = [];
  for (const { token } of [revoked, removed, kept]) {
    const { key } = await makeKey(token);
    keys.push(key, (await makeKey(key)).key);
  }
  const statuses = () => Promise.all(keys.map(async (key) => (await sendWith(key)).statusCode));
  assert.deepEqual(await statuses(), [200, 200, 200, 200, 200, 200]);
  await revokeGrant(identity, account.id, revoked.grantId);
  assert.deepEqual(await statuses(), [401, 401, 200, 200, 200, 200]);
  await removeClient(identity, removed.clientId);
  assert.deepEqual(await statuses(), [401, 401, 401, 401, 200, 200]);
  const change = { current_password: PASSWORD, new_password: 'another good password' };
  assert.equal((await session('POST', '/v1/me/password', change)).status, 200);
  assert.deepEqual(await statuses(), [401, 401, 401, 401, 401, 401]);
  const { data } = await session<{ api_keys: unknown[] }>('GET', '/v1/me/api-keys');
  assert.deepEqual(data.api_keys, [], 'none of them is listed');

  const late = { accountId: account.id, name: 'late', scopes: SCOPES, madeUnder: kept.grantId };
  await assert.rejects(createApiKey(identity, late), { code: 'UNAUTHENTICATED' });
});

test('a process accepts tokens of the new and of the old key after a rotation', async () => {
  const before = await mintAccessToken(api.identity, accountId);
  await rotateSigningKey(api.identity);
  const after = await mintAccessToken(api.identity, accountId);
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  assert.equal((await sendWith(after.token)).statusCode, 200);
  assert.equal((await sendWith(before.token)).statusCode, 200);
});

test('an open stream ends with the grant', async () => {
  const { identity } = api;
  const account = await makeAccount(identity, { password: null });
  const { credentials, grantId } = await mintAccessToken(identity, account.id);
  const request = { headers: credentials, cookies: {}, ip: '127.0.0.1' } as unknown as FastifyRequest;
  const siteUrl = () => SITE_URL;
  const checkers = {
    config: api.config,
    identity,
    accessTokens: openAccessTokens(identity, { siteUrl }),
    issuers: openExternalIssuers({ issuers: [], clock: identity.clock, log: createLog('silent'), siteUrl }),
  };
  const { principal } = await authenticate(checkers, request);
  assert.equal(principal.kind === 'account' && principal.credential, 'oauth');
  assert.deepEqual(await reauthorize(checkers, 'forecast.read', request, principal), principal);
  const other = await mintAccessToken(identity, account.id);
  const { principal: same } = await authenticate(checkers, {
    ...request,
    headers: other.credentials,
  } as FastifyRequest);
  assert.equal(await reauthorize(checkers, 'forecast.read', request, same), null, 'another token is another caller');
  await revokeGrant(identity, account.id, grantId);
  assert.equal(await reauthorize(checkers, 'forecast.read', request, principal), null);
});

test('userinfo requires an access token', async () => {
  for (const headers of [{}, { authorization: 'Bearer nonsense' }, { authorization: 'Basic eDp5' }] as Record<
    string,
    string
  >[]) {
    const response = await api.app.inject({ url: '/auth/oauth/userinfo', headers });
    assert.equal(response.statusCode, 401);
    assert.match(String(response.headers['www-authenticate']), /^Bearer realm="almanac"/);
  }
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const headers = { ...form, ...good.credentials };
  const posted = await api.app.inject({ method: 'POST', url: '/auth/oauth/userinfo', headers, payload: 'a=b' });
  assert.equal(posted.statusCode, 200);
  assert.equal(posted.headers['cache-control'], 'no-store');
});
