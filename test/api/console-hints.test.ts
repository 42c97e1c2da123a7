import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { openApi, type TestApi } from '../support/api/api.ts';
import { pageVisitor } from '../support/identity/page-visitor.ts';
import { openTestDatabase, type TestDatabase, testedKind } from '../support/platform/database.ts';

const COOKIE = '__Host-almanac_hints';
const ADDRESS = '/search?q=apple&local=1';
const HINT = 'Open a series to see its chart.';

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

test('a hint goes away for ever with its button, and the browser continues where it was', async () => {
  const browser = pageVisitor(api.app);
  const shown = await browser.get(ADDRESS);
  assert.match(shown.text, new RegExp(HINT));
  const returnTo = /action="\/hints\/dismiss".*?name="return_to" value="([^"]*)"/s.exec(shown.body)?.[1];
  assert.equal(returnTo, ADDRESS.replace('&', '&amp;'));
  const done = await browser.post('/hints/dismiss', { hint: 'search', return_to: ADDRESS });
  assert.deepEqual([done.status, done.location], [303, ADDRESS]);
  assert.doesNotMatch((await browser.get(ADDRESS)).text, new RegExp(HINT));
  await browser.post('/hints/dismiss', { hint: 'series', return_to: ADDRESS });
  assert.doesNotMatch((await browser.get(ADDRESS)).text, new RegExp(HINT), 'the earlier one stays away');
});

test('the browser stores again what it does not show, before the cookie can expire', async () => {
  const browser = pageVisitor(api.app);
  const today = Math.floor(Date.now() / 86_400_000);
  browser.cookies.set(COOKIE, `${today - 31}.search.no-longer-a-hint`);
  const { headers } = await browser.get(ADDRESS);
  assert.match(String(headers['set-cookie']), /almanac_hints=\d+\.search; Max-Age=34560000/);
  assert.match(browser.cookies.get(COOKIE) ?? '', /^\d+\.search$/);
  assert.equal((await browser.get(ADDRESS)).headers['set-cookie'], undefined);
});

test('a hostile form or cookie stores no other name and leads to no other site', async () => {
  const browser = pageVisitor(api.app);
  for (const hint of ['', 'nothing', '<script>', 'search.series', '__proto__']) {
    const { status, headers, text } = await browser.post('/hints/dismiss', { hint, return_to: '/' });
    assert.deepEqual([status, headers['set-cookie']], [400, undefined], hint);
    assert.match(text, /hint/);
  }
  for (const address of ['//evil.example', 'https://evil.example/', '/\\evil.example', 'javascript:alert(1)', '']) {
    const { location } = await browser.post('/hints/dismiss', { hint: 'search', return_to: address });
    assert.equal(location, '/', address);
  }
  browser.cookies.set(COOKIE, '"><script>.x.search');
  const { status, body } = await browser.get(ADDRESS);
  assert.equal(status, 200);
  assert.doesNotMatch(body, /"><script>/);
  const foreign = await browser.post(
    '/hints/dismiss',
    { hint: 'search' },
    { headers: { origin: 'https://evil.example' } },
  );
  assert.equal(foreign.status, 403);
});

test('the page of all words has a place for each', async () => {
  const { status, body } = await pageVisitor(api.app).get('/glossary');
  assert.equal(status, 200);
  assert.match(body, /<div id="resource-scope"><dt>Resource scope<\/dt><dd>Which files/);
});
