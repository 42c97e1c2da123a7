import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import * as request from './authorization-request.ts';
import { withMountUrl } from './open-oauth.ts';

const SITE = 'http://127.0.0.1:8080';
const completeAuthorization = (query: string) => request.completeAuthorization(query, SITE);

test('adds the consent prompt to a request for refresh tokens', () => {
  const prompts = (query: string) => new URLSearchParams(completeAuthorization(query)).get('prompt');
  assert.equal(prompts('?scope=openid+offline_access'), 'consent');
  assert.equal(prompts('?scope=offline_access%20openid'), 'consent');
  assert.equal(prompts('?scope=openid+offline_access&prompt=login'), 'login consent');
  assert.equal(prompts('?scope=openid+offline_access&prompt=consent'), 'consent');
  // An application that forbids prompts gets no page and no refresh token.
  assert.equal(prompts('?scope=openid+offline_access&prompt=none'), 'none');
  assert.equal(prompts('?scope=openid'), null);
  assert.equal(prompts('?scope=openid&prompt=login'), 'login');
});

test('requests openid if the request has no scope', () => {
  assert.equal(completeAuthorization(''), '?scope=openid');
  assert.equal(completeAuthorization('?scope=&client_id=a'), '?scope=openid&client_id=a');
});

test('drops unknown scopes, unless openid is missing', () => {
  const scope = (query: string) => new URLSearchParams(completeAuthorization(query)).get('scope');
  assert.equal(scope('?scope=openid+admin+email+toString+email'), 'openid email');
  assert.equal(scope('?scope=admin+profile'), 'admin profile');
  // The provider would report the nonce as wrong.
  assert.equal(completeAuthorization('?scope=profile&nonce=n&max_age=1&state=s'), '?scope=profile&state=s');
  assert.equal(completeAuthorization('?scope=openid&nonce=n&max_age=1'), '?scope=openid&nonce=n&max_age=1');
});

test('accepts the site with a slash at its end as the resource', () => {
  const resources = (query: string) => new URLSearchParams(completeAuthorization(query)).getAll('resource');
  assert.deepEqual(resources(`?resource=${SITE}/`), [SITE]);
  assert.deepEqual(resources(`?resource=${SITE}/&resource=${SITE}`), [SITE]);
  for (const other of [`${SITE}//`, `${SITE}/api`, 'https://api.example/', '']) {
    assert.deepEqual(resources(`?resource=${SITE}/&resource=${other}`), [`${SITE}/`, other]);
  }
});

test('keeps every other parameter unchanged', () => {
  const query = '?scope=openid&state=a%26b%3Dc%00&resource=http%3A%2F%2F127.0.0.1';
  const [before, after] = [new URLSearchParams(query), new URLSearchParams(completeAuthorization(query))];
  assert.deepEqual([...after], [...before]);
  for (const twice of ['?scope=openid&scope=offline_access', '?scope=offline_access&prompt=login&prompt=none']) {
    assert.equal(completeAuthorization(twice), twice);
  }
});

test('shows the provider a URL below its mount and restores the original afterwards', async () => {
  const request = { url: 'http://evil.example/auth/oauth/%74oken?a=b' } as IncomingMessage & { originalUrl?: string };
  await withMountUrl(request, { path: '/oauth/token', siteUrl: SITE }, async () => {
    assert.equal(request.url, '/oauth/token?a=b');
    assert.equal(request.originalUrl, '/auth/oauth/token?a=b');
  });
  assert.deepEqual(request, { url: 'http://evil.example/auth/oauth/%74oken?a=b' });
  const failing = withMountUrl(request, { path: '/oauth/jwks', siteUrl: SITE }, () =>
    Promise.reject(new Error('broken')),
  );
  await assert.rejects(failing, /broken/);
  assert.equal(request.url, 'http://evil.example/auth/oauth/%74oken?a=b');
});
