import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openApi, type TestApi } from '../../../../test/support/api/api.ts';
import { openTestDatabase, type TestDatabase } from '../../../../test/support/platform/database.ts';
import { MIGRATIONS } from '../../../compose/index.ts';

let fixture: TestDatabase;
let api: TestApi;

before(async () => {
  fixture = await openTestDatabase('pglite', { migrations: MIGRATIONS });
  api = await openApi(fixture.database);
});

after(async () => {
  await api?.app.close();
  await fixture?.[Symbol.asyncDispose]();
});

test('the policy of the page allows its own scripts and no request', async () => {
  const page = await api.app.inject('/verify');
  assert.equal(page.statusCode, 200);
  assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
  const policy = String(page.headers['content-security-policy']).split('; ');
  assert.match(policy.find((rule) => rule.startsWith('style-src')) ?? '', /^style-src 'sha256-[\w+/]+='$/);
  assert.deepEqual(
    policy.filter((rule) => !rule.startsWith('style-src')),
    [
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'none'",
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ],
  );
  assert.doesNotMatch(page.body, /https?:\/\/|<form|\son\w+=|<script>/);
  assert.match(
    page.body,
    /The check needs JavaScript[\s\S]*<code>npm run -s almanac -- proof verify FILE --chain URL</,
  );
});

test('serves the modules that the page imports and no other file of a package', async () => {
  const [, entry = ''] = /<script type="module" src="([^"]+)"/.exec((await api.app.inject('/verify')).body) ?? [];
  const found = new Set([entry]);
  for (const path of found) {
    const module = await api.app.inject(path);
    assert.equal(module.statusCode, 200, path);
    assert.equal(module.headers['content-type'], 'text/javascript; charset=utf-8');
    assert.equal(module.headers['x-content-type-options'], 'nosniff');
    for (const [, address = ''] of module.body.matchAll(/^(?:import|export)\b[^;]*?from ['"]([^'"]+)['"]/gm)) {
      assert.match(address, /^\.\//, 'browsers cannot load packages by their names');
      found.add(new URL(address, `http://site.invalid${path}`).pathname);
    }
  }
  const served = api.app.printRoutes({ commonPrefix: false }).match(/[\w-]+\.js(?= \()/g) ?? [];
  assert.ok(found.has('/verify/noble-hashes/sha3.js'));
  const names = [...found].map((path) => path.replace(/.*\//, '')).sort();
  assert.deepEqual(served.filter((name) => !name.startsWith('swagger')).sort(), names, 'each module is used');
  for (const path of [
    '/verify/',
    '/verify/verdict.test.ts',
    '/verify/verify-page.ts',
    '/verify/noble-hashes/sha2.js',
    '/verify/noble-hashes/../package.json',
    '/verify/noble-hashes/%2e%2e/package.json',
    '/verify/noble-hashes/..%2fpackage.json',
    '/node_modules/@noble/hashes/sha3.js',
  ]) {
    assert.equal((await api.app.inject(path)).statusCode, 404, path);
  }
});

test('browsers revalidate the page and its modules by ETag, and HEAD has the same headers', async () => {
  for (const url of ['/verify', '/verify/verify.js', '/verify/noble-hashes/sha3.js']) {
    const { headers } = await api.app.inject(url);
    assert.equal(headers['cache-control'], 'no-cache');
    const again = await api.app.inject({ url, headers: { 'if-none-match': String(headers.etag) } });
    assert.deepEqual([again.statusCode, again.body], [304, '']);
    const changed = await api.app.inject({ url, headers: { 'if-none-match': '"other"' } });
    assert.equal(changed.statusCode, 200);
    const head = await api.app.inject({ url, method: 'HEAD' });
    assert.deepEqual([head.statusCode, head.body, head.headers.etag], [200, '', headers.etag]);
    assert.equal((await api.app.inject({ url, method: 'POST' })).statusCode, 405);
  }
});

test('counts requests for the page and its modules against the address', async () => {
  const strict = await openApi(fixture.database, { ALMANAC_RATE_ANONYMOUS: '2' });
  try {
    const send = async (url: string) => (await strict.app.inject({ url, remoteAddress: '192.0.2.7' })).statusCode;
    assert.deepEqual([await send('/verify'), await send('/verify/verify.js')], [200, 200]);
    const refused = await strict.app.inject({ url: '/verify', remoteAddress: '192.0.2.7' });
    assert.equal(refused.statusCode, 429);
    assert.match(String(refused.headers['content-type']), /^text\/html/);
  } finally {
    await strict.app.close();
  }
});
