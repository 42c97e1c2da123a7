import assert from 'node:assert/strict';
import { requestAs } from '../../../../test/support/api/request-as.ts';
import { makeAccount, PASSWORD } from '../../../../test/support/identity/callers.ts';
import { openPages } from '../../../../test/support/identity/pages.ts';
import { forEachDatabase } from '../../../../test/support/platform/database.ts';
import { MIGRATIONS } from '../../../compose/index.ts';

const options = { migrations: MIGRATIONS, queue: true };
const onPglite = { ...options, only: 'pglite' } as const;
const SESSION = '__Host-almanac_session';

forEachDatabase('a sign-in continues at the return path, and a sign-out ends the session', options, async (fixture) => {
  const { identity, visitor } = await openPages(fixture);
  const { email } = await makeAccount(identity);
  const browser = visitor();

  const asked = await browser.get('/auth/account');
  assert.equal(asked.status, 401);
  assert.ok(asked.body.includes('href="/auth/sign-in?return_to=%2Fauth%2Faccount"'));
  const page = await browser.get('/auth/sign-in?return_to=/docs?a=b%26c=d');
  assert.match(page.body, /<input type="hidden" name="return_to" value="\/docs\?a=b&amp;c=d">/);
  const sent = await browser.post('/auth/sign-in', {
    email: ` ${email.toUpperCase()} `,
    password: PASSWORD,
    return_to: '/docs?a=b&c=d',
    unknown: 'is ignored',
  });
  assert.deepEqual([sent.status, sent.location], [303, '/auth/signed-in?return_to=%2Fdocs%3Fa%3Db%26c%3Dd']);
  assert.match(
    [sent.headers['set-cookie']].flat().join(),
    /^__Host-almanac_session=alm_ses_\w{49}; Max-Age=1209600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  assert.equal((await browser.get(String(sent.location))).location, '/docs?a=b&c=d');
  assert.match((await browser.get('/auth/account')).text, new RegExp(`Your account .*${email}`));
  assert.equal(
    (await browser.get('/auth/sign-in?return_to=/docs')).location,
    '/docs',
    'a signed-in browser continues directly',
  );

  assert.equal((await browser.get('/auth/sign-out')).status, 200);
  assert.ok(browser.cookies.has(SESSION), 'opening the page does not sign out');
  const out = await browser.post('/auth/sign-out', { return_to: '/docs' });
  assert.deepEqual([out.status, out.location], [303, '/auth/sign-in?return_to=%2Fdocs']);
  assert.ok(!browser.cookies.has(SESSION));
  const after = await browser.get(String(out.location));
  assert.match(after.text, /You are signed out\./);
  assert.doesNotMatch((await browser.get('/auth/sign-in')).text, /You are signed out\./, 'the notice is shown once');
});

forEachDatabase('every sign-in starts a new session and ends the previous one', onPglite, async (fixture) => {
  const { app, identity, visitor } = await openPages(fixture);
  const [first, second] = [await makeAccount(identity), await makeAccount(identity)];
  const browser = visitor();
  await browser.post('/auth/sign-in', { email: first.email, password: PASSWORD });
  const before = browser.cookies.get(SESSION);
  await browser.post('/auth/sign-in', { email: second.email, password: PASSWORD });
  assert.notEqual(browser.cookies.get(SESSION), before);
  const old = requestAs(app, { cookie: `${SESSION}=${before}` });
  assert.equal((await old('GET', '/v1/me/access')).code, 'UNAUTHENTICATED');
});

forEachDatabase('a wrong password and an unknown address get the same page', onPglite, async (fixture) => {
  const { identity, visitor } = await openPages(fixture);
  const known = await makeAccount(identity, { email: 'known@example.org' });
  const keysOnly = await makeAccount(identity, { email: 'withkeys@example.org', password: null });
  const pages = [];
  for (const email of [known.email, keysOnly.email, 'unknown@example.org']) {
    const browser = visitor();
    const { status, body, headers, text } = await browser.post('/auth/sign-in', { email, password: 'wrong horse' });
    assert.equal(status, 403);
    assert.match(text, /The email address or the password is wrong\./);
    assert.equal(headers['set-cookie'], undefined);
    assert.ok(!body.includes('wrong horse'), 'a password is never shown again');
    pages.push(body.replaceAll(email, 'ADDRESS'));
  }
  assert.equal(new Set(pages).size, 1);
});

forEachDatabase('shows errors beside their fields and keeps the entered address', onPglite, async (fixture) => {
  const { visitor } = await openPages(fixture);
  const hostile = '"><script>alert(1)</script>@example.org';
  for (const [fields, words, kept] of [
    [{}, ['Enter your email address.', 'Enter your password.'], ''],
    [{ email: 'a@b.example' }, ['Enter your password.'], 'a@b.example'],
    [{ email: '   ', password: 'x' }, ['Enter your email address.'], '   '],
    [{ email: 'a'.repeat(255), password: 'x' }, ['too long. Use at most 254'], 'a'.repeat(255)],
    [{ email: 'a@b.example', password: 'x'.repeat(1_025) }, ['too long. Use at most 1,024'], 'a@b.example'],
    [{ email: 'a\u0000@b.example', password: 'x' }, ['contains unsupported characters'], 'a\u0000@b.example'],
    [
      { email: hostile, password: '' },
      ['Enter your password.'],
      '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;@example.org',
    ],
  ] as const) {
    const { status, text, body } = await visitor().post('/auth/sign-in', fields);
    assert.equal(status, 400, JSON.stringify(fields).slice(0, 80));
    for (const word of words) assert.ok(text.includes(word), word);
    assert.match(body, /<title>Error: Sign in · Almanac<\/title>/);
    assert.match(body, /role="alert" tabindex="-1" autofocus/);
    assert.match(body, /<a href="#(?:email|password)">/);
    assert.match(body, /aria-invalid="true" aria-describedby="(?:email|password)-error"/);
    assert.ok(body.includes(`value="${kept}"`) || kept === '');
    assert.doesNotMatch(body, /<script/);
  }
});

forEachDatabase('refuses a return path to another site and changes nothing', onPglite, async (fixture) => {
  const { identity, visitor } = await openPages(fixture);
  const { email } = await makeAccount(identity);
  const hostile = ['//evil.example', 'https://evil.example', '/\\evil.example', '/\t/evil.example', '/.//evil.example'];
  for (const return_to of hostile) {
    const browser = visitor();
    const query = `?return_to=${encodeURIComponent(return_to)}`;
    for (const path of ['/auth/sign-in', '/auth/sign-up', '/auth/sign-out', '/auth/signed-in']) {
      const page = await browser.get(path + query);
      assert.deepEqual([page.status, page.location], [400, undefined], path + query);
      assert.match(page.text, /return_to: must be a path of this site/);
    }
    const sent = await browser.post('/auth/sign-in', { email, password: PASSWORD, return_to });
    assert.deepEqual([sent.status, sent.location, browser.cookies.size], [400, undefined, 0]);
  }
  const twice = await visitor().get('/auth/sign-in?return_to=/docs&return_to=/docs');
  assert.equal(twice.status, 400);
  const browser = visitor();
  const sent = await browser.post('/auth/sign-in', { email, password: PASSWORD, return_to: '/日本?ü=é#ö' });
  assert.equal((await browser.get(String(sent.location))).location, '/%E6%97%A5%E6%9C%AC?%C3%BC=%C3%A9#%C3%B6');
});

forEachDatabase('explains when the browser does not keep the cookie', onPglite, async (fixture) => {
  const { visitor } = await openPages(fixture);
  const page = await visitor().get('/auth/signed-in?return_to=/docs');
  assert.equal(page.status, 403);
  assert.match(page.text, /did not keep you signed in .* Allow cookies .* plain HTTP/);
  assert.match(page.body, /href="http:\/\/localhost:8080\/auth\/sign-in"/);
});

forEachDatabase('limits password attempts by form and API together', onPglite, async (fixture) => {
  const { app, identity, visitor } = await openPages(fixture);
  const { email } = await makeAccount(identity);
  const address = '198.51.100.7';
  for (let guess = 0; guess < 5; guess++) {
    await requestAs(app, {}, address)('POST', '/v1/sessions', { email, password: 'a wrong guess' });
    const { status } = await visitor().post('/auth/sign-in', { email, password: 'a wrong guess' }, { address });
    assert.equal(status, 403);
  }
  const page = await visitor().post('/auth/sign-in', { email, password: PASSWORD }, { address });
  assert.equal(page.status, 429);
  assert.match(String(page.headers['content-type']), /^text\/html/);
  assert.match(
    page.text,
    /Too many attempts .*Too many password attempts for this account\. Wait \d+ s and try again\./,
  );
  const seconds = Number(page.headers['retry-after']);
  assert.ok(seconds >= 1 && seconds <= 60);
  const elsewhere = await visitor().post('/auth/sign-in', { email, password: PASSWORD }, { address: '192.0.2.9' });
  assert.equal(elsewhere.status, 303, 'the owner can sign in from another network');
});
