import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Fault } from '../../../../contract/index.ts';
import { isOwnPath, readReturnTo, withReturnTo } from './return-to.ts';

const OWN = ['/', '/docs', '/auth/account', '/a/b?c=d&e=%2F%2Fevil.example#f', '/%5Cevil.example', '/über', '/a//b'];

const HOSTILE = [
  'https://evil.example/',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  ' //evil.example',
  ' /docs',
  '/a\\b',
  '/./\\evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  '/%2e//evil.example',
  '/a\r\nset-cookie: a=b',
  '/a\u0000',
  '/a\u007f',
  '/a\u0085b',
  '/a\u2028b',
  '/\ud800',
  'javascript:alert(1)',
  'data:text/html,x',
  'docs',
  '?a=b',
  '#a',
  'evil.example',
  '@evil.example',
  `/${'a'.repeat(2_000)}`,
];

test('a path of this site is taken as it is', () => {
  for (const path of OWN) assert.equal(readReturnTo(path), path);
  assert.equal(readReturnTo(undefined), null);
  assert.equal(readReturnTo(''), null);
});

test('whatever could lead elsewhere is refused by name', () => {
  for (const value of [...HOSTILE, ['/docs', '/docs'], null, 7, {}]) {
    assert.throws(
      () => readReturnTo(value),
      (error) => error instanceof Fault && error.code === 'INVALID_REQUEST' && error.message.startsWith('return_to: '),
      JSON.stringify(value),
    );
  }
});

test('no accepted path leaves the site, however a browser resolves it', () => {
  const pieces = fc.array(
    fc.oneof(fc.constantFrom('/', '\\', '.', '..', ':', '@', '?', '#', '%2f', '\t', '\n', 'evil.example'), fc.string()),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(pieces, (parts) => {
      const path = `/${parts.join('')}`;
      if (!isOwnPath(path)) return;
      const here = new URL(path, 'https://almanac.example/auth/sign-in');
      assert.equal(here.origin, 'https://almanac.example');
      assert.equal(new URL(here.pathname + here.search + here.hash, here).origin, 'https://almanac.example');
    }),
    { numRuns: 2_000 },
  );
});

test('the way back survives being put into an address', () => {
  const path = '/a?b=c&d=e#f';
  const query = new URL(withReturnTo('/auth/sign-in', path), 'http://site.invalid').searchParams;
  assert.equal(query.get('return_to'), path);
  assert.equal(withReturnTo('/auth/sign-in', null), '/auth/sign-in');
});
