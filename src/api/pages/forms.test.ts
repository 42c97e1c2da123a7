import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAccount, PASSWORD } from '../../../test/support/identity/callers.ts';
import { openPages } from '../../../test/support/identity/pages.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { MIGRATIONS } from '../../compose/index.ts';
import { Fault } from '../../contract/index.ts';
import { parseForm } from './forms.ts';

const onPglite = { migrations: MIGRATIONS, queue: true, only: 'pglite' } as const;

/** Every address that accepts a form. */
const FORMS = [
  '/auth/sign-in',
  '/auth/sign-out',
  '/auth/sign-up',
  '/auth/sign-up/confirm',
  '/auth/verify',
  '/auth/forgot',
  '/auth/reset',
  '/auth/interaction/x',
  '/auth/account/password',
  '/auth/account/verification',
  '/auth/account/sessions/end',
  '/auth/account/sessions/end-others',
  '/auth/account/applications/revoke',
  '/auth/account/keys/revoke',
];

forEachDatabase('every page refuses a form from another site', onPglite, async (fixture) => {
  const { identity, visitor } = await openPages(fixture);
  const { email } = await makeAccount(identity);
  const browser = visitor();
  await browser.post('/auth/sign-in', { email, password: PASSWORD });
  const session = browser.cookies.get('__Host-almanac_session');
  for (const path of FORMS) {
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://127.0.0.1:8081' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      const page = await browser.post(path, { email, password: PASSWORD }, { headers });
      assert.equal(page.status, 403, path);
      assert.match(page.text, /This request came from another site/);
      assert.match(String(page.headers['content-type']), /^text\/html/);
    }
  }
  assert.equal(browser.cookies.get('__Host-almanac_session'), session, 'the session did not change');
  assert.equal((await browser.get('/auth/account')).status, 200);
});

forEachDatabase('refuses a body that is not a form before reading it', onPglite, async (fixture) => {
  const { visitor } = await openPages(fixture);
  const send = (body: string, headers: Record<string, string> = {}) =>
    visitor().post('/auth/sign-in', body, { headers });
  for (const [reply, status, words] of [
    [await send('email=a&email=b'), 400, /email: appears twice/],
    [await send('email=a&%65mail=b'), 400, /email: appears twice/],
    [await send('email=a%40b.example&password=caf%E9+au+lait'), 400, /not valid UTF-8/],
    [await send('email=%3Cscript%3E&email=b&%3Cb%3E=1&%3Cb%3E=2'), 400, /email: appears twice/],
    [await send(`email=${'a'.repeat(48 * 1024)}`), 413, /too large/],
    [await send('{"email":"a"}', { 'content-type': 'application/json' }), 415, /x-www-form-urlencoded/],
    [await send('a', { 'content-type': 'multipart/form-data; boundary=x' }), 415, /x-www-form-urlencoded/],
    [await send('a', { 'content-type': 'text/plain' }), 415, /x-www-form-urlencoded/],
    [await send('a', { 'content-type': 'not a type' }), 415, /x-www-form-urlencoded/],
    [await send('email=a', { 'content-encoding': 'gzip' }), 415, /Content-Encoding/],
    [await send('email=a', { 'content-type': 'application/x-www-form-urlencoded; charset=latin1' }), 415, /UTF-8/],
  ] as const) {
    assert.equal(reply.status, status, reply.text);
    assert.match(reply.text, words);
    assert.match(String(reply.headers['content-type']), /^text\/html/);
    assert.match(String(reply.headers['content-security-policy']), /default-src 'none'/);
    assert.doesNotMatch(reply.body, /<script>|<b>/);
  }
});

forEachDatabase('every page has the security headers of pages', onPglite, async (fixture) => {
  const { app, identity, visitor } = await openPages(fixture);
  const { email } = await makeAccount(identity);
  const browser = visitor();
  const open = ['sign-in', 'sign-up', 'sign-up/sent', 'sign-up/confirm', 'verify', 'forgot', 'forgot/sent', 'reset'];
  const pages = await Promise.all([...open, 'signed-in', 'interaction/x'].map((path) => browser.get(`/auth/${path}`)));
  await browser.post('/auth/sign-in', { email, password: PASSWORD });
  pages.push(await browser.get('/auth/sign-out'));
  for (const { status, headers, body } of pages) {
    assert.ok([200, 403, 410].includes(status), body);
    assert.match(
      String(headers['content-security-policy']),
      /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; base-uri 'none'; frame-ancestors 'none'; form-action 'self'$/,
    );
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['referrer-policy'], 'same-origin');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['x-frame-options'], 'DENY');
    assert.equal(headers['content-type'], 'text/html; charset=utf-8');
    assert.ok(headers['ratelimit-remaining'] !== undefined && headers['x-request-id'] !== undefined);
    assert.doesNotMatch(body, /<script|javascript:|style="| on\w+="/);
    assert.equal(body.match(/<h1>/g)?.length, 1);
    assert.match(body, /^<!doctype html>\n<html lang="en">/);
  }
  const head = await app.inject({ method: 'HEAD', url: '/auth/sign-in' });
  assert.deepEqual([head.statusCode, head.body], [200, '']);
  const other = await app.inject({ method: 'PUT', url: '/auth/sign-in' });
  assert.deepEqual([other.statusCode, other.headers.allow], [405, 'GET, HEAD, POST']);
});

forEachDatabase('counts requests and shows how long to wait when there are too many', onPglite, async (fixture) => {
  const { visitor } = await openPages(fixture, { ALMANAC_RATE_ANONYMOUS: '3' });
  const browser = visitor();
  const statuses = [];
  for (let i = 0; i < 4; i++) statuses.push((await browser.get('/auth/sign-in')).status);
  assert.deepEqual(statuses, [200, 200, 200, 429]);
  const page = await browser.get('/auth/forgot');
  assert.match(page.text, /Too many attempts More than 3 requests a minute\. Wait \d+ s and try again\./);
  assert.ok(Number(page.headers['retry-after']) >= 1);
});

forEachDatabase('logs nothing of a link or a form', onPglite, async (fixture) => {
  const { identity, visitor, logged } = await openPages(fixture);
  const { email } = await makeAccount(identity);
  const token = 'alm_lnk_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM';
  for (const path of ['sign-up/confirm', 'verify', 'reset']) {
    await visitor().get(`/auth/${path}?token=${token}`);
    await visitor().post(`/auth/${path}`, { token, password: 'a new long password' });
  }
  await visitor().post('/auth/sign-in', { email, password: PASSWORD });
  await visitor().post('/auth/forgot', { email });
  assert.match(logged(), /\/auth\/reset/);
  for (const secret of [token, PASSWORD, 'a new long password', email]) assert.ok(!logged().includes(secret), secret);
});

const parse = (text: string) => parseForm(Buffer.from(text));

test('reads a form as browsers encode it', () => {
  assert.deepEqual(parse('email=a%40b.example&password=one+two%2Bthree&empty='), {
    email: 'a@b.example',
    password: 'one two+three',
    empty: '',
  });
  assert.deepEqual(parse(''), {});
});

test('refuses a duplicate field by name in any encoding', () => {
  for (const text of ['email=a&email=b', 'email=a&x=1&%65mail=a', 'email&email']) {
    assert.throws(
      () => parse(text),
      (error) => error instanceof Fault && error.code === 'INVALID_REQUEST' && error.message.startsWith('email: '),
      text,
    );
  }
});

test('treats names of object properties as ordinary fields', () => {
  const fields = parse('__proto__=x&constructor=y');
  assert.equal(Object.getPrototypeOf(fields), Object.prototype);
  assert.equal(({} as Record<string, unknown>).x, undefined);
  assert.deepEqual(Object.keys(fields), ['__proto__', 'constructor']);
});

test('refuses bytes that are not UTF-8', () => {
  assert.throws(() => parseForm(Buffer.from([0x61, 0x3d, 0xff])), /not valid UTF-8/);
  for (const text of ['a=%ff', '%C3=a', 'a=%C3&b=%A4', 'a=%c3+%a4', 'a=%ED%A0%80', 'a=x%C0%80', 'a=%F5%80%80%80'])
    assert.throws(() => parse(text), { code: 'INVALID_REQUEST', message: /not valid UTF-8/ }, text);
  assert.deepEqual(parse('a=%C3%A4%E4%B8%AD%F0%9F%91%8D&b=100%&c=%zz'), { a: 'ä中👍', b: '100%', c: '%zz' });
});
