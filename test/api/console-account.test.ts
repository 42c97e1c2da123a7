import assert from 'node:assert/strict';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { recordBounce } from '../../src/identity/index.ts';
import { requestAs } from '../support/api/request-as.ts';
import { makeFeed } from '../support/feeds/make-feed.ts';
import { makeAccount, PASSWORD, withGuest, withKey } from '../support/identity/callers.ts';
import { makeGrant } from '../support/identity/make-grant.ts';
import type { PageVisitor } from '../support/identity/page-visitor.ts';
import { openPages } from '../support/identity/pages.ts';
import { linkIn, sendMails } from '../support/identity/sent-links.ts';
import { forEachDatabase, type TestDatabase } from '../support/platform/database.ts';

const options = { migrations: MIGRATIONS, queue: true };
const onPglite = { ...options, only: 'pglite' } as const;
const HOSTILE = '<img src=x onerror="alert(1)">';
const ACCOUNT = '/auth/account';
const PARTS = ['usage', 'keys', 'feeds', 'feeds/new', 'applications', 'sessions', 'password', 'security'];

async function open(fixture: TestDatabase, spec: Parameters<typeof makeAccount>[1] = {}) {
  const api = await openPages(fixture);
  const account = await makeAccount(api.identity, spec);
  const signIn = async (userAgent: string, email = account.email): Promise<PageVisitor> => {
    const browser = api.visitor();
    const headers = { 'user-agent': userAgent };
    assert.equal((await browser.post('/auth/sign-in', { email, password: PASSWORD }, { headers })).status, 303);
    return browser;
  };
  return { ...api, account, signIn };
}

/** Returns the ids in the forms and links of an action, in order. */
function idsOf(body: string, action: string): string[] {
  const path = `/auth/account/${action}`;
  const pattern = new RegExp(
    `action="${path}"[^>]*><input type="hidden" name="id" value="([^"]+)"|href="${path}\\?id=([^"]+)"`,
    'g',
  );
  return [...body.matchAll(pattern)].map(([, inForm, inLink]) => decodeURIComponent(inForm ?? inLink ?? ''));
}

/** Returns the value of a hidden field. */
function hiddenIn(body: string, name: string): string {
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(body)?.[1] ?? '';
}

forEachDatabase('lists browsers and can sign out each of the others', options, async (fixture) => {
  const { signIn } = await open(fixture);
  const [here, phone, hostile] = [
    await signIn('Firefox/1 Linux'),
    await signIn('Firefox/1 Android'),
    await signIn(HOSTILE),
  ];
  const path = `${ACCOUNT}/sessions`;
  const page = await here.get(path);
  assert.match(page.text, /Signed-in browsers .*Firefox on Android .*Firefox on Linux this one/);
  assert.ok(!page.body.includes('<img'), 'the user agent is rendered as text');
  const ids = idsOf(page.body, 'sessions/end');
  assert.equal(ids.length, 2, 'the current browser has no button');

  // Newest first: the hostile browser, then the phone.
  const ended = await here.post(`${path}/end`, { id: String(ids[1]) });
  assert.deepEqual([ended.status, ended.location], [303, path]);
  assert.match((await here.get(path)).text, /That browser is signed out\./);
  assert.equal((await phone.get(ACCOUNT)).status, 401);
  assert.equal((await hostile.get(ACCOUNT)).status, 200);
  await here.post(`${path}/end`, { id: String(ids[1]) });
  assert.match((await here.get(path)).text, /This was already done/);
  await here.post(`${path}/end-others`, {});
  assert.equal((await hostile.get(ACCOUNT)).status, 401);
  const last = await here.get(path);
  assert.match(last.text, /Every other browser is signed out\./);
  assert.deepEqual(idsOf(last.body, 'sessions/end'), []);
  assert.doesNotMatch(last.text, /Sign out everywhere else/);
});

forEachDatabase('changing the password signs out the other browsers', onPglite, async (fixture) => {
  const { signIn, account, visitor } = await open(fixture);
  const [here, there] = [await signIn('a'), await signIn('b')];
  const next = 'another horse battery';
  const path = `${ACCOUNT}/password`;
  for (const [fields, words] of [
    [{}, /Enter your current password\..*Choose a new password\./],
    [{ current: 'wrong', next }, /The current password is not the password of this account\./],
    [{ current: PASSWORD, next: 'short' }, /The new password must have 10 to 1024 characters\./],
    [{ current: PASSWORD, next: PASSWORD }, /The new password must differ from the current password\./],
    [{ current: PASSWORD, next: 'x'.repeat(2_000) }, /The new password must/],
  ] as const) {
    const page = await here.post(path, fields);
    assert.equal(page.status, 400);
    assert.match(page.text, words);
    assert.match(page.body, /<h2>There is a problem<\/h2>/);
    for (const typed of Object.values(fields)) assert.ok(!page.body.includes(`value="${typed}"`));
  }
  assert.equal((await there.get(ACCOUNT)).status, 200, 'nothing has changed');
  const done = await here.post(path, { current: PASSWORD, next });
  assert.equal(done.location, ACCOUNT);
  assert.match((await here.get(ACCOUNT)).text, /Your password has been changed\./);
  assert.match((await here.get(`${ACCOUNT}/security`)).text, /The password was changed/);
  assert.equal((await there.get(ACCOUNT)).status, 401);
  assert.equal((await visitor().post('/auth/sign-in', { email: account.email, password: next })).status, 303);
});

forEachDatabase('confirms an address by a link that can be sent again', options, async (fixture) => {
  const api = await open(fixture, { verified: false });
  const browser = await api.signIn('a');
  assert.match(
    (await browser.get(ACCOUNT)).text,
    /not confirmed This service has no mail server: .*Send the email again/,
  );
  assert.equal((await browser.post(`${ACCOUNT}/verification`, {})).location, ACCOUNT);
  assert.match(
    (await browser.get(ACCOUNT)).text,
    /This service has no mail server: its operator finds the email in the log of the service\. Open the link/,
  );
  const [mail] = await sendMails(api);
  assert.ok(mail);
  const link = linkIn(mail);
  const token = new URL(link, 'http://site.invalid').searchParams.get('token') ?? '';
  const elsewhere = api.visitor();
  assert.match((await elsewhere.get(link)).text, new RegExp(`Confirm that ${api.account.email} is your address\\.`));
  assert.equal((await elsewhere.post('/auth/verify', { token })).location, '/auth/sign-in');
  assert.match((await elsewhere.get('/auth/sign-in')).text, /Your email address is confirmed\./);
  assert.equal((await elsewhere.post('/auth/verify', { token })).status, 410);
  const page = await browser.get(ACCOUNT);
  assert.match(page.text, new RegExp(`${api.account.email} confirmed`));
  assert.doesNotMatch(page.text, /Send the email again/);
  await browser.post(`${ACCOUNT}/verification`, {});
  assert.match((await browser.get(ACCOUNT)).text, /This was already done/);
  assert.deepEqual(await sendMails(api), [], 'no more emails are sent');
  await recordBounce(fixture.database, {
    accountId: api.account.id,
    email: api.account.email,
    now: api.identity.clock.now(),
  });
  assert.match((await browser.get(ACCOUNT)).text, /emails bounce .*Send the email again/);
});

forEachDatabase(
  'makes a key whose secret is shown once, and revokes it after a question',
  onPglite,
  async (fixture) => {
    const { app, identity, signIn } = await open(fixture);
    const browser = await signIn('a');
    const path = `${ACCOUNT}/keys`;
    const empty = await browser.get(path);
    assert.match(empty.text, /You have no API keys .*Make the key/);
    const form = { key: hiddenIn(empty.body, 'key'), expires: '30', 'scope-account-read': 'on' };
    for (const [fields, words] of [
      [{ ...form, name: '' }, /Name must/],
      [{ ...form, name: 'x'.repeat(101) }, /Name must/],
      [{ key: form.key, expires: '30', name: 'mine' }, /Choose at least one scope\./],
      [{ ...form, name: 'mine', expires: '<b>' }, /Expiry must be a date/],
    ] as const) {
      const refused = await browser.post(path, fields);
      assert.equal(refused.status, 400, refused.text);
      assert.match(refused.text, words);
      assert.ok(refused.body.includes(`value="${fields.name}"`) || fields.name === '', 'what was typed is kept');
      assert.ok(!refused.body.includes('<b>'));
    }
    const made = await browser.post(path, { ...form, name: HOSTILE });
    const [secret = ''] = /alm_pat_\w+/.exec(made.body) ?? [];
    assert.deepEqual([made.status, made.headers['cache-control']], [201, 'no-store']);
    assert.ok(!made.body.includes('<img'));
    const again = await browser.post(path, { ...form, name: HOSTILE });
    assert.equal(again.status, 200);
    assert.match(again.text, /This form has already made the key .*Its secret was shown once/);
    assert.ok(!again.body.includes(secret) && !again.body.includes('<img'), 'a secret is shown once');
    const key = { authorization: `Bearer ${secret}` };
    const { data } = await requestAs(app, key)<{ token_scopes: string[] }>('GET', '/v1/me/access');
    assert.deepEqual(data.token_scopes, ['account:read']);

    const list = await browser.get(path);
    assert.ok(!list.body.includes(secret) && !list.body.includes('<img'));
    assert.match(list.text, /Read and manage the account/);
    const ids = idsOf(list.body, 'keys/revoke');
    assert.equal(ids.length, 1);
    const question = await browser.get(`${path}/revoke?id=${ids[0]}`);
    assert.match(question.text, /Revoke the key .*Keys and feeds that were created with it stop working/);
    assert.equal((await requestAs(app, key)('GET', '/v1/me/access')).status, 200, 'the question changes nothing');
    const foreign = await withKey(identity, (await makeAccount(identity)).id);
    const { data: theirs } = await requestAs(app, foreign)<{ api_keys: { id: string }[] }>('GET', '/v1/me/api-keys');
    await browser.post(`${path}/revoke`, { id: String(theirs.api_keys[0]?.id) });
    assert.match((await browser.get(path)).text, /This was already done/);
    assert.equal((await requestAs(app, foreign)('GET', '/v1/me/access')).status, 200);
    assert.equal((await browser.post(`${path}/revoke`, { id: String(ids[0]) })).location, path);
    assert.match((await browser.get(path)).text, /The API key is revoked\./);
    assert.equal((await requestAs(app, key)('GET', '/v1/me/access')).code, 'UNAUTHENTICATED');
    assert.equal((await browser.get(`${path}/revoke?id=${ids[0]}`)).location, path);
    const revoked = await browser.post(path, { ...form, name: HOSTILE });
    assert.match(revoked.text, /no longer works: it was revoked/);
    assert.doesNotMatch(revoked.body, /alm_pat_|is ready/);
  },
);

forEachDatabase('makes feeds of series, lists and deletes them', onPglite, async (fixture) => {
  const { app, identity, signIn } = await open(fixture);
  const browser = await signIn('a');
  const series = { source: 'economic_series', provider: 'bundled', series_id: 'us-cpi' };
  const address = `${ACCOUNT}/feeds/new?${new URLSearchParams(series)}`;
  assert.ok(
    (await browser.get(`/series?${new URLSearchParams(series)}`)).body.includes(
      `href="${address.replaceAll('&', '&amp;')}`,
    ),
  );
  const page = await browser.get(address);
  assert.match(page.text, /Make the feed/);
  const fields = { ...series, key: hiddenIn(page.body, 'key'), name: 'Prices' };
  const refused = await browser.post(`${ACCOUNT}/feeds/new`, { ...fields, name: 'x'.repeat(101) });
  assert.equal(refused.status, 400);
  assert.match(refused.text, /Name must/);
  const made = await browser.post(`${ACCOUNT}/feeds/new`, fields);
  assert.equal(made.status, 201, made.text);
  const [url = ''] = /http[^<]*\/v1\/feeds\/[\w-]+/.exec(made.body) ?? [];
  const again = await browser.post(`${ACCOUNT}/feeds/new`, fields);
  assert.match(again.text, /already made the feed Prices ?\. Its address was shown once/);
  assert.ok(!again.body.includes(url), 'an address is shown once');
  const read = () => app.inject({ url: new URL(url).pathname });
  assert.equal((await read()).statusCode, 200);
  const list = await browser.get(`${ACCOUNT}/feeds`);
  assert.match(list.text, /Prices .*us-cpi/);
  assert.ok(!list.body.includes(url));
  const [id = ''] = idsOf(list.body, 'feeds/delete');
  assert.match((await browser.get(`${ACCOUNT}/feeds/delete?id=${id}`)).text, /Delete the feed Prices\?/);
  await browser.post(`${ACCOUNT}/feeds/delete`, { id });
  assert.match((await browser.get(`${ACCOUNT}/feeds`)).text, /The feed is deleted\./);
  assert.equal((await read()).statusCode, 404);
  for (const [query, status] of [
    ['?source=economic_series&provider=bundled&series_id=none', 404],
    ['?forecast=none', 404],
    ['?source=market', 400],
    ['?source=other', 200],
  ] as const)
    assert.equal((await browser.get(`${ACCOUNT}/feeds/new${query}`)).status, status, query);

  const free = await makeAccount(identity, { plan: 'free' });
  await makeFeed(identity, free.id);
  const poor = await signIn('b', free.email);
  const shown = await poor.get(`${ACCOUNT}/feeds`);
  assert.match(shown.text, /Your plan does not include this/);
  assert.doesNotMatch(shown.body, /feeds\/new/);
  assert.equal(idsOf(shown.body, 'feeds/delete').length, 1, 'an old feed can be deleted');
  assert.equal((await poor.get(address)).status, 403);
  assert.equal((await poor.post(`${ACCOUNT}/feeds/new`, fields)).status, 403);
  const early = await poor.get(`${ACCOUNT}/keys`);
  assert.match(early.text, /You can make one now; it works once your plan includes them.*Make the key/);
  const unusable = await poor.post(`${ACCOUNT}/keys`, {
    key: hiddenIn(early.body, 'key'),
    name: 'early',
    'scope-account-read': 'on',
    expires: '30',
  });
  assert.equal(unusable.status, 201);
  assert.match(unusable.text, /This key works once your plan is Pro or Enterprise/);
  assert.doesNotMatch(unusable.text, /is ready/);
  assert.ok(!(await poor.get(`/series?${new URLSearchParams(series)}`)).body.includes('feeds/new'));
});

forEachDatabase('revokes the access of an application after a question', onPglite, async (fixture) => {
  const { identity, account, signIn } = await open(fixture);
  const browser = await signIn('a');
  const path = `${ACCOUNT}/applications`;
  assert.match((await browser.get(path)).text, /No application can use your account/);
  const id = await makeGrant(identity, account.id, HOSTILE.slice(0, 60));
  const list = await browser.get(path);
  assert.ok(!list.body.includes('<img'));
  assert.deepEqual(idsOf(list.body, 'applications/revoke'), [id]);
  assert.match((await browser.get(`${path}/revoke?id=${id}`)).text, /Revoke the access of/);
  const foreign = await makeGrant(identity, (await makeAccount(identity)).id);
  await browser.post(`${path}/revoke`, { id: foreign });
  assert.match((await browser.get(path)).text, /This was already done/);
  await browser.post(`${path}/revoke`, { id });
  assert.match((await browser.get(path)).text, /can no longer use your account.*No application can use/);
});

forEachDatabase('shows usage over time, and what is wrong with a range', onPglite, async (fixture) => {
  const { signIn } = await open(fixture);
  const browser = await signIn('a');
  const path = `${ACCOUNT}/usage`;
  const days = await browser.get(path);
  assert.match(days.text, /No credits were used in 30 days\./);
  assert.equal(days.body.match(/<tbody>.*<\/tbody>/s)?.[0].match(/<tr>/g)?.length, 30);
  assert.match((await browser.get(`${path}?interval=month`)).text, /in 12 months\./);
  for (const [query, words] of [
    ['from=2026-02-02&to=2026-01-01', /First day must not be after “Last day”/],
    ['from=1990-01-01', /First day must be fewer than 400 days before/],
    ['from=yesterday', /First day must be a date/],
    ['from=2999-01-01', /First day must not be after today/],
    ['interval=week', /By: choose one from the list/],
    ['to=%00', /Last day must be a date/],
  ] as const) {
    const page = await browser.get(`${path}?${query}`);
    assert.equal(page.status, 400, query);
    assert.match(page.text, words);
  }
});

forEachDatabase('pages security events', onPglite, async (fixture) => {
  const { signIn, account, identity } = await open(fixture);
  for (let i = 0; i < 26; i++) await withKey(identity, account.id, undefined, { name: `key ${i}` });
  const browser = await signIn('a');
  const path = `${ACCOUNT}/security`;
  const first = await browser.get(path);
  assert.match(first.text, /Signed in .*An API key was created/);
  const [, next = ''] = /href="(\/auth\/account\/security\?cursor=[^"]+)"/.exec(first.body) ?? [];
  assert.match((await browser.get(next)).text, /The account was created.*Newest events/);
  assert.equal((await browser.get(`${path}?cursor=x`)).status, 400);
});

forEachDatabase('visitors without an account learn what the pages are for', onPglite, async (fixture) => {
  const { visitor, identity, account, signIn } = await open(fixture);
  const { authorization } = await withKey(identity, account.id);
  const guest = await withGuest(identity);
  for (const [headers, status] of [
    [{}, 401],
    [{ authorization }, 401],
    [{ cookie: '__Host-almanac_session=alm_ses_wrong' }, 401],
    [guest, 403],
  ] as const) {
    for (const path of [ACCOUNT, ...PARTS.map((part) => `${ACCOUNT}/${part}`)]) {
      const page = await visitor().get(path, { headers });
      assert.equal(page.status, status, path);
      assert.ok(page.body.includes(`href="/auth/sign-in?return_to=${encodeURIComponent(path)}"`), path);
      assert.doesNotMatch(page.body, /<form[^>]*method="post"/);
    }
    for (const action of [
      'password',
      'verification',
      'sessions/end',
      'sessions/end-others',
      'keys',
      'keys/revoke',
      'feeds/new',
    ]) {
      const reply = await visitor().post(`${ACCOUNT}/${action}`, { id: 'x' }, { headers });
      assert.equal(reply.status, status, action);
    }
  }
  const browser = await signIn('a');
  for (const action of ['sessions/end', 'applications/revoke', 'keys/revoke', 'feeds/delete']) {
    for (const id of ['', 'x', 'x'.repeat(5_000), '\u0000']) {
      const { status, location } = await browser.post(`${ACCOUNT}/${action}`, { id });
      assert.deepEqual([status, location], [303, `${ACCOUNT}/${action.split('/')[0]}`]);
    }
  }
});
