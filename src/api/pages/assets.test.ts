import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { fastify } from 'fastify';
import { registerAssets, STYLE_URL, scriptUrls } from './assets.ts';

function openApp() {
  const app = fastify();
  registerAssets(app);
  return app;
}

test('a file has the encoding that the browser accepts, and can be kept forever', async () => {
  const app = openApp();
  const plain = await app.inject(STYLE_URL);
  assert.equal(plain.statusCode, 200);
  assert.equal(plain.headers['content-type'], 'text/css; charset=utf-8');
  assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable');
  assert.equal(plain.headers['content-encoding'], undefined);
  for (const [accepted, encoding, decode] of [
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ] as const) {
    const sent = await app.inject({ url: STYLE_URL, headers: { 'accept-encoding': accepted } });
    assert.equal(sent.headers['content-encoding'], encoding);
    assert.equal(sent.headers.vary, 'accept-encoding');
    assert.deepEqual(decode(sent.rawPayload), plain.rawPayload);
  }
  const refused = await app.inject({ url: STYLE_URL, headers: { 'accept-encoding': 'br;q=0, gzip;q=0' } });
  assert.equal(refused.headers['content-encoding'], undefined);
});

test('only built files are served', async () => {
  const app = openApp();
  for (const path of [
    'manifest.json',
    'console.css',
    '..%2fsrc%2fconsole.tsx',
    '%2e%2e%2f%2e%2e%2fpackage.json',
    'x',
  ]) {
    assert.equal((await app.inject(`/assets/${path}`)).statusCode >= 400, true, path);
  }
});

test('a page loads the script of all pages and its own, each with the files that it imports', () => {
  const { scripts } = scriptUrls(['console', 'series']);
  assert.match(scripts[0] ?? '', /^\/assets\/console-[A-Z0-9]{8}\.js$/);
  assert.match(scripts[1] ?? '', /^\/assets\/series-[A-Z0-9]{8}\.js$/);
});
