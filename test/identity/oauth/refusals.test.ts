import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { MIGRATIONS } from '../../../src/compose/index.ts';
import { createClient, listSecurityEvents } from '../../../src/identity/index.ts';
import type { OAuthTables } from '../../../src/identity/oauth/tables.ts';
import { hashSecret } from '../../../src/identity/secrets.ts';
import { oauthBrowser } from '../../support/identity/oauth-browser.ts';
import { type OAuthSite, openOAuthSite } from '../../support/identity/oauth-site.ts';
import { openTestDatabase, type TestDatabase, testedKind } from '../../support/platform/database.ts';
import {
  type Application,
  accessWith,
  CALLBACK,
  type Code,
  makeApplication,
  makePerson,
  type Person,
  postForm,
} from './application.ts';

let fixture: TestDatabase;
let site: OAuthSite;
let application: Application;
let person: Person;

before(async () => {
  fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  site = await openOAuthSite(fixture.database);
  application = await makeApplication(site);
  person = await makePerson(site);
});
after(async () => {
  await site?.app.close();
  await fixture?.[Symbol.asyncDispose]();
});

const VERIFIER = 'a-verifier-that-is-long-enough-to-be-accepted-here';
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

function authorizeAddress(changes: Record<string, string | undefined>): URL {
  const address = new URL(`${site.url}/auth/oauth/authorize`);
  const parameters = {
    client_id: application.clientId,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    resource: site.url,
    state: 's',
    ...changes,
  };
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) address.searchParams.set(name, value);
  return address;
}

test('refuses long parameters without storing them', async () => {
  const count = async () => {
    const { database } = fixture;
    const rows = await database.query<OAuthTables>().selectFrom('oauth_record').select('id').execute();
    return rows.length;
  };
  const before = await count();
  for (const [changes, message] of [
    [{ state: 's'.repeat(2_049) }, /state must not be longer than 2048 bytes/],
    [{ state: '😀'.repeat(513) }, /state must not be longer than 2048 bytes/],
    [{ nonce: 'n'.repeat(12_000) }, /nonce must not be longer/],
    [{ unknown: 'x'.repeat(3_000) }, /unknown must not be longer/],
    [{ state: '\u0000'.repeat(2_000), nonce: '\u0000'.repeat(2_000) }, /together/],
  ] as const) {
    const response = await fetch(authorizeAddress(changes), { redirect: 'manual', headers: { accept: 'text/html' } });
    assert.equal(response.status, 400);
    assert.match(await response.text(), message);
  }
  assert.equal(await count(), before);
  const longest = await fetch(authorizeAddress({ state: 's'.repeat(2_048) }), { redirect: 'manual' });
  assert.equal(longest.status, 303);
  assert.match(longest.headers.get('location') ?? '', /\/auth\/interaction\//);
  assert.equal(await count(), before + 1);
});

test('redirects an invalid request to the application with the reason', async () => {
  const wrong: [Record<string, string | undefined>, string, RegExp][] = [
    [{ code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request', /PKCE/],
    [{ code_challenge_method: 'plain' }, 'invalid_request', /code_challenge_method/],
    [{ code_challenge_method: undefined }, 'invalid_request', /plain|code_challenge_method/],
    [{ code_challenge: 'short' }, 'invalid_request', /code_challenge/],
    [{ response_type: 'token' }, 'invalid_request', /./],
    [{ response_type: 'id_token' }, 'invalid_request', /./],
    [{ response_type: 'code id_token' }, 'invalid_request', /./],
    [{ resource: 'https://api.example' }, 'invalid_target', /resource must be http/],
    [{ resource: `${site.url}/api` }, 'invalid_target', /resource must be http/],
    [{ resource: 'nonsense' }, 'invalid_target', /absolute URI/],
    [{ scope: 'profile email' }, 'invalid_scope', /scope must include openid/],
    [{ scope: 'offline_access', prompt: 'consent', nonce: 'n' }, 'invalid_scope', /openid/],
    [{ scope: 'admin' }, 'invalid_scope', /openid/],
    [{ response_mode: 'form_post.jwt' }, 'unsupported_response_mode', /./],
    [{ prompt: 'none' }, 'login_required', /./],
    [{ prompt: 'create' }, 'invalid_request', /prompt/],
    [{ request: 'e30.e30.' }, 'request_not_supported', /./],
    [{ request_uri: 'https://evil.example/' }, 'request_uri_not_supported', /./],
    [{ max_age: '-1' }, 'invalid_request', /max_age/],
  ];
  for (const [changes, error, description] of wrong) {
    const response = await person.browser.get(authorizeAddress(changes));
    const label = JSON.stringify(changes);
    assert.equal(response.status, 303, label);
    const location = new URL(response.headers.get('location') ?? '');
    assert.equal(location.origin + location.pathname, CALLBACK, label);
    // For a request for a token, the error is in the fragment, as the token would be.
    const answer = new URLSearchParams(location.hash ? location.hash.slice(1) : location.search);
    assert.equal(answer.get('error'), error, label);
    assert.match(answer.get('error_description') ?? '.', description, label);
    assert.equal(answer.get('state'), 's', label);
    assert.equal(answer.get('iss'), `${site.url}/auth`, label);
    assert.deepEqual([answer.get('code'), answer.get('access_token')], [null, null], label);
  }
});

test('shows an error page instead of a redirect for a request that may be forged', async () => {
  const confidential = await createClient(site.identity, {
    name: 'Web',
    redirectUris: ['https://app.example/callback'],
    confidential: true,
  });
  const { client_id } = confidential;
  const wrong: [Record<string, string | undefined>, RegExp][] = [
    [{ client_id: undefined }, /client_id/],
    [{ client_id: 'app_unknown' }, /invalid_client/],
    [{ client_id: 'a\u0000b' }, /invalid_client/],
    [{ redirect_uri: undefined }, /redirect_uri/],
    [{ redirect_uri: 'https://evil.example/callback' }, /redirect_uri/],
    [{ redirect_uri: 'http://127.0.0.1/other' }, /redirect_uri/],
    [{ redirect_uri: 'http://localhost/callback' }, /redirect_uri/],
    [{ redirect_uri: 'http://127.0.0.1@evil.example/callback' }, /redirect_uri/],
    [{ redirect_uri: `${CALLBACK}#x` }, /redirect_uri/],
    [{ redirect_uri: `${CALLBACK}?more=1` }, /redirect_uri/],
    [{ client_id, redirect_uri: 'https://app.example/callback/' }, /redirect_uri/],
    [{ client_id, redirect_uri: 'https://app.example:444/callback' }, /redirect_uri/],
    [{ response_mode: 'form_post' }, /unsupported_response_mode.*response_mode must be query/s],
  ];
  for (const [changes, reason] of wrong) {
    const response = await person.browser.get(authorizeAddress(changes));
    const label = JSON.stringify(changes);
    assert.equal(response.status, 400, label);
    assert.equal(response.headers.get('location'), null, label);
    assert.match(response.headers.get('content-type') ?? '', /^text\/html/, label);
    assert.match(
      response.headers.get('content-security-policy') ?? '',
      /default-src 'none'.*frame-ancestors 'none'/,
      label,
    );
    const page = await response.text();
    assert.match(page, reason, label);
    assert.doesNotMatch(page, /node_modules|at \w+ \(|\.js:\d/, 'no stack');
  }
  const asJson = await fetch(authorizeAddress({ client_id: 'app_unknown' }), {
    headers: { accept: 'application/json' },
  });
  assert.equal(((await asJson.json()) as { error: string }).error, 'invalid_client');
});

test('accepts a request as a form', async () => {
  const { pathname, searchParams } = authorizeAddress({ state: 'a b&c' });
  const fields = Object.fromEntries(searchParams);
  const sent = await fetch(`${site.url}${pathname}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { origin: 'https://app.example' },
    redirect: 'manual',
  });
  assert.equal(sent.status, 303);
  const callback = await person.browser.authorize(sent.headers.get('location') ?? '');
  assert.ok(callback.searchParams.get('code'));
  assert.equal(callback.searchParams.get('state'), 'a b&c');
  for (const [body, type, status] of [
    ['{}', 'application/json', 415],
    ['a='.padEnd(9_000, 'x'), 'application/x-www-form-urlencoded', 413],
  ] as const) {
    const refused = await fetch(`${site.url}${pathname}`, { method: 'POST', body, headers: { 'content-type': type } });
    assert.equal(refused.status, status);
    assert.match(refused.headers.get('content-type') ?? '', /^text\/html/);
  }
});

test('refuses a repeated parameter', async () => {
  const address = authorizeAddress({});
  address.searchParams.append('state', 'another');
  const response = await person.browser.get(address);
  const { searchParams } = new URL(response.headers.get('location') ?? '');
  assert.equal(searchParams.get('error'), 'invalid_request');
  assert.match(searchParams.get('error_description') ?? '', /state/);
});

test('without a sign-in, asks the person or reports login_required', async () => {
  const signedOut = oauthBrowser(site.url);
  const asked = await signedOut.get(authorizeAddress({}));
  assert.match(asked.headers.get('location') ?? '', /^\/auth\/interaction\/[\w-]{43}$/);
  const silent = await signedOut.get(authorizeAddress({ prompt: 'none' }));
  assert.equal(new URL(silent.headers.get('location') ?? '').searchParams.get('error'), 'login_required');
});

function redeem({ code, verifier }: Code, changes: Record<string, string | undefined> = {}) {
  const fields = {
    grant_type: 'authorization_code',
    client_id: application.clientId,
    code,
    redirect_uri: CALLBACK,
    code_verifier: verifier,
    resource: site.url,
    ...changes,
  };
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  return postForm(`${site.url}/auth/oauth/token`, given as Record<string, string>);
}

test('accepts a code only from the client and with the verifier that requested it', async () => {
  const stranger = await makeApplication(site);
  const wrong: [Record<string, string | undefined>, number, string][] = [
    [{ code_verifier: undefined }, 400, 'invalid_grant'],
    [{ code_verifier: 'another-verifier-that-is-long-enough-to-be-one' }, 400, 'invalid_grant'],
    [{ code_verifier: 'short' }, 400, 'invalid_request'],
    [{ redirect_uri: undefined }, 400, 'invalid_request'],
    [{ redirect_uri: 'http://127.0.0.1:1/callback' }, 400, 'invalid_grant'],
    [{ client_id: stranger.clientId }, 400, 'invalid_grant'],
    [{ client_id: 'app_unknown' }, 401, 'invalid_client'],
    [{ client_id: undefined }, 400, 'invalid_request'],
    [{ code: 'nonsense' }, 400, 'invalid_grant'],
    [{ code: 'a\u0000b' }, 400, 'invalid_grant'],
    [{ code: undefined }, 400, 'invalid_request'],
    [{ grant_type: 'password' }, 400, 'unsupported_grant_type'],
    [{ grant_type: 'client_credentials' }, 400, 'unsupported_grant_type'],
    [{ grant_type: undefined }, 400, 'invalid_request'],
    [{ client_secret: 'a-secret' }, 401, 'invalid_client'],
  ];
  const code = await application.askForCode(person.browser);
  for (const [changes, status, error] of wrong) {
    const answer = await redeem(code, changes);
    assert.deepEqual([answer.status, answer.body.error], [status, error], JSON.stringify(changes));
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.deepEqual(
      Object.keys(answer.body).filter((name) => !name.startsWith('error')),
      [],
    );
  }
  for (const resource of ['https://api.example', `${site.url}/api`]) {
    const forElsewhere = await redeem(code, { resource });
    assert.deepEqual([forElsewhere.status, forElsewhere.body.error], [400, 'invalid_target']);
  }
  const redeemed = await redeem(code, { resource: `${site.url}/` });
  assert.equal(redeemed.status, 200, 'an unauthorized request does not consume a code');
  const refresh = (fields: Record<string, string>) =>
    postForm(`${site.url}/auth/oauth/token`, {
      grant_type: 'refresh_token',
      refresh_token: String(redeemed.body.refresh_token),
      client_id: application.clientId,
      ...fields,
    });
  assert.equal((await refresh({ resource: 'https://api.example' })).body.error, 'invalid_target');
  assert.equal((await refresh({ scope: 'profile' })).body.error, 'invalid_scope');
  assert.equal((await refresh({ resource: `${site.url}/` })).status, 200, 'a refresh token');
});

test('a reused code ends its grant, whatever else is wrong with the request', async () => {
  const stranger = await makeApplication(site);
  for (const changes of [
    { code_verifier: undefined },
    { code_verifier: 'another-verifier-that-is-long-enough-to-be-one' },
    { redirect_uri: undefined },
    { resource: 'https://api.example' },
    { client_id: stranger.clientId },
    { client_id: 'app_unknown' },
  ]) {
    const label = JSON.stringify(changes);
    const code = await application.askForCode(person.browser);
    assert.notEqual((await redeem(code, changes)).status, 200, label);
    const { access_token, refresh_token } = (await redeem(code)).body as Record<string, string>;
    assert.equal(await accessWith(site, access_token ?? ''), '200', 'an unused code stays valid');
    assert.notEqual((await redeem(code, changes)).status, 200, label);
    assert.equal(await accessWith(site, access_token ?? ''), '401 UNAUTHENTICATED', label);
    const refreshed = await postForm(`${site.url}/auth/oauth/token`, {
      grant_type: 'refresh_token',
      refresh_token: refresh_token ?? '',
      client_id: application.clientId,
    });
    assert.equal(refreshed.body.error, 'invalid_grant', label);
  }
  const events = await listSecurityEvents(site.identity, person.id, { limit: 100 });
  assert.equal(events.filter(({ kind }) => kind === 'token_reuse_detected').length, 6, 'each is recorded once');
});

test('a code works for a minute', async () => {
  const code = await application.askForCode(person.browser);
  await fixture.database
    .query<OAuthTables>()
    .updateTable('oauth_record')
    .set({ expires_at: new Date(Date.now() - 1_000) })
    .where('id', '=', hashSecret(code.code))
    .execute();
  assert.equal((await redeem(code)).body.error, 'invalid_grant');
  await application.askForCode(person.browser);
  const row = await fixture.database
    .query<OAuthTables>()
    .selectFrom('oauth_record')
    .select(['created_at', 'expires_at'])
    .where('model', '=', 'AuthorizationCode')
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', new Date())
    .executeTakeFirstOrThrow();
  assert.equal(row.expires_at.getTime() - row.created_at.getTime(), 60_000);
});

test('accepts a refresh token only from its client and for this site', async () => {
  const stranger = await makeApplication(site);
  const { refresh_token = '' } = await application.signIn(person.browser);
  const refresh = (fields: Record<string, string>) =>
    postForm(`${site.url}/auth/oauth/token`, { grant_type: 'refresh_token', refresh_token, ...fields });
  assert.equal((await refresh({ client_id: stranger.clientId })).body.error, 'invalid_grant');
  assert.equal((await refresh({ client_id: application.clientId, scope: 'openid admin' })).body.error, 'invalid_scope');
  const narrower = await refresh({ client_id: application.clientId, scope: 'openid' });
  assert.deepEqual([narrower.status, narrower.body.scope], [200, 'openid']);
});

test('refuses a confidential client without its secret, or with the stored hash', async () => {
  const { client_id, client_secret = '' } = await createClient(site.identity, {
    name: 'Warehouse',
    redirectUris: ['https://app.example/'],
    confidential: true,
  });
  const requestToken = (fields: Record<string, string>, headers = {}) =>
    postForm(`${site.url}/auth/oauth/token`, { grant_type: 'refresh_token', refresh_token: 'x', ...fields }, headers);
  const basic = (secret: string) => ({
    authorization: `Basic ${Buffer.from(`${client_id}:${secret}`).toString('base64')}`,
  });
  for (const answer of [
    await requestToken({ client_id }),
    await requestToken({ client_id, client_secret: 'wrong' }),
    await requestToken({ client_id, client_secret: hashSecret(client_secret) }),
    await requestToken({}, basic('wrong')),
    await requestToken({}, basic(hashSecret(client_secret))),
  ]) {
    assert.deepEqual([answer.status, answer.body.error], [401, 'invalid_client']);
  }
  for (const answer of [
    await requestToken({ client_id, client_secret }),
    await requestToken({}, basic(client_secret)),
  ]) {
    assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_grant'], 'authenticated, but x is not a token');
  }
});

test('refuses bodies that are not forms or too large', async () => {
  const address = `${site.url}/auth/oauth/token`;
  const json = await fetch(address, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } });
  assert.deepEqual([json.status, ((await json.json()) as { error: string }).error], [400, 'invalid_request']);
  const large = await postForm(address, { grant_type: 'x'.repeat(100_000) });
  assert.deepEqual([large.status, large.body.error], [400, 'invalid_request']);
  const empty = await fetch(address, { method: 'POST' });
  assert.equal(empty.status, 400);
});

test('allows a page to redeem codes only from the origin of a redirect URI', async () => {
  // The origin of the second URI is "null".
  const redirectUris = ['https://page.example/x', 'com.example.app:/callback'];
  const { client_id } = await createClient(site.identity, { name: 'Page', redirectUris });
  const from = (origin: string) =>
    postForm(
      `${site.url}/auth/oauth/token`,
      { grant_type: 'refresh_token', refresh_token: 'x', client_id },
      { origin },
    );
  const own = await from('https://page.example');
  assert.deepEqual(
    [own.body.error, own.headers.get('access-control-allow-origin')],
    ['invalid_grant', 'https://page.example'],
  );
  for (const origin of ['https://evil.example', 'null', 'http://page.example']) {
    const foreign = await from(origin);
    assert.equal(foreign.status, 400);
    assert.equal(foreign.body.error, 'invalid_request');
    assert.equal(foreign.headers.get('access-control-allow-origin'), null);
    assert.equal(foreign.headers.get('access-control-allow-credentials'), null);
  }
});

test('serves no client registration and no disabled endpoint', async () => {
  for (const [method, path] of [
    ['POST', '/auth/reg'],
    ['POST', '/auth/oauth/register'],
    ['POST', '/auth/oauth/introspect'],
    ['POST', '/auth/token/introspection'],
    ['POST', '/auth/request'],
    ['GET', '/auth/session/end'],
    ['POST', '/auth/session/end/confirm'],
    ['GET', '/auth/device'],
    ['GET', '/auth/auth'],
    ['GET', '/auth/jwks'],
  ] as const) {
    const response = await fetch(`${site.url}${path}`, { method });
    assert.equal(response.status, 404, path);
    assert.equal(((await response.json()) as { error: { code: string } }).error.code, 'NOT_FOUND');
  }
  for (const [method, path] of [
    ['GET', '/auth/oauth/token'],
    ['PUT', '/auth/oauth/authorize'],
    ['HEAD', '/auth/oauth/authorize'],
    ['DELETE', '/auth/oauth/jwks'],
  ] as const) {
    assert.equal((await fetch(`${site.url}${path}`, { method })).status, 405, `${method} ${path}`);
  }
});

test('no request caused an internal error', () => {
  assert.doesNotMatch(site.logged(), /"level":(50|60)/);
});
