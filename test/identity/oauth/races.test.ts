import assert from 'node:assert/strict';
import * as openid from 'openid-client';
import { MIGRATIONS } from '../../../src/compose/index.ts';
import { listGrants, listSecurityEvents } from '../../../src/identity/index.ts';
import { openDatabase } from '../../../src/platform/index.ts';
import { type OAuthSite, openOAuthSite } from '../../support/identity/oauth-site.ts';
import { forEachDatabase } from '../../support/platform/database.ts';
import { accessWith, CALLBACK, makeApplication, makePerson, type Person, postForm } from './application.ts';

const REQUESTS = 50;

/** Opens two processes on one database, like two servers behind one name. */
async function openTwoSites(fixture: Parameters<Parameters<typeof forEachDatabase>[2]>[0]) {
  const first = await openOAuthSite(fixture.database);
  fixture.cleanup(() => first.app.close());
  const otherDatabase = await openDatabase(fixture.location);
  fixture.cleanup(() => otherDatabase.close());
  const second = await openOAuthSite(otherDatabase, { siteUrl: first.url });
  fixture.cleanup(() => second.app.close());
  return { first, second, urls: [first.listensAt, second.listensAt] };
}

async function reuseEvents(site: OAuthSite, person: Person): Promise<number> {
  const events = await listSecurityEvents(site.identity, person.id, { limit: 200 });
  return events.filter(({ kind }) => kind === 'token_reuse_detected').length;
}

/** Sends the same form to both processes concurrently. */
async function sendConcurrently(urls: readonly string[], fields: Record<string, string>) {
  const answers = await Promise.all(
    Array.from({ length: REQUESTS }, (_, i) => postForm(`${urls[i % urls.length]}/auth/oauth/token`, fields)),
  );
  const successes = answers.filter(({ status }) => status === 200);
  const failures = answers.filter(({ status }) => status !== 200);
  for (const { status, body } of failures) assert.deepEqual([status, body.error], [400, 'invalid_grant']);
  return successes.map(({ body }) => body as { access_token: string; refresh_token: string });
}

const options = { migrations: MIGRATIONS, only: 'postgres' } as const;

forEachDatabase('of several concurrent requests with one code, one gets tokens', options, async (fixture) => {
  const { first, second, urls } = await openTwoSites(fixture);
  const application = await makeApplication(first);
  const person = await makePerson(first);
  for (let round = 1; round <= 2; round++) {
    const { code, verifier } = await application.askForCode(person.browser);
    const successes = await sendConcurrently(urls, {
      grant_type: 'authorization_code',
      client_id: application.clientId,
      code,
      redirect_uri: CALLBACK,
      code_verifier: verifier,
    });
    assert.equal(successes.length, 1);
    // A reused code may have been stolen by either side, so its tokens are revoked.
    const [{ access_token, refresh_token } = { access_token: '', refresh_token: '' }] = successes;
    for (const site of [first, second])
      assert.equal(await accessWith({ url: site.listensAt }, access_token), '401 UNAUTHENTICATED');
    await assert.rejects(openid.refreshTokenGrant(application.config, refresh_token), { error: 'invalid_grant' });
    assert.equal(await reuseEvents(first, person), round, 'noted once');
    assert.deepEqual(await listGrants(first.identity, person.id), []);
  }
});

forEachDatabase('of several concurrent requests with one refresh token, one gets tokens', options, async (fixture) => {
  const { first, second, urls } = await openTwoSites(fixture);
  const application = await makeApplication(first);
  const person = await makePerson(first);
  for (let round = 1; round <= 2; round++) {
    const tokens = await application.signIn(person.browser);
    const { refresh_token = '' } = tokens;
    const successes = await sendConcurrently(urls, {
      grant_type: 'refresh_token',
      client_id: application.clientId,
      refresh_token,
    });
    assert.equal(successes.length, 1);
    const issued = [tokens.access_token, successes[0]?.access_token ?? ''];
    for (const site of [first, second])
      for (const token of issued) assert.equal(await accessWith({ url: site.listensAt }, token), '401 UNAUTHENTICATED');
    await assert.rejects(openid.refreshTokenGrant(application.config, successes[0]?.refresh_token ?? ''), {
      error: 'invalid_grant',
    });
    assert.equal(await reuseEvents(first, person), round, 'noted once');
  }
});

forEachDatabase('a token of one process is valid in another', options, async (fixture) => {
  const { first, second } = await openTwoSites(fixture);
  const application = await makeApplication(first);
  const person = await makePerson(first);
  const { code, verifier } = await application.askForCode(person.browser);
  const elsewhere = `${second.listensAt}/auth/oauth/token`;
  const client_id = application.clientId;
  const redeemed = await postForm(elsewhere, {
    grant_type: 'authorization_code',
    client_id,
    code,
    redirect_uri: CALLBACK,
    code_verifier: verifier,
  });
  assert.equal(redeemed.status, 200);
  const { access_token, refresh_token } = redeemed.body as { access_token: string; refresh_token: string };
  for (const site of [first, second]) assert.equal(await accessWith({ url: site.listensAt }, access_token), '200');

  const next = await openid.refreshTokenGrant(application.config, refresh_token);
  assert.equal(await accessWith({ url: second.listensAt }, next.access_token), '200');
  const jwks = await Promise.all(
    [first, second].map(async ({ listensAt }) => (await fetch(`${listensAt}/auth/oauth/jwks`)).text()),
  );
  assert.equal(jwks[0], jwks[1]);

  await postForm(`${second.listensAt}/auth/oauth/revoke`, { client_id, token: next.refresh_token ?? '' });
  for (const site of [first, second])
    assert.equal(await accessWith({ url: site.listensAt }, next.access_token), '401 UNAUTHENTICATED');
});
