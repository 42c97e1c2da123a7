import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import * as openid from 'openid-client';
import { MIGRATIONS } from '../../../src/compose/index.ts';
import { createClient, listGrants, listSecurityEvents, revokeGrant } from '../../../src/identity/index.ts';
import { type OAuthSite, openOAuthSite } from '../../support/identity/oauth-site.ts';
import { openTestDatabase, type TestDatabase, testedKind } from '../../support/platform/database.ts';
import { tablesContaining } from '../../support/platform/rows.ts';
import { accessWith, makeApplication, makePerson, postForm } from './application.ts';
import { openDocumentScene, testClientDocuments } from './client-documents.ts';
import { openResourceScene, type ResourceScene, testResources } from './resources.ts';

let fixture: TestDatabase;
let site: OAuthSite;
let resources: ResourceScene;
let documents: Awaited<ReturnType<typeof openDocumentScene>>;

before(async () => {
  fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  site = await openOAuthSite(fixture.database, { environment: { ALMANAC_OUTBOUND_ALLOW: '127.0.0.0/8' } });
  resources = await openResourceScene(site);
  documents = await openDocumentScene(fixture.database, site);
});
after(async () => {
  await documents?.[Symbol.asyncDispose]();
  await site?.app.close();
  await fixture?.[Symbol.asyncDispose]();
});

async function eventsOf(accountId: string): Promise<string[]> {
  const events = await listSecurityEvents(site.identity, accountId, { limit: 50 });
  return events.map(({ kind }) => kind);
}

test('an independent client discovers the provider, signs a person in and uses the API', async () => {
  const application = await makeApplication(site);
  const person = await makePerson(site);
  const tokens = await application.signIn(person.browser);
  assert.equal(tokens.token_type, 'bearer');
  assert.equal(tokens.expires_in, 900);
  assert.equal(tokens.scope, 'openid profile email offline_access');
  assert.ok(tokens.refresh_token);

  const idToken = decodeJwt(tokens.id_token ?? '');
  const { sub, email, email_verified, name, aud, iss } = idToken;
  assert.deepEqual(
    { sub, email, email_verified, name, aud, iss },
    {
      sub: person.id,
      email: person.email,
      email_verified: true,
      name: person.email.split('@')[0],
      aud: application.clientId,
      iss: `${site.url}/auth`,
    },
  );
  const { alg, typ } = decodeProtectedHeader(tokens.access_token);
  assert.deepEqual({ alg, typ }, { alg: 'ES256', typ: 'at+jwt' });
  assert.equal(decodeJwt(tokens.access_token).aud, site.url);

  assert.equal(await accessWith(site, tokens.access_token), '200');
  const userinfo = await openid.fetchUserInfo(application.config, tokens.access_token, person.id);
  assert.deepEqual({ ...userinfo }, { sub, email, email_verified, name });
  assert.ok((await eventsOf(person.id)).includes('client_authorized'));
});

test('a client can omit resource and scope, and gets only the claims it requested', async () => {
  const application = await makeApplication(site);
  const person = await makePerson(site);
  const { code, verifier } = await application.askForCode(person.browser, { scope: '', resource: `${site.url}/` });
  assert.ok(code);
  const address = openid.buildAuthorizationUrl(application.config, {
    redirect_uri: 'http://127.0.0.1:54321/callback',
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    // The library adds a default scope; the test removes it.
    scope: '',
  });
  address.searchParams.delete('scope');
  const callback = await person.browser.authorize(address);
  const tokens = await openid.authorizationCodeGrant(application.config, callback, { pkceCodeVerifier: verifier });
  assert.equal(tokens.refresh_token, undefined);
  assert.equal(decodeJwt(tokens.access_token).aud, site.url);
  assert.equal(await accessWith(site, tokens.access_token), '200');
  const { email, name } = decodeJwt(tokens.id_token ?? '');
  assert.deepEqual([email, name], [undefined, undefined]);
  assert.deepEqual(
    { ...(await openid.fetchUserInfo(application.config, tokens.access_token, person.id)) },
    { sub: person.id },
  );
});

test('refuses a token of one kind in place of another', async () => {
  const application = await makeApplication(site);
  const person = await makePerson(site);
  const { access_token, id_token = '', refresh_token = '' } = await application.signIn(person.browser);
  for (const token of [id_token, refresh_token]) {
    assert.equal(await accessWith(site, token), '401 UNAUTHENTICATED');
    const claims = openid.fetchUserInfo(application.config, token, person.id);
    await assert.rejects(claims, { code: 'OAUTH_WWW_AUTHENTICATE_CHALLENGE' });
  }
  for (const token of [id_token, access_token]) {
    await assert.rejects(openid.refreshTokenGrant(application.config, token), { error: 'invalid_grant' });
  }
  assert.equal(await accessWith(site, access_token), '200');
});

test('a refresh token works once and returns the next one', async () => {
  const application = await makeApplication(site);
  const person = await makePerson(site);
  let tokens = await application.signIn(person.browser);
  const seen = new Set([tokens.refresh_token]);
  for (let round = 0; round < 3; round++) {
    const parameters = round === 1 ? { resource: site.url } : {};
    tokens = await openid.refreshTokenGrant(application.config, tokens.refresh_token ?? '', parameters);
    assert.equal(await accessWith(site, tokens.access_token), '200');
    assert.equal(decodeJwt(tokens.access_token).aud, site.url);
    seen.add(tokens.refresh_token);
  }
  assert.equal(seen.size, 4);
});

test('a reused refresh token ends every token of its grant and records an event', async () => {
  const application = await makeApplication(site);
  const person = await makePerson(site);
  const other = await application.signIn(person.browser);
  const first = await application.signIn(person.browser);
  const second = await openid.refreshTokenGrant(application.config, first.refresh_token ?? '');
  await assert.rejects(openid.refreshTokenGrant(application.config, first.refresh_token ?? ''), {
    error: 'invalid_grant',
  });
  for (const token of [first, second]) assert.equal(await accessWith(site, token.access_token), '401 UNAUTHENTICATED');
  await assert.rejects(openid.refreshTokenGrant(application.config, second.refresh_token ?? ''), {
    error: 'invalid_grant',
  });
  const kinds = await eventsOf(person.id);
  assert.equal(kinds.filter((kind) => kind === 'token_reuse_detected').length, 1);
  // Another consent is another grant.
  assert.equal(await accessWith(site, other.access_token), '200');
  await openid.refreshTokenGrant(application.config, other.refresh_token ?? '');
});

test('a reused code ends its grant', async () => {
  const application = await makeApplication(site);
  const person = await makePerson(site);
  const { callback, verifier } = await application.askForCode(person.browser);
  const redeem = () => openid.authorizationCodeGrant(application.config, callback, { pkceCodeVerifier: verifier });
  const tokens = await redeem();
  assert.equal(await accessWith(site, tokens.access_token), '200');
  await assert.rejects(redeem(), { error: 'invalid_grant' });
  assert.equal(await accessWith(site, tokens.access_token), '401 UNAUTHENTICATED');
  await assert.rejects(openid.refreshTokenGrant(application.config, tokens.refresh_token ?? ''), {
    error: 'invalid_grant',
  });
  assert.ok((await eventsOf(person.id)).includes('token_reuse_detected'));
});

test('a client can revoke only its own tokens', async () => {
  const [application, stranger] = [await makeApplication(site), await makeApplication(site)];
  const person = await makePerson(site);
  const tokens = await application.signIn(person.browser);
  await openid.tokenRevocation(stranger.config, tokens.refresh_token ?? '');
  assert.equal(await accessWith(site, tokens.access_token), '200');
  await openid.tokenRevocation(application.config, tokens.refresh_token ?? '');
  assert.equal(await accessWith(site, tokens.access_token), '401 UNAUTHENTICATED');
  await assert.rejects(openid.refreshTokenGrant(application.config, tokens.refresh_token ?? ''), {
    error: 'invalid_grant',
  });
  assert.ok((await eventsOf(person.id)).includes('grant_revoked'));
});

test('the person can revoke the grant, which ends it immediately', async () => {
  const application = await makeApplication(site, { name: 'Spreadsheet' });
  const person = await makePerson(site);
  const tokens = await application.signIn(person.browser);
  await accessWith(site, tokens.access_token);
  const [grant] = await listGrants(site.identity, person.id);
  assert.equal(grant?.clientName, 'Spreadsheet');
  assert.ok(grant.lastUsedAt);
  assert.equal(await revokeGrant(site.identity, person.id, grant.id), true);
  assert.equal(await accessWith(site, tokens.access_token), '401 UNAUTHENTICATED');
  await assert.rejects(openid.refreshTokenGrant(application.config, tokens.refresh_token ?? ''), {
    error: 'invalid_grant',
  });
  const refused = openid.fetchUserInfo(application.config, tokens.access_token, person.id);
  await assert.rejects(refused, { code: 'OAUTH_WWW_AUTHENTICATE_CHALLENGE' });
});

test('a confidential client sends its secret in the header or in the form', async () => {
  const application = await makeApplication(site, { confidential: true });
  const person = await makePerson(site);
  const tokens = await application.signIn(person.browser);
  assert.equal(await accessWith(site, tokens.access_token), '200');
  const byForm = await openid.discovery(
    new URL(`${site.url}/auth`),
    application.clientId,
    application.clientSecret,
    openid.ClientSecretPost(application.clientSecret),
    { execute: [openid.allowInsecureRequests] },
  );
  await openid.refreshTokenGrant(byForm, tokens.refresh_token ?? '');
});

test('redirects to an installed application by its scheme, and on loopback to any port', async () => {
  const person = await makePerson(site);
  const uris = [
    'com.example.app:/callback',
    'http://localhost/callback',
    'http://[::1]/callback',
    'https://app.example/',
  ];
  const { client_id } = await createClient(site.identity, { name: 'Installed', redirectUris: uris });
  for (const redirect_uri of [
    'com.example.app:/callback',
    'http://localhost:1234/callback',
    'http://localhost/callback',
    'http://[::1]:65535/callback',
    'https://app.example/',
  ]) {
    const verifier = openid.randomPKCECodeVerifier();
    const query = new URLSearchParams({
      client_id,
      redirect_uri,
      response_type: 'code',
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const back = await person.browser.authorize(`/auth/oauth/authorize?${query}`);
    assert.ok(back.href.startsWith(redirect_uri), back.href);
    const fields = { grant_type: 'authorization_code', client_id, redirect_uri, code_verifier: verifier };
    const code = back.searchParams.get('code') ?? '';
    assert.equal((await postForm(`${site.url}/auth/oauth/token`, { ...fields, code })).status, 200);
  }
});

test('a refusal grants nothing', async () => {
  const application = await makeApplication(site);
  const person = await makePerson(site);
  const address = openid.buildAuthorizationUrl(application.config, {
    redirect_uri: 'http://127.0.0.1:54321/callback',
    scope: 'openid',
    state: 'kept',
    code_challenge: await openid.calculatePKCECodeChallenge(openid.randomPKCECodeVerifier()),
    code_challenge_method: 'S256',
  });
  const callback = await person.browser.refuse(address);
  assert.equal(callback.searchParams.get('error'), 'access_denied');
  assert.equal(callback.searchParams.get('state'), 'kept');
  assert.equal(callback.searchParams.get('code'), null);
  assert.deepEqual(await listGrants(site.identity, person.id), []);
});

test('OAuth clients without OpenID support can discover the provider', async () => {
  const { clientId } = await makeApplication(site);
  const options: openid.DiscoveryRequestOptions = { execute: [openid.allowInsecureRequests], algorithm: 'oauth2' };
  const config = await openid.discovery(new URL(`${site.url}/auth`), clientId, undefined, openid.None(), options);
  assert.equal(config.serverMetadata().token_endpoint, `${site.url}/auth/oauth/token`);
});

test('logs and stores no code, token or secret', async () => {
  const application = await makeApplication(site, { confidential: true });
  const person = await makePerson(site);
  const { callback, code, verifier } = await application.askForCode(person.browser);
  const tokens = await openid.authorizationCodeGrant(application.config, callback, { pkceCodeVerifier: verifier });
  const next = await openid.refreshTokenGrant(application.config, tokens.refresh_token ?? '');
  await accessWith(site, next.access_token);
  await openid.tokenRevocation(application.config, next.refresh_token ?? '');
  // The uid of an interaction is part of its URL and useless without the signed cookie.
  const cookies = person.browser.cookies.filter(({ name }) => !/^almanac_(interaction|resume)$/.test(name));
  assert.deepEqual([...new Set(cookies.map(({ name }) => name))].toSorted(), [
    '__Host-almanac_oauth',
    '__Host-almanac_oauth.sig',
    '__Host-almanac_session',
    'almanac_interaction.sig',
  ]);
  const given = [tokens, next].flatMap((each) => [each.access_token, each.id_token, each.refresh_token]);
  const kept = cookies.map(({ value }) => value);
  for (const secret of [code, verifier, application.clientSecret, ...given, ...kept]) {
    assert.ok(secret && secret.length > 20);
    assert.equal(site.logged().includes(secret), false, 'logged');
    assert.deepEqual(await tablesContaining(fixture.database, secret), [], 'stored');
  }
  assert.match(site.logged(), /"path":"\/auth\/oauth\/authorize"/);
  assert.match(site.logged(), /"path":"\/auth\/oauth\/token","status":200/);
  assert.doesNotMatch(site.logged(), /code_challenge|refresh_token|client_secret|code=/);
});

testResources(() => resources);
testClientDocuments(() => documents);
