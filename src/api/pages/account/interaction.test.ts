import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { SITE_URL } from '../../../../test/support/api/api.ts';
import { makeAccount, PASSWORD } from '../../../../test/support/identity/callers.ts';
import type { PageReply, PageVisitor } from '../../../../test/support/identity/page-visitor.ts';
import { openPages } from '../../../../test/support/identity/pages.ts';
import { forEachDatabase, type TestDatabase } from '../../../../test/support/platform/database.ts';
import { MIGRATIONS } from '../../../compose/index.ts';
import { createClient } from '../../../identity/index.ts';

const options = { migrations: MIGRATIONS, queue: true };
const onPglite = { ...options, only: 'pglite' } as const;
const CALLBACK = 'https://charts.example/callback';
const NAVIGATION = { headers: { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'same-origin' } };

async function open(fixture: TestDatabase, client: Partial<Parameters<typeof createClient>[1]> = {}) {
  const pages = await openPages(fixture);
  const { client_id } = await createClient(pages.identity, {
    name: 'Harbor Charts',
    redirectUris: [CALLBACK],
    uri: 'https://charts.example/about',
    ...client,
  });
  const request = new URLSearchParams({
    client_id,
    response_type: 'code',
    redirect_uri: client.redirectUris?.[0] ?? CALLBACK,
    scope: 'openid email admin offline_access toString',
    resource: SITE_URL,
    code_challenge: createHash('sha256').update('a'.repeat(43)).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'kept',
  });
  /** Returns the path of the page to which the provider sends a browser. */
  const begin = async (browser: PageVisitor): Promise<string> => {
    const { status, location } = await browser.get(`/auth/oauth/authorize?${request}`);
    assert.equal(status, 303);
    return new URL(String(location), SITE_URL).pathname;
  };
  return { ...pages, begin };
}

/** Follows redirects within the site. */
async function follow(browser: PageVisitor, reply: PageReply): Promise<PageReply & { readonly url: URL }> {
  let [last, url] = [reply, new URL(SITE_URL)];
  while (last.location !== undefined) {
    url = new URL(last.location, url);
    if (url.origin !== SITE_URL) break;
    last = await browser.get(url.pathname + url.search);
  }
  return { ...last, url };
}

forEachDatabase('signs in and gives consent for an application over plain HTTP requests', options, async (fixture) => {
  const { identity, visitor, begin } = await open(fixture);
  const { email } = await makeAccount(identity);
  const browser = visitor();
  const path = await begin(browser);
  const asked = await browser.get(path);
  assert.match(asked.text, /Sign in to continue to Harbor Charts/);
  assert.match(String(asked.headers['content-security-policy']), /form-action 'self'$/);
  const wrong = await browser.post(path, { email, password: 'wrong' });
  assert.equal(wrong.status, 403);
  assert.match(wrong.text, /to continue to Harbor Charts There is a problem/);

  const consent = await follow(browser, await browser.post(path, { email, password: PASSWORD }));
  assert.match(
    consent.text,
    new RegExp(
      `Allow Harbor Charts to use your account\\? Your account ${email} .*https://charts\\.example/about .*sent to charts\\.example `,
    ),
  );
  assert.match(consent.text, /stay connected while you are away/);
  assert.doesNotMatch(consent.text, /see your name/, 'only requested scopes are listed');
  for (const words of [
    /use the Almanac API on your behalf/,
    /create API keys .*revoke any/,
    /webhooks, which send/,
    /sign out your browsers/,
  ])
    assert.match(consent.text, words, 'names everything that a token can do');
  assert.doesNotMatch(consent.text, /admin|toString/, 'nothing else is listed');
  assert.doesNotMatch(String(consent.headers['content-security-policy']), /form-action/);
  const back = await follow(browser, await browser.post(consent.url.pathname, { decision: 'allow' }));
  assert.equal(back.url.origin + back.url.pathname, CALLBACK);
  assert.ok(back.url.searchParams.get('code'));
  assert.equal(back.url.searchParams.get('state'), 'kept');
  const again = await browser.post(consent.url.pathname, { decision: 'allow' });
  assert.equal(again.status, 410, 'an interaction can be answered once');
  const late = await browser.get(consent.url.pathname.replace('/interaction/', '/oauth/authorize/'));
  assert.equal(late.status, 400);
  assert.match(late.text, /This request has expired .*Go back to the application/);
});

forEachDatabase(
  'a browser that checks redirects gets a page after the password; others are redirected directly',
  onPglite,
  async (fixture) => {
    const { identity, visitor, begin } = await open(fixture);
    const { email } = await makeAccount(identity);
    const browser = visitor();
    const path = await begin(browser);
    const page = await browser.post(path, { email, password: PASSWORD }, NAVIGATION);
    assert.equal(page.status, 200);
    const [, target] =
      /<meta http-equiv="refresh" content="0;url=(\/auth\/oauth\/authorize\/[\w-]+)">/.exec(page.body) ?? [];
    assert.ok(target && page.body.includes(`href="${target}"`), page.body);

    const other = visitor();
    const canceled = await other.post(await begin(other), { decision: 'deny' }, NAVIGATION);
    assert.match(canceled.body, /http-equiv="refresh"/);
    const signedIn = visitor();
    const interaction = await begin(signedIn);
    await signedIn.post('/auth/sign-in', { email, password: PASSWORD });
    const address = `/auth/signed-in?return_to=${encodeURIComponent(interaction)}`;
    assert.match((await signedIn.get(address, NAVIGATION)).body, new RegExp(`content="0;url=${interaction}"`));
    assert.equal((await signedIn.get(address)).location, interaction);
  },
);

forEachDatabase('returning to a program on the device needs a click', onPglite, async (fixture) => {
  const redirectUris = ['com.example.charts:/callback'];
  const { identity, visitor, begin } = await open(fixture, { redirectUris });
  const { email } = await makeAccount(identity);
  const browser = visitor();
  const page = await browser.post(await begin(browser), { email, password: PASSWORD }, NAVIGATION);
  assert.doesNotMatch(page.body, /http-equiv="refresh"/);
  const [, target = ''] = /class="button whole" href="([^"]+)"/.exec(page.body) ?? [];
  const consent = await follow(browser, await browser.get(target));
  assert.match(consent.text, /sent to a program on this device \(com\.example\.charts:\)/);
  const back = await follow(browser, await browser.post(consent.url.pathname, { decision: 'allow' }));
  assert.equal(back.url.protocol, 'com.example.charts:');
});

forEachDatabase('only the signed-in account can answer an interaction', onPglite, async (fixture) => {
  const { identity, visitor, begin } = await open(fixture);
  const [first, second] = [await makeAccount(identity), await makeAccount(identity)];
  const browser = visitor();
  await browser.post('/auth/sign-in', { email: first.email, password: PASSWORD });
  const { url } = await follow(browser, await browser.get(await begin(browser)));
  const allow = { decision: 'allow' };

  const foreign = await browser.post(url.pathname, allow, { headers: { origin: 'https://evil.example' } });
  assert.equal(foreign.status, 403);
  const stranger = visitor();
  await stranger.post('/auth/sign-in', { email: second.email, password: PASSWORD });
  for (const reply of [await stranger.get(url.pathname), await stranger.post(url.pathname, allow)]) {
    assert.equal(reply.status, 410);
    assert.match(reply.text, /This request has expired/);
  }
  const elsewhere = await browser.post('/auth/interaction/another', allow);
  assert.equal(elsewhere.status, 410);
  await browser.post('/auth/sign-out', {});
  const signedOut = await browser.post(url.pathname, allow);
  assert.deepEqual(
    [signedOut.status, signedOut.location],
    [303, url.pathname],
    'consent is requested again, and nothing was granted',
  );
  assert.match((await browser.get(url.pathname)).text, /Sign in to continue to Harbor Charts/);
});

forEachDatabase('renders the name of an application as text', onPglite, async (fixture) => {
  const { identity, visitor, begin } = await open(fixture, { name: '<script>alert("1")</script>' });
  const { email } = await makeAccount(identity);
  const browser = visitor();
  const path = await begin(browser);
  const asked = await browser.get(path);
  const consent = await follow(browser, await browser.post(path, { email, password: PASSWORD }));
  for (const { body } of [asked, consent]) {
    assert.ok(body.includes('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;'));
    assert.doesNotMatch(body, /<script/);
  }
});

forEachDatabase('shows errors of the provider as pages to browsers', onPglite, async (fixture) => {
  const { visitor } = await open(fixture);
  const path = '/auth/oauth/authorize?client_id=%3Cscript%3E&redirect_uri=https://evil.example';
  const page = await visitor().get(path, { headers: { accept: 'text/html' } });
  assert.equal(page.status, 400);
  assert.equal(page.location, undefined);
  assert.match(page.text, /sent an invalid request .*Error invalid_client/);
  assert.match(String(page.headers['content-security-policy']), /^default-src 'none'; style-src 'sha256-/);
  assert.match(String(page.headers['content-type']), /^text\/html/);
  assert.doesNotMatch(page.body, /<script/);
});
