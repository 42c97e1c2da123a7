import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import * as handOver from './hand-over.ts';

const SITE = 'http://127.0.0.1:8080';
const completeAuthorization = (query: string) => handOver.completeAuthorization(query, SITE);

test('refresh tokens are asked for with consent, as OpenID Connect wants it', () => {
  const prompts = (query: string) => new URLSearchParams(completeAuthorization(query)).get('prompt');
  assert.equal(prompts('?scope=openid+offline_access'), 'consent');
  assert.equal(prompts('?scope=offline_access%20openid'), 'consent');
  assert.equal(prompts('?scope=openid+offline_access&prompt=login'), 'login consent');
  assert.equal(prompts('?scope=openid+offline_access&prompt=consent'), 'consent');
  // An application that wants no page gets none, and no refresh token either.
  assert.equal(prompts('?scope=openid+offline_access&prompt=none'), 'none');
  assert.equal(prompts('?scope=openid'), null);
  assert.equal(prompts('?scope=openid&prompt=login'), 'login');
});

test('without a scope an application asks who somebody is', () => {
  assert.equal(completeAuthorization(''), '?scope=openid');
  assert.equal(completeAuthorization('?scope=&client_id=a'), '?scope=openid&client_id=a');
});

test('scopes that nobody knows are dropped, unless the one is missing that must be there', () => {
  const scope = (query: string) => new URLSearchParams(completeAuthorization(query)).get('scope');
  assert.equal(scope('?scope=openid+admin+email+toString+email'), 'openid email');
  assert.equal(scope('?scope=admin+profile'), 'admin profile');
  // The provider would say that the nonce is wrong.
  assert.equal(completeAuthorization('?scope=profile&nonce=n&max_age=1&state=s'), '?scope=profile&state=s');
  assert.equal(completeAuthorization('?scope=openid&nonce=n&max_age=1'), '?scope=openid&nonce=n&max_age=1');
});

test('the site is the same with a slash at its end', () => {
  const resources = (query: string) => new URLSearchParams(completeAuthorization(query)).getAll('resource');
  assert.deepEqual(resources(`?resource=${SITE}/`), [SITE]);
  assert.deepEqual(resources(`?resource=${SITE}/&resource=${SITE}`), [SITE]);
  for (const other of [`${SITE}//`, `${SITE}/api`, 'https://api.example/', '']) {
    assert.deepEqual(resources(`?resource=${SITE}/&resource=${other}`), [`${SITE}/`, other]);
  }
});

test('what else was sent stays as it is', () => {
  const query = '?scope=openid&state=a%26b%3Dc%00&resource=http%3A%2F%2F127.0.0.1';
  const [before, after] = [new URLSearchParams(query), new URLSearchParams(completeAuthorization(query))];
  assert.deepEqual([...after], [...before]);
  for (const twice of ['?scope=openid&scope=offline_access', '?scope=offline_access&prompt=login&prompt=none']) {
    assert.equal(completeAuthorization(twice), twice);
  }
});

test('the provider sees an address at the root, everyone else the one that was asked for', async () => {
  const request = { url: 'http://evil.example/auth/oauth/%74oken?a=b' } as IncomingMessage & { originalUrl?: string };
  await handOver.withAddressFor(request, { path: '/oauth/token', siteUrl: SITE }, async () => {
    assert.equal(request.url, '/oauth/token?a=b');
    assert.equal(request.originalUrl, '/auth/oauth/token?a=b');
  });
  assert.deepEqual(request, { url: 'http://evil.example/auth/oauth/%74oken?a=b' });
  const failing = handOver.withAddressFor(request, { path: '/oauth/jwks', siteUrl: SITE }, () =>
    Promise.reject(new Error('broken')),
  );
  await assert.rejects(failing, /broken/);
  assert.equal(request.url, 'http://evil.example/auth/oauth/%74oken?a=b');
});
