import assert from 'node:assert/strict';
import { requestAs } from '../../../../test/support/api/request-as.ts';
import { makeAccount, PASSWORD, withKey } from '../../../../test/support/identity/callers.ts';
import type { PageVisitor } from '../../../../test/support/identity/page-visitor.ts';
import { openPages } from '../../../../test/support/identity/pages.ts';
import { linkIn, sendMails } from '../../../../test/support/identity/sent-links.ts';
import { forEachDatabase, type TestDatabase } from '../../../../test/support/platform/database.ts';
import { MIGRATIONS } from '../../../compose/index.ts';

const options = { migrations: MIGRATIONS, queue: true };
const onPglite = { ...options, only: 'pglite' } as const;
const HOSTILE = '<img src=x onerror="alert(1)">';

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

/** Returns the ids in the forms of an action, in order. */
function idsOf(body: string, action: string): string[] {
  const pattern = new RegExp(
    `action="/auth/account/${action}"[^>]*><input type="hidden" name="id" value="([^"]+)"`,
    'g',
  );
  return [...body.matchAll(pattern)].map(([, id]) => String(id));
}

forEachDatabase('lists browsers and can sign out each of the others', options, async (fixture) => {
  const { signIn, account } = await open(fixture);
  const [here, phone, hostile] = [
    await signIn('Firefox/1 Linux'),
    await signIn('Firefox/1 Android'),
    await signIn(HOSTILE),
  ];
  const page = await here.get('/auth/account');
  assert.match(page.text, /Signed-in browsers .*Firefox on Android .*Firefox on Linux this one/);
  assert.ok(!page.body.includes('<img'), 'the user agent is rendered as text');
  const ids = idsOf(page.body, 'sessions/end');
  assert.equal(ids.length, 2, 'the current browser has no button');

  // Newest first: the hostile browser, then the phone.
  const ended = await here.post('/auth/account/sessions/end', { id: String(ids[1]) });
  assert.deepEqual([ended.status, ended.location], [303, '/auth/account']);
  assert.match((await here.get('/auth/account')).text, /That browser is signed out\./);
  assert.equal((await phone.get('/auth/account')).status, 303);
  assert.equal((await hostile.get('/auth/account')).status, 200);
  await here.post('/auth/account/sessions/end', { id: String(ids[1]) });
  assert.match((await here.get('/auth/account')).text, /This was already done/);
  await here.post('/auth/account/sessions/end-others', {});
  assert.equal((await hostile.get('/auth/account')).status, 303);
  const last = await here.get('/auth/account');
  assert.match(last.text, new RegExp(`Every other browser is signed out\\. .*${account.email}`));
  assert.deepEqual(idsOf(last.body, 'sessions/end'), []);
  assert.doesNotMatch(last.text, /Sign out everywhere else/);
});

forEachDatabase('changing the password signs out the other browsers', options, async (fixture) => {
  const { signIn, account, visitor } = await open(fixture);
  const [here, there] = [await signIn('a'), await signIn('b')];
  const next = 'another horse battery';
  for (const [fields, status, words] of [
    [{}, 400, /Enter your current password\..*Choose a new password\./],
    [{ current: 'wrong', next }, 403, /The current password is wrong\./],
    [{ current: PASSWORD, next: 'short' }, 400, /The new password must have 10 to 1024 characters\./],
    [{ current: PASSWORD, next: PASSWORD }, 400, /The new password must differ from the current password\./],
  ] as const) {
    const page = await here.post('/auth/account/password', fields);
    assert.equal(page.status, status);
    assert.match(page.text, words);
    assert.match(page.body, /<h3>There is a problem<\/h3>/);
    for (const typed of Object.values(fields)) assert.ok(!page.body.includes(`value="${typed}"`));
  }
  assert.equal((await there.get('/auth/account')).status, 200, 'nothing has changed');
  const done = await here.post('/auth/account/password', { current: PASSWORD, next });
  assert.equal(done.location, '/auth/account');
  assert.match((await here.get('/auth/account')).text, /Your password has been changed\..*The password was changed/);
  assert.equal((await there.get('/auth/account')).status, 303);
  assert.equal((await visitor().post('/auth/sign-in', { email: account.email, password: next })).status, 303);
});

forEachDatabase('confirms an address by a link that can be sent again', options, async (fixture) => {
  const api = await open(fixture, { verified: false });
  const browser = await api.signIn('a');
  assert.match((await browser.get('/auth/account')).text, /not confirmed .*Send the email again/);
  assert.equal((await browser.post('/auth/account/verification', {})).location, '/auth/account');
  assert.match((await browser.get('/auth/account')).text, /We sent you an email\./);
  const [mail] = await sendMails(api);
  assert.ok(mail);
  const link = linkIn(mail);
  const token = new URL(link, 'http://site.invalid').searchParams.get('token') ?? '';
  const elsewhere = api.visitor();
  assert.match((await elsewhere.get(link)).text, new RegExp(`Confirm that ${api.account.email} is your address\\.`));
  assert.equal((await elsewhere.post('/auth/verify', { token })).location, '/auth/sign-in');
  assert.match((await elsewhere.get('/auth/sign-in')).text, /Your email address is confirmed\./);
  assert.equal((await elsewhere.post('/auth/verify', { token })).status, 410);
  const page = await browser.get('/auth/account');
  assert.match(page.text, new RegExp(`${api.account.email} confirmed`));
  assert.doesNotMatch(page.text, /Send the email again/);
  await browser.post('/auth/account/verification', {});
  assert.deepEqual(await sendMails(api), [], 'no more emails are sent');
});

forEachDatabase('lists and revokes keys of the account, not those of others', onPglite, async (fixture) => {
  const { app, identity, account, signIn } = await open(fixture);
  const key = await withKey(identity, account.id, undefined, { name: HOSTILE });
  const stranger = await makeAccount(identity);
  const foreign = await withKey(identity, stranger.id);
  const browser = await signIn('a');
  const page = await browser.get('/auth/account');
  assert.ok(page.body.includes('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;') && !page.body.includes('<img'));
  const [id] = idsOf(page.body, 'keys/revoke');
  const [foreignId] = idsOf((await (await signIn('b', stranger.email)).get('/auth/account')).body, 'keys/revoke');
  await browser.post('/auth/account/keys/revoke', { id: String(foreignId) });
  assert.match((await browser.get('/auth/account')).text, /This was already done/);
  assert.equal((await requestAs(app, foreign)('GET', '/v1/me/access')).status, 200);
  await browser.post('/auth/account/keys/revoke', { id: String(id) });
  assert.match((await browser.get('/auth/account')).text, /The API key is revoked\./);
  assert.equal((await requestAs(app, key)('GET', '/v1/me/access')).code, 'UNAUTHENTICATED');
});

forEachDatabase('requires a sign-in for the account page and its actions', onPglite, async (fixture) => {
  const { visitor, identity, account } = await open(fixture);
  const { authorization } = await withKey(identity, account.id);
  for (const headers of [{}, { authorization }, { cookie: '__Host-almanac_session=alm_ses_wrong' }]) {
    const browser = visitor();
    assert.equal(
      (await browser.get('/auth/account', { headers })).location,
      '/auth/sign-in?return_to=%2Fauth%2Faccount',
    );
    for (const action of ['password', 'verification', 'sessions/end', 'sessions/end-others', 'keys/revoke'])
      assert.equal((await browser.post(`/auth/account/${action}`, {}, { headers })).status, 303, action);
  }
  for (const action of ['sessions/end', 'applications/revoke', 'keys/revoke']) {
    const browser = visitor();
    await browser.post('/auth/sign-in', { email: account.email, password: PASSWORD });
    for (const id of ['', 'x', 'x'.repeat(5_000), '\u0000']) {
      const { status, location } = await browser.post(`/auth/account/${action}`, { id });
      assert.deepEqual([status, location], [303, '/auth/account']);
    }
  }
});
