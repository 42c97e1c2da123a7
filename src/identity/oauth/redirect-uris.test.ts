import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../../contract/index.ts';
import { deriveApplicationType } from './configuration.ts';
import { checkRedirectUris } from './redirect-uris.ts';

test('accepts https, http on loopback and private-use schemes', () => {
  for (const uri of [
    'https://app.example/callback',
    'https://app.example:8443/a?b=c',
    'https://localhost/callback',
    'http://127.0.0.1/callback',
    'http://127.0.0.1:3000/callback',
    'http://[::1]:3000/',
    'http://localhost:3000',
    'com.example.app:/callback',
    'com.example.app://callback',
    'org.example-two.app:/x',
  ]) {
    checkRedirectUris([uri], false);
  }
});

test('refuses every other redirect URI and names it', () => {
  const refused: [string, RegExp][] = [
    ['/callback', /must be an absolute URL/],
    ['app.example/callback', /must be an absolute URL/],
    ['http://app.example/callback', /must use https; http is allowed on loopback only/],
    ['http://127.0.0.1.evil.example/', /must use https/],
    ['http://localhost.evil.example/', /must use https/],
    ['https://app.example/callback#here', /must not have a fragment/],
    ['https://app.example/callback#', /must not have a fragment/],
    ['https://*.app.example/callback', /wildcards/],
    ['https://app.example/*', /wildcards/],
    ['https://user:password@app.example/', /must not contain a user name/],
    ['https://app.example\\@evil.example/', /backslashes/],
    ['https://app.example/a b', /must not contain spaces/],
    ['https://app.example/a\u0000b', /must not contain spaces/],
    ['javascript:alert(1)', /private-use scheme with a dot/],
    ['data:text/html,x', /private-use scheme with a dot/],
    ['myapp://callback', /private-use scheme with a dot/],
    ['urn:ietf:wg:oauth:2.0:oob', /private-use scheme with a dot/],
    [`https://app.example/${'a'.repeat(2_000)}`, /longer than 2000/],
    ['', /must be an absolute URL/],
    ['https:app.example/callback', /must be written in its full form, https:\/\/app\.example\/callback/],
    ['https:/app.example/callback', /must be written in its full form/],
    ['https:///app.example/callback', /must be written in its full form/],
    ['HTTPS://app.example/callback', /must be written in its full form/],
    ['https://App.example/callback', /must be written in its full form/],
    ['https://app.example:443/callback', /must be written in its full form/],
    ['https://app.example/a/../callback', /must be written in its full form/],
    ['http://127.1/callback', /must be written in its full form, http:\/\/127\.0\.0\.1\/callback/],
    ['http://2130706433/callback', /must be written in its full form/],
    ['http://[0::1]/callback', /must be written in its full form/],
    ['http://127.0.0.1:0/callback', /must not have port 0/],
    ['https://app.example:0/callback', /must not have port 0/],
    ['COM.example.app:/callback', /must be written in its full form/],
  ];
  for (const [uri, message] of refused) {
    assert.throws(() => checkRedirectUris([uri], false), isFault(message), uri);
    assert.throws(() => checkRedirectUris(['https://app.example/', uri], false), isFault(message), uri);
  }
  assert.throws(() => checkRedirectUris([], false), isFault(/at least one/));
  assert.throws(() => checkRedirectUris(['https://a.example/', 'https://a.example/'], false), isFault(/twice/));
});

test('refuses a secret and https on loopback for an installed application', () => {
  assert.throws(() => checkRedirectUris(['com.example.app:/x'], true), isFault(/cannot keep a secret/));
  checkRedirectUris(['http://127.0.0.1:3000/x'], true);
  assert.throws(
    () => checkRedirectUris(['https://localhost/x', 'http://127.0.0.1/x'], false),
    isFault(/http on loopback, not https/),
  );
});

test('treats only public clients with loopback or private-use URIs as native', () => {
  assert.equal(deriveApplicationType(['http://127.0.0.1/x'], false), 'native');
  assert.equal(deriveApplicationType(['com.example.app:/x', 'https://app.example/x'], false), 'native');
  assert.equal(deriveApplicationType(['https://app.example/x'], false), 'web');
  assert.equal(deriveApplicationType(['http://127.0.0.1:3000/x'], true), 'web');
});

function isFault(message: RegExp) {
  return (error: unknown) => error instanceof Fault && error.code === 'INVALID_REQUEST' && message.test(error.message);
}
