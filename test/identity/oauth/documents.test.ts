import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MIGRATIONS } from '../../../src/compose/index.ts';
import { createClient, rotateSigningKey } from '../../../src/identity/index.ts';
import { send, sendBytes } from '../../support/api/http.ts';
import { openOAuthSite } from '../../support/identity/oauth-site.ts';
import { openTestDatabase, type TestDatabase, testedKind } from '../../support/platform/database.ts';
import { postForm } from './application.ts';

let fixture: TestDatabase;
let site: Awaited<ReturnType<typeof openOAuthSite>>;

before(async () => {
  fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  site = await openOAuthSite(fixture.database);
});
after(async () => {
  await site?.app.close();
  await fixture?.[Symbol.asyncDispose]();
});

async function read(path: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${site.url}${path}`);
  assert.equal(response.status, 200, path);
  assert.match(response.headers.get('content-type') ?? '', /^application\/(jwk-set\+)?json/);
  return (await response.json()) as Record<string, unknown>;
}

const DISCOVERY = [
  '/auth/.well-known/openid-configuration',
  '/auth/.well-known/oauth-authorization-server',
  '/.well-known/oauth-authorization-server/auth',
  '/.well-known/openid-configuration/auth',
];

test('serves the same discovery document at each of its URLs', async () => {
  const documents = await Promise.all(DISCOVERY.map(read));
  for (const document of documents) assert.deepEqual(document, documents[0]);
  const [{ claims_supported, ...document } = { claims_supported: [] }] = documents;
  assert.deepEqual(document, {
    issuer: `${site.url}/auth`,
    authorization_endpoint: `${site.url}/auth/oauth/authorize`,
    token_endpoint: `${site.url}/auth/oauth/token`,
    jwks_uri: `${site.url}/auth/oauth/jwks`,
    userinfo_endpoint: `${site.url}/auth/oauth/userinfo`,
    revocation_endpoint: `${site.url}/auth/oauth/revoke`,
    scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    id_token_signing_alg_values_supported: ['ES256'],
    subject_types_supported: ['public'],
    claim_types_supported: ['normal'],
    claims_parameter_supported: false,
    request_uri_parameter_supported: false,
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  });
  const claims = ['auth_time', 'email', 'email_verified', 'iss', 'name', 'sub'];
  assert.deepEqual((claims_supported as string[]).toSorted(), claims);
});

test('answers HEAD and OPTIONS for its documents', async () => {
  for (const path of [...DISCOVERY, '/auth/oauth/jwks', '/.well-known/oauth-protected-resource']) {
    const [head, whole] = [await fetch(`${site.url}${path}`, { method: 'HEAD' }), await fetch(`${site.url}${path}`)];
    assert.deepEqual([head.status, await head.text()], [200, ''], path);
    assert.equal(head.headers.get('content-type'), whole.headers.get('content-type'), path);
    assert.equal(head.headers.get('content-length'), String(Buffer.byteLength(await whole.text())), path);
  }
});

test('the API names its authorization server, and a 401 links to that document', async () => {
  for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/api']) {
    const document = await read(path);
    assert.equal(document.resource, site.url);
    assert.deepEqual(document.authorization_servers, [`${site.url}/auth`]);
    assert.deepEqual(document.scopes_supported, ['openid', 'profile', 'email', 'offline_access']);
    assert.deepEqual(document.bearer_methods_supported, ['header']);
  }
  const refused = await fetch(`${site.url}/api/v1/me/access`);
  assert.equal(refused.status, 401);
  const challenge = refused.headers.get('www-authenticate') ?? '';
  const named = /^Bearer realm="almanac", resource_metadata="([^"]+)"$/.exec(challenge)?.[1] ?? '';
  assert.equal(((await (await fetch(named)).json()) as { resource: string }).resource, site.url);
});

test('publishes only the public part of each signing key', async () => {
  const before = (await read('/auth/oauth/jwks')).keys as Record<string, unknown>[];
  assert.equal(before.length, 1);
  assert.deepEqual(Object.keys(before[0] ?? {}).toSorted(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
  const kid = await rotateSigningKey(site.identity);
  const another = await openOAuthSite(fixture.database);
  const { keys } = (await (await fetch(`${another.url}/auth/oauth/jwks`)).json()) as { keys: { kid: string }[] };
  await another.app.close();
  assert.deepEqual(
    keys.map((key) => key.kid),
    [kid, before[0]?.kid],
    'the new key first, the old one after it',
  );
});

test('uses the URL of the site, whatever the Host header of a request', async () => {
  const port = Number(new URL(site.url).port);
  const hostile = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    forwarded: 'host=evil.example;proto=https',
  };
  for (const path of DISCOVERY) {
    const answer = await send(port, { path, headers: hostile });
    assert.equal(answer.status, 200);
    assert.doesNotMatch(String(answer.body), /evil/);
    assert.equal(JSON.parse(String(answer.body)).token_endpoint, `${site.url}/auth/oauth/token`);
  }
  const { client_id } = await createClient(site.identity, { name: 'App', redirectUris: ['https://app.example/'] });
  const query = new URLSearchParams({
    client_id,
    redirect_uri: 'https://app.example/',
    response_type: 'code',
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
  });
  const authorize = `/auth/oauth/authorize?${query}`;
  const sent = await send(port, { path: authorize, headers: hostile });
  assert.match(String(sent.headers.location), /^\/auth\/interaction\/[\w-]{43}$/);
  assert.doesNotMatch(JSON.stringify(sent.headers), /evil/);
  const absolute = await sendBytes(
    port,
    `GET http://evil.example${authorize} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
  );
  assert.doesNotMatch(absolute, /evil/);
  assert.match(absolute, /location: \/auth\/interaction\//i);
  const encoded = await sendBytes(port, 'GET /auth/oauth/%6Awks HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  assert.match(encoded, /^HTTP\/1\.1 200 [\s\S]*"kty":"EC"/);
});

test('responses of the provider have the headers of every response', async () => {
  const id = '0190163d-8694-739b-aea5-966c26f8ad91';
  const token = await postForm(`${site.url}/auth/oauth/token`, {}, { 'x-request-id': id });
  const keys = await fetch(`${site.url}/auth/oauth/jwks`, { headers: { 'x-request-id': id } });
  for (const { headers } of [token, keys]) {
    assert.equal(headers.get('x-request-id'), id);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('x-frame-options'), 'DENY');
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);
    assert.ok(Number(headers.get('ratelimit-remaining')) > 0);
    assert.equal(headers.get('x-powered-by'), null);
  }
});

test('limits browsers by network, and applications separately', async () => {
  const limited = await openOAuthSite(fixture.database, { environment: { ALMANAC_RATE_ANONYMOUS: '2' } });
  try {
    await fixture.database.query<{ rate_window: { key: string } }>().deleteFrom('rate_window').execute();
    const { client_id } = await createClient(site.identity, { name: 'A', redirectUris: ['https://app.example/'] });
    const { client_id: other } = await createClient(site.identity, { name: 'B', redirectUris: ['https://b.example/'] });
    const requestToken = (client: string) =>
      postForm(`${limited.url}/auth/oauth/token`, {
        grant_type: 'refresh_token',
        refresh_token: 'x',
        client_id: client,
      });
    const jwks = async () => (await fetch(`${limited.url}/auth/oauth/jwks`)).status;
    assert.deepEqual([await jwks(), await jwks(), await jwks()], [200, 200, 429]);
    const refused = await fetch(`${limited.url}/auth/oauth/authorize`);
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);

    for (let i = 0; i < 10; i++) assert.equal((await requestToken(client_id)).body.error, 'invalid_grant');
    const tooMany = await requestToken(client_id);
    assert.deepEqual([tooMany.status, tooMany.body.error], [429, 'temporarily_unavailable']);
    assert.match(String(tooMany.body.error_description), /Wait \d+ s/);
    assert.ok(Number(tooMany.headers.get('retry-after')) > 0);
    assert.equal(tooMany.headers.get('ratelimit-limit'), '10');
    assert.equal((await requestToken(other)).body.error, 'invalid_grant', 'another application is not limited');

    const unknown: { status: number; body: Record<string, unknown>; headers: Headers }[] = [];
    while (unknown.at(-1)?.status !== 429 && unknown.length < 100) unknown.push(await requestToken('app_unknown'));
    assert.equal(unknown.length, 100 - 12 + 1, 'ten times as many from one address, whatever client they name');
    const last = unknown.at(-1);
    assert.equal(last?.body.error, 'temporarily_unavailable');
    assert.deepEqual(Object.keys(last?.body ?? {}), ['error', 'error_description']);
    assert.ok(Number(last?.headers.get('retry-after')) > 0);
  } finally {
    await limited.app.close();
  }
});

test('refuses plain HTTP beyond loopback', async () => {
  const environment = { HOST: '0.0.0.0', SITE_URL: 'https://almanac.example', ALMANAC_TRUSTED_PROXIES: '127.0.0.1' };
  const proxied = await openOAuthSite(fixture.database, { siteUrl: 'https://almanac.example', environment });
  try {
    const path = '/auth/.well-known/openid-configuration';
    const port = Number(new URL(proxied.listensAt).port);
    const plain = await send(port, { path });
    assert.equal(plain.status, 400);
    assert.match(String(plain.body), /Plain HTTP is not supported/);
    const secure = await send(port, {
      path,
      headers: { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example' },
    });
    assert.equal(JSON.parse(String(secure.body)).issuer, 'https://almanac.example/auth');
    assert.match(String(secure.headers['strict-transport-security']), /max-age/);
  } finally {
    await proxied.app.close();
  }
});

test('no request caused an internal error', () => {
  assert.doesNotMatch(site.logged(), /"level":(50|60)/);
});
