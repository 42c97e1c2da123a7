import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { decodeJwt } from 'jose';
import * as openid from 'openid-client';
import { MIGRATIONS } from '../../../src/compose/index.ts';
import { endSession, listGrants, openOAuth } from '../../../src/identity/index.ts';
import type { OAuthTables } from '../../../src/identity/oauth/tables.ts';
import { createLog } from '../../../src/platform/index.ts';
import { makeAccount, PASSWORD, withSession } from '../../support/identity/callers.ts';
import { type OAuthBrowser, oauthBrowser } from '../../support/identity/oauth-browser.ts';
import { type OAuthSite, openOAuthSite } from '../../support/identity/oauth-site.ts';
import { openTestDatabase, type TestDatabase, testedKind } from '../../support/platform/database.ts';
import { tablesContaining } from '../../support/platform/rows.ts';
import { type Application, CALLBACK, makeApplication, makePerson } from './application.ts';

let fixture: TestDatabase;
let site: OAuthSite;
/** A web application, which needs consent once in a browser. */
let application: Application;

before(async () => {
  fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  site = await openOAuthSite(fixture.database);
  application = await makeApplication(site, { confidential: true });
});
after(async () => {
  await site?.app.close();
  await fixture?.[Symbol.asyncDispose]();
});

const VERIFIER = 'a-verifier-that-is-long-enough-to-be-accepted-here';

function begin(parameters: Record<string, string> = {}): URL {
  return openid.buildAuthorizationUrl(application.config, {
    redirect_uri: CALLBACK,
    scope: 'openid',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
    ...parameters,
  });
}

/** Returns the account that the application gets. */
async function subjectOf(callback: URL): Promise<Record<string, unknown>> {
  const checks = { pkceCodeVerifier: VERIFIER };
  const tokens = await openid.authorizationCodeGrant(application.config, callback, checks);
  return decodeJwt(tokens.id_token ?? '');
}

/** Opens the URL and follows redirects until an interaction page is shown or the browser leaves the site. */
async function follow(browser: OAuthBrowser, address: URL | string): Promise<{ url: URL; page: string | null }> {
  let url = new URL(address, site.url);
  for (let step = 0; step < 10; step++) {
    const response = await browser.get(url);
    const location = response.headers.get('location');
    if (location === null) return { url, page: await response.text() };
    url = new URL(location, url);
    if (url.origin !== site.url) return { url, page: null };
  }
  throw new Error('The redirects did not end.');
}

test('asks for consent to a web application once per browser', async () => {
  const person = await makePerson(site);
  await person.browser.authorize(begin());
  const again = await follow(person.browser, begin());
  assert.equal(again.page, null);
  assert.equal((await subjectOf(again.url)).sub, person.id);
  assert.equal((await listGrants(site.identity, person.id)).length, 1);
  const silently = await follow(person.browser, begin({ prompt: 'none' }));
  assert.ok(silently.url.searchParams.get('code'));
});

test('asks for consent again for more scopes or with prompt=consent', async () => {
  const person = await makePerson(site);
  await person.browser.authorize(begin());
  for (const parameters of [{ scope: 'openid email' }, { prompt: 'consent' }, { scope: 'openid offline_access' }]) {
    const { page } = await follow(person.browser, begin(parameters));
    assert.match(page ?? '', /Allow Example application/, JSON.stringify(parameters));
  }
});

test('requires a login after a sign-out', async () => {
  const person = await makePerson(site);
  await person.browser.authorize(begin());
  const session = person.browser.cookies.find(({ name }) => name === '__Host-almanac_session');
  await endSession(site.identity, session?.value ?? '');
  const { page } = await follow(person.browser, begin());
  assert.match(page ?? '', /type="password"/);
  const silently = await follow(person.browser, begin({ prompt: 'none' }));
  assert.equal(silently.url.searchParams.get('error'), 'login_required');
});

test('follows a sign-in to another account', async () => {
  const ann = await makePerson(site);
  await ann.browser.authorize(begin());
  const bob = await makeAccount(site.identity);
  const { cookie = '' } = await withSession(site.identity, bob.email);
  const provider = ann.browser.cookies.filter(({ name }) => name.startsWith('__Host-almanac_oauth'));
  assert.equal(provider.length, 2);
  // Ann's browser with Bob's session: only the provider's own session is still Ann's.
  const shared = oauthBrowser(site.url, cookie, provider);
  const { page } = await follow(shared, begin());
  assert.match(page ?? '', new RegExp(`Allow.*${bob.email}`, 's'), 'Bob has to consent');
  const callback = await shared.authorize(begin());
  assert.equal((await subjectOf(callback)).sub, bob.id);
  assert.equal((await listGrants(site.identity, ann.id)).length, 1);
  assert.equal((await listGrants(site.identity, bob.id)).length, 1);
});

test('accepts consent only from the account that was asked', async () => {
  const ann = await makePerson(site);
  const asked = await follow(ann.browser, begin());
  assert.match(asked.page ?? '', /Allow Example application/);
  const session = ann.browser.cookies.find(({ name }) => name === '__Host-almanac_session');
  await endSession(site.identity, session?.value ?? '');
  const answered = await ann.browser.post(asked.url, { decision: 'allow' });
  assert.equal(answered.headers.get('location'), asked.url.pathname, 'back to the interaction page');
  const { page } = await follow(ann.browser, asked.url);
  assert.match(page ?? '', /type="password"/);
  assert.deepEqual(await listGrants(site.identity, ann.id), []);
});

test('the provider checks the account that gives consent, whatever page sends the form', async () => {
  const ann = await makePerson(site);
  const asked = await follow(ann.browser, begin());
  const sent = ann.browser.cookies.filter(({ path }) => asked.url.pathname.startsWith(path));
  const cookie = sent.map(({ name, value }) => `${name}=${value}`).join('; ');
  const request = Object.assign(new IncomingMessage(new Socket()), { url: asked.url.pathname, headers: { cookie } });
  const response = new ServerResponse(request);
  const oauthFor = (sessionSecret: () => string | undefined) =>
    openOAuth(site.identity, {
      siteUrl: () => site.url,
      log: createLog('silent'),
      sessionSecret,
      getDocument: () => Promise.reject(new Error('no document is read')),
      errorPage: () => ({ html: '', headers: {} }),
    });
  const bob = await makeAccount(site.identity);
  const { cookie: bobs = '' } = await withSession(site.identity, bob.email);
  for (const session of [undefined, bobs.split('=')[1]]) {
    const oauth = oauthFor(() => session);
    assert.equal((await oauth.readInteraction(request, response))?.prompt, 'login');
    assert.equal(await oauth.grantConsent(request, response), asked.url.pathname);
  }
  assert.deepEqual([await listGrants(site.identity, ann.id), await listGrants(site.identity, bob.id)], [[], []]);
});

test('an application can require the password again', async () => {
  const person = await makePerson(site);
  await person.browser.authorize(begin());
  for (const parameters of [{ prompt: 'login' }, { max_age: '0' }]) {
    const asked = await follow(person.browser, begin(parameters));
    assert.match(asked.page ?? '', /type="password"/, JSON.stringify(parameters));
    const signedIn = await person.browser.post(asked.url, { email: person.email, password: PASSWORD });
    const back = await follow(person.browser, signedIn.headers.get('location') ?? '');
    assert.ok(back.url.searchParams.get('code'));
  }
});

test('an application with id_token_hint gets that account or login_required', async () => {
  const [ann, bob] = [await makePerson(site), await makePerson(site)];
  const tokens = await openid.authorizationCodeGrant(
    application.config,
    await ann.browser.authorize(begin({ scope: 'openid email' })),
    { pkceCodeVerifier: VERIFIER },
  );
  const id_token_hint = tokens.id_token ?? '';
  const hers = await follow(ann.browser, begin({ id_token_hint }));
  assert.equal((await subjectOf(hers.url)).sub, ann.id);

  const error = ({ url }: { url: URL }) => url.searchParams.get('error');
  const signIn = async (browser: OAuthBrowser, email: string) => {
    const asked = await follow(browser, begin({ id_token_hint, prompt: 'consent' }));
    assert.match(asked.page ?? '', /type="password"/, 'another signed-in account is not enough');
    assert.ok(asked.page?.includes(`value="${ann.email}"`), 'the account that the application expects');
    assert.deepEqual(
      await tablesContaining(fixture.database, id_token_hint),
      [],
      'the hint is not stored with its signature',
    );
    const signedIn = await browser.post(asked.url, { email, password: PASSWORD });
    return follow(browser, signedIn.headers.get('location') ?? '');
  };
  assert.equal(error(await follow(bob.browser, begin({ id_token_hint, prompt: 'none' }))), 'login_required');
  for (const browser of [bob.browser, oauthBrowser(site.url)]) {
    assert.equal(error(await signIn(browser, bob.email)), 'login_required');
  }
  assert.deepEqual(await listGrants(site.identity, bob.id), []);
  // Now the provider's session is Bob's as well.
  await bob.browser.authorize(begin());
  assert.equal(error(await follow(bob.browser, begin({ id_token_hint, prompt: 'none' }))), 'login_required');
  const consent = await signIn(bob.browser, ann.email);
  assert.match(consent.page ?? '', new RegExp(`Allow.*${ann.email}`, 's'));
  const answered = await bob.browser.post(consent.url, { decision: 'allow' });
  const { url } = await follow(bob.browser, answered.headers.get('location') ?? '');
  assert.equal((await subjectOf(url)).sub, ann.id);
});

test('reports the time of the sign-in to an application that requests it', async () => {
  const person = await makePerson(site);
  const tenMinutesAgo = new Date(Date.now() - 600_000);
  await fixture.database
    .query<OAuthTables>()
    .updateTable('browser_session')
    .set({ created_at: tenMinutesAgo })
    .where('account_id', '=', person.id)
    .execute();
  const readAuthTime = async (callback: URL) => {
    const checks = { pkceCodeVerifier: VERIFIER, maxAge: 3_600 };
    const tokens = await openid.authorizationCodeGrant(application.config, callback, checks);
    return Number(decodeJwt(tokens.id_token ?? '').auth_time);
  };
  const first = await readAuthTime(await person.browser.authorize(begin({ max_age: '3600' })));
  assert.equal(first, Math.floor(tenMinutesAgo.getTime() / 1_000));

  const asked = await follow(person.browser, begin({ max_age: '300' }));
  assert.match(asked.page ?? '', /type="password"/, 'the sign-in is too old');
  const earliest = Math.floor(Date.now() / 1_000);
  const signedIn = await person.browser.post(asked.url, { email: person.email, password: PASSWORD });
  const back = await follow(person.browser, signedIn.headers.get('location') ?? '');
  assert.ok((await readAuthTime(back.url)) >= earliest, 'the time of the second sign-in');
});

test('completes an interaction once, in its own browser', async () => {
  const [ann, bob] = [await makePerson(site), await makePerson(site)];
  const asked = await follow(ann.browser, begin());
  const elsewhere = await bob.browser.get(asked.url);
  assert.match(await elsewhere.text(), /expired|over/i);
  const taken = await bob.browser.post(asked.url, { decision: 'allow' });
  assert.equal(taken.headers.get('location'), null);
  const clicks = await Promise.all([1, 2].map(() => ann.browser.post(asked.url, { decision: 'allow' })));
  const first = await follow(ann.browser, clicks[0]?.headers.get('location') ?? '');
  assert.ok(first.url.searchParams.get('code'));
  const second = await follow(ann.browser, clicks[1]?.headers.get('location') ?? '');
  assert.equal(second.url.searchParams.get('code'), null);
  for (const decision of ['allow', 'deny']) {
    const late = await ann.browser.post(asked.url, { decision });
    assert.ok([404, 410].includes(late.status), `${late.status}`);
  }
  assert.equal((await listGrants(site.identity, ann.id)).length, 1);
  assert.deepEqual(await listGrants(site.identity, bob.id), []);
});

test('a forged cookie gives no access', async () => {
  const ann = await makePerson(site);
  const asked = await follow(ann.browser, begin());
  const uid = asked.url.pathname.split('/').at(-1) ?? '';
  const forged = [
    { name: 'almanac_interaction', value: uid, path: '/' },
    { name: 'almanac_interaction.sig', value: 'x'.repeat(27), path: '/' },
    { name: 'almanac_resume', value: uid, path: '/' },
  ];
  const thief = oauthBrowser(site.url, undefined, forged);
  assert.match(await (await thief.get(asked.url)).text(), /expired|over/i);
  const resumed = await thief.get(`/auth/oauth/authorize/${uid}`);
  assert.equal(resumed.status, 400);
  assert.match(await resumed.text(), /expired/);
});

test('cookies of the provider have the same attributes as the session cookie', async () => {
  const person = await makePerson(site);
  const lines: string[] = [];
  let url = begin();
  for (let step = 0; step < 3; step++) {
    const response = await person.browser.get(url);
    lines.push(...response.headers.getSetCookie());
    url = new URL(response.headers.get('location') ?? '', url);
  }
  const set = lines.filter((line) => !line.includes('1970'));
  assert.ok(set.some((line) => line.startsWith('__Host-almanac_oauth=')));
  for (const line of set) {
    for (const attribute of [/; secure/i, /; httponly/i, /; samesite=lax/i]) assert.match(line, attribute);
    assert.doesNotMatch(line, /; domain=/i);
    if (line.startsWith('__Host-')) assert.match(line, /; path=\/;/i);
    else assert.match(line, /; path=\/auth\/(interaction|oauth\/authorize)\/[\w-]{43};/i);
  }
});
