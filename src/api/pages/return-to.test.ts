import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Fault } from '../../contract/index.ts';
import { type IdentityContext, isOwnPath, requestSignUp } from '../../identity/index.ts';
import { readReturnTo, withReturnTo } from './visit.ts';

const OWN_PATHS = [
  '/',
  '/docs',
  '/auth/account',
  '/a/b?c=d&e=%2F%2Fevil.example#f',
  '/%5Cevil.example',
  '/über',
  '/a//b',
];

const HOSTILE_VALUES = [
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

function isReturnToFault(error: unknown): boolean {
  return error instanceof Fault && error.code === 'INVALID_REQUEST' && error.message.startsWith('return_to: ');
}

/** Requests a sign-up up to the point where it would be stored. */
async function signUpWith(returnTo: string): Promise<void> {
  const context = { database: { transaction: async () => undefined } } as unknown as IdentityContext;
  await requestSignUp(context, { email: 'new@example.org', password: 'correct horse battery', returnTo });
}

test('pages accept paths of this site unchanged', () => {
  for (const path of OWN_PATHS) assert.equal(readReturnTo(path), path);
  assert.equal(readReturnTo(undefined), null);
  assert.equal(readReturnTo(''), null);
});

test('pages refuse values that could lead to another site, naming the field', () => {
  for (const value of [...HOSTILE_VALUES, ['/docs', '/docs'], null, 7, {}]) {
    assert.throws(() => readReturnTo(value), isReturnToFault, JSON.stringify(value));
  }
});

test('sign-up applies the same rule to return_to as the pages', async () => {
  for (const path of OWN_PATHS) await assert.doesNotReject(signUpWith(path), path);
  for (const value of HOSTILE_VALUES) await assert.rejects(signUpWith(value), isReturnToFault, JSON.stringify(value));
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
    { numRuns: 2_000, seed: 20 },
  );
});

test('a return path survives being encoded into a URL', () => {
  const path = '/a?b=c&d=e#f';
  const query = new URL(withReturnTo('/auth/sign-in', path), 'http://site.invalid').searchParams;
  assert.equal(query.get('return_to'), path);
  assert.equal(withReturnTo('/auth/sign-in', null), '/auth/sign-in');
});
