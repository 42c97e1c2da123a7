import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../../contract/index.ts';
import { applicationType, checkRedirectUris } from './redirect-uris.ts';

test('https, http on loopback and private-use schemes are where an application can be sent', () => {
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

test('everything else is refused, and named', () => {
  const refused: [string, RegExp][] = [
    ['/callback', /must be an absolute address/],
    ['app.example/callback', /must be an absolute address/],
    ['http://app.example/callback', /must be https; plain http is for loopback/],
    ['http://127.0.0.1.evil.example/', /must be https/],
    ['http://localhost.evil.example/', /must be https/],
    ['https://app.example/callback#here', /no fragment/],
    ['https://app.example/callback#', /no fragment/],
    ['https://*.app.example/callback', /wildcards/],
    ['https://app.example/*', /wildcards/],
    ['https://user:password@app.example/', /no user name/],
    ['https://app.example\\@evil.example/', /backslashes/],
    ['https://app.example/a b', /no spaces/],
    ['https://app.example/a\u0000b', /no spaces/],
    ['javascript:alert(1)', /private-use scheme with a dot/],
    ['data:text/html,x', /private-use scheme with a dot/],
    ['myapp://callback', /private-use scheme with a dot/],
    ['urn:ietf:wg:oauth:2.0:oob', /private-use scheme with a dot/],
    [`https://app.example/${'a'.repeat(2_000)}`, /longer than 2000/],
    ['', /must be an absolute address/],
    ['https:app.example/callback', /must be written in full, as https:\/\/app\.example\/callback/],
    ['https:/app.example/callback', /must be written in full/],
    ['https:///app.example/callback', /must be written in full/],
    ['HTTPS://app.example/callback', /must be written in full/],
    ['https://App.example/callback', /must be written in full/],
    ['https://app.example:443/callback', /must be written in full/],
    ['https://app.example/a/../callback', /must be written in full/],
    ['http://127.1/callback', /must be written in full, as http:\/\/127\.0\.0\.1\/callback/],
    ['http://2130706433/callback', /must be written in full/],
    ['http://[0::1]/callback', /must be written in full/],
    ['http://127.0.0.1:0/callback', /a port that can be reached/],
    ['https://app.example:0/callback', /a port that can be reached/],
    ['COM.example.app:/callback', /must be written in full/],
  ];
  for (const [uri, message] of refused) {
    assert.throws(() => checkRedirectUris([uri], false), isFault(message), uri);
    assert.throws(() => checkRedirectUris(['https://app.example/', uri], false), isFault(message), uri);
  }
  assert.throws(() => checkRedirectUris([], false), isFault(/at least one/));
  assert.throws(() => checkRedirectUris(['https://a.example/', 'https://a.example/'], false), isFault(/twice/));
});

test('an installed application has no secret, and no certificate for loopback', () => {
  assert.throws(() => checkRedirectUris(['com.example.app:/x'], true), isFault(/can keep no secret/));
  checkRedirectUris(['http://127.0.0.1:3000/x'], true);
  assert.throws(
    () => checkRedirectUris(['https://localhost/x', 'http://127.0.0.1/x'], false),
    isFault(/http on loopback, not https/),
  );
});

test('only an installed application gets its port freely', () => {
  assert.equal(applicationType(['http://127.0.0.1/x'], false), 'native');
  assert.equal(applicationType(['com.example.app:/x', 'https://app.example/x'], false), 'native');
  assert.equal(applicationType(['https://app.example/x'], false), 'web');
  assert.equal(applicationType(['http://127.0.0.1:3000/x'], true), 'web');
});

function isFault(message: RegExp) {
  return (error: unknown) => error instanceof Fault && error.code === 'INVALID_REQUEST' && message.test(error.message);
}
