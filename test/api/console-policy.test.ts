import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { openApi, type TestApi } from '../support/api/api.ts';
import { openTestDatabase, type TestDatabase, testedKind } from '../support/platform/database.ts';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const HOSTILE = encodeURIComponent('"><script>alert(1)</script><p style="color:red" onclick="x">');

/** Every address of the console that needs no identity, also with hostile text where pages show what was asked for. */
const ADDRESSES = [
  '/',
  '/search',
  `/search?kind=${HOSTILE}`,
  '/series',
  `/series?source=${HOSTILE}`,
  '/new',
  `/new?source=market&symbol=${HOSTILE}`,
  '/forecasts',
  '/glossary',
  '/admin',
  `/admin/users?q=${HOSTILE}`,
  '/screener',
  `/screener/new?field.0=${HOSTILE}`,
  `/forecasts?q=${HOSTILE}`,
  `/nothing-here?${HOSTILE}`,
];

const HEADERS = { accept: 'text/html' };

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

test('every console page allows only what this site serves, and contains no inline script or style', async () => {
  for (const url of ADDRESSES) {
    const { headers, body } = await api.app.inject({ url, headers: HEADERS });
    assert.equal(headers['content-type'], 'text/html; charset=utf-8', url);
    assert.equal(headers['content-security-policy'], POLICY, url);
    assert.equal(headers['x-content-type-options'], 'nosniff', url);
    assert.equal(headers['referrer-policy'], 'same-origin', url);
    assert.equal(headers['cache-control'], 'no-store', url);
    assert.deepEqual(findInline(body), [], url);
  }
});

test('console pages are not compressed: their size could reveal secrets', async () => {
  for (const url of ADDRESSES) {
    const headers = { ...HEADERS, 'accept-encoding': 'br, gzip' };
    const response = await api.app.inject({ url, headers });
    assert.equal(response.headers['content-encoding'], undefined, url);
  }
});

test('console pages load nothing from other sites, and everything that they load exists', async () => {
  for (const url of ADDRESSES) {
    const { body } = await api.app.inject({ url, headers: HEADERS });
    for (const [, address = ''] of body.matchAll(/<(?:script|link|img)\b[^>]*? (?:src|href)="([^"]*)"/g)) {
      assert.match(address, /^\/[^/]/, `${url} loads ${address}`);
      const { statusCode, headers } = await api.app.inject(address);
      assert.equal(statusCode, 200, `${url} loads ${address}`);
      assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable', address);
    }
  }
});

test('the search for inline scripts and styles finds each kind', () => {
  assert.equal(findInline('<script>x</script>').length, 1);
  assert.equal(findInline('<style>x</style>').length, 1);
  assert.equal(findInline('<svg><rect style="fill:red"/></svg>').length, 1);
  assert.equal(findInline('<a href="/x" onclick="y">x</a>').length, 1);
  assert.equal(findInline('<a href="javascript:x">x</a>').length, 1);
  assert.deepEqual(findInline('<script type="module" src="/assets/x.js"></script><p title="a style">x</p>'), []);
});

/** Returns the tags that the policy would refuse. Texts in pages are escaped, so that every "<" begins a tag. */
function findInline(body: string): string[] {
  return [...body.matchAll(/<[a-z][^>]*>/gi)]
    .map(([tag]) => tag)
    .filter((tag) => {
      const attributes = tag.replaceAll(/"[^"]*"/g, '""');
      if (/^<style\b/i.test(tag) || /\s(?:style|on[a-z]+)=/i.test(attributes)) return true;
      if (/(?:href|src|action)="\s*(?:javascript|data):/i.test(tag)) return true;
      return /^<script\b/i.test(tag) && !/ src="\/|type="application\/json"/.test(tag);
    });
}
