import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { openApi, type TestApi } from '../support/api/api.ts';
import { makeAccount, withSession } from '../support/identity/callers.ts';
import { openTestDatabase, type TestDatabase, testedKind } from '../support/platform/database.ts';
import { assertFault } from './assert-fault.ts';

/** What browsers send when they open an address. */
const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

let fixture: TestDatabase;
let api: TestApi;

before(async () => {
  fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  api = await openApi(fixture.database);
});
after(async () => {
  await api.app.close();
  await fixture[Symbol.asyncDispose]();
});

test('an unknown address is a page for clients that name HTML, and JSON for others', async () => {
  for (const accept of [BROWSER.accept, 'text/html', 'TEXT/HTML;q=0.5', 'application/json, text/html;level=1']) {
    const { statusCode, headers, body } = await api.app.inject({ url: '/nothing', headers: { accept } });
    assert.deepEqual([statusCode, headers['content-type']], [404, 'text/html; charset=utf-8'], accept);
    assert.match(body, /<title>Error: There is nothing here · Almanac<\/title>/);
    assert.match(body, /<a class="button" href="\/search">/);
    assert.equal(headers['cache-control'], 'no-store');
  }
  for (const accept of ['*/*', 'application/json', 'text/*', 'text/html;q=0', 'text/html; q=0.00', 'text/htmlx', '']) {
    assertFault(await api.app.inject({ url: '/nothing', headers: { accept } }), 'NOT_FOUND');
  }
  assertFault(await api.app.inject('/nothing'), 'NOT_FOUND');
});

test('addresses of the API and of OAuth always get JSON', async () => {
  for (const url of ['/api', '/api/', '/api/v1/nothing', '/%61pi/nothing', '/auth/oauth/nothing']) {
    assertFault(await api.app.inject({ url, headers: BROWSER }), 'NOT_FOUND');
  }
  const { headers } = await api.app.inject({ url: '/apiary', headers: BROWSER });
  assert.equal(headers['content-type'], 'text/html; charset=utf-8', 'only the whole first part of the path counts');
});

test('a method that a page does not support gets 405 as a page, with the methods that it supports', async () => {
  const refused = await api.app.inject({ method: 'DELETE', url: '/', headers: BROWSER });
  assert.deepEqual([refused.statusCode, refused.headers.allow], [405, 'GET, HEAD']);
  assert.match(refused.body, /<h1>This page cannot do that<\/h1>/);
  assert.doesNotMatch(refused.body, /Try again/, 'a request that is not a GET cannot be repeated by a link');
  assertFault(await api.app.inject({ method: 'DELETE', url: '/' }), 'METHOD_NOT_ALLOWED');
});

test('a form that another site posts to an unknown address gets 404, because nothing there can change', async () => {
  const headers = { ...BROWSER, origin: 'https://other.example', 'content-type': 'application/x-www-form-urlencoded' };
  const { statusCode, body } = await api.app.inject({ method: 'POST', url: '/nothing', headers, payload: 'a=1' });
  assert.equal(statusCode, 404);
  assert.match(body, /There is nothing here/);
});

test('the error page escapes the address and knows whether the visitor is signed in', async () => {
  const url = '/nothing?next="><script>alert(1)</script>';
  const anonymous = await api.app.inject({ url, headers: BROWSER });
  assert.doesNotMatch(anonymous.body, /<script>/);
  assert.match(anonymous.body, />Sign in<\/a>/);
  const { email } = await makeAccount(api.identity);
  const credentials = await withSession(api.identity, email);
  const signedIn = await api.app.inject({ url, headers: { ...BROWSER, ...credentials } });
  assert.match(signedIn.body, />Account<\/a>/);
  assert.equal(signedIn.headers['set-cookie'], undefined, 'looking at a page makes no guest session');
});

test('a page that a rate limit refuses states when to try again, and its style still loads', async () => {
  await using limited = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  const { app } = await openApi(limited.database, { ALMANAC_RATE_ANONYMOUS: '1' });
  limited.cleanup(() => app.close());
  for (const url of ['/', '/nothing']) {
    await app.inject({ url, headers: BROWSER });
    const { statusCode, headers, body } = await app.inject({ url, headers: BROWSER });
    assert.equal(statusCode, 429, body);
    assert.match(String(headers['retry-after']), /^[1-9]\d*$/);
    assert.match(body, /<p>More than 1 requests a minute\.<\/p>/);
    assert.match(body, /<p data-retry="[1-9]\d*">Try again in <strong>\d+ (second|minute)s?<\/strong>\.<\/p>/);
    assert.match(body, new RegExp(`<a class="button" href="${url}">Try again</a>`));
    const style = /<link rel="stylesheet" href="([^"]+)">/.exec(body)?.[1];
    assert.equal((await app.inject(String(style))).statusCode, 200);
  }
});

test('a page that finds the database closed answers 503 with Retry-After', async () => {
  await using closed = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  const { app } = await openApi(closed.database);
  await app.ready();
  await closed.database.close();
  for (const url of ['/', '/nothing']) {
    const { statusCode, headers, body } = await app.inject({ url, headers: BROWSER });
    assert.deepEqual([statusCode, headers['retry-after']], [503, '5'], url);
    assert.match(body, /<h1>Temporarily unavailable<\/h1>/);
  }
  await app.close();
});

test('an address that cannot be decoded gets a page in a browser', async () => {
  for (const url of ['/%', '/forecasts/%ff']) {
    const { statusCode, headers, body } = await api.app.inject({ url, headers: BROWSER });
    assert.deepEqual([statusCode, headers['content-type']], [400, 'text/html; charset=utf-8'], url);
    assert.match(body, /<h1>Something in this address is not valid<\/h1>/);
    assert.ok(body.includes('href="/auth/sign-in?return_to=%2F"'));
    assertFault(await api.app.inject(url), 'INVALID_REQUEST');
  }
});
