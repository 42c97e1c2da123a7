import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readIssuers } from './issuers.ts';

const LOGIN = 'https://login.example';

function refusalOf(value: unknown): string {
  try {
    readIssuers(typeof value === 'string' ? value : JSON.stringify(value));
  } catch (error) {
    return (error as Error).message;
  }
  assert.fail(`${JSON.stringify(value)} was accepted`);
}

test('applies the defaults to an issuer without options', () => {
  assert.deepEqual(readIssuers(`[{"issuer":"${LOGIN}"}]`), [
    {
      issuer: LOGIN,
      audience: undefined,
      algorithms: ['RS256', 'ES256', 'PS256', 'EdDSA'],
      tokenTypes: ['at+jwt', 'jwt'],
      accounts: 'existing',
    },
  ]);
});

test('reads every option of an issuer', () => {
  const [first, second] = readIssuers(
    JSON.stringify([
      { issuer: 'http://127.0.0.1:9000/realms/a', audience: 'urn:almanac', algorithms: ['ES384'] },
      { issuer: 'http://[::1]:9000/', token_types: ['at+jwt'], accounts: 'create' },
    ]),
  );
  assert.deepEqual(
    [first?.issuer, first?.audience, first?.algorithms],
    ['http://127.0.0.1:9000/realms/a', 'urn:almanac', ['ES384']],
  );
  assert.deepEqual(
    [second?.issuer, second?.tokenTypes, second?.accounts],
    ['http://[::1]:9000/', ['at+jwt'], 'create'],
  );
});

test('refuses symmetric algorithms and "none", naming the field', () => {
  for (const algorithm of ['none', 'HS256', 'HS384', 'HS512', 'rs256', 'A128GCM', 'dir']) {
    const message = refusalOf([{ issuer: LOGIN, algorithms: ['RS256', algorithm] }]);
    assert.match(message, /^have a list of one or more of RS256.* at \[0\]\.algorithms$/, algorithm);
  }
});

test('refuses invalid issuers, naming the field', () => {
  const cases: readonly (readonly [unknown, RegExp])[] = [
    ['{', /^be a JSON list/],
    [{ issuer: LOGIN }, /^be a JSON list/],
    [Array(21).fill({ issuer: LOGIN }), /^be a JSON list of up to 20/],
    [[LOGIN], /^have an object at \[0\]/],
    [[{ issuer: LOGIN }, [LOGIN]], /^have an object at \[1\]/],
    [[{}], /\[0\]\.issuer/],
    [[{ issuer: 'http://login.example' }], /\[0\]\.issuer: https, or http on loopback/],
    [[{ issuer: 'https://user:secret@login.example' }], /\[0\]\.issuer/],
    [[{ issuer: `${LOGIN}?tenant=a` }], /\[0\]\.issuer/],
    [[{ issuer: `${LOGIN}#a` }], /\[0\]\.issuer/],
    [[{ issuer: `${LOGIN}\n` }], /\[0\]\.issuer/],
    [[{ issuer: `${LOGIN}/${'a'.repeat(500)}` }], /\[0\]\.issuer/],
    [[{ issuer: 'login.example' }], /\[0\]\.issuer/],
    [[{ issuer: LOGIN, audience: '' }], /\[0\]\.audience/],
    [[{ issuer: LOGIN, audience: ['a'] }], /\[0\]\.audience/],
    [[{ issuer: LOGIN, algorithms: [] }], /\[0\]\.algorithms/],
    [[{ issuer: LOGIN, algorithms: 'RS256' }], /\[0\]\.algorithms/],
    [[{ issuer: LOGIN, token_types: ['id_token'] }], /\[0\]\.token_types/],
    [[{ issuer: LOGIN, accounts: 'all' }], /one of existing, create at \[0\]\.accounts/],
    [[{ issuer: LOGIN, audiences: 'a' }], /at \[0\]; "audiences" is not one of these/],
    [[{ issuer: LOGIN }, { issuer: LOGIN }], /^list every issuer once; \[1\]\.issuer repeats/],
  ];
  for (const [value, expected] of cases) {
    const message = refusalOf(value);
    assert.match(message, expected);
    assert.ok(message.length < 300 && !/\p{Cc}/u.test(message), message);
    assert.doesNotMatch(message, /secret/);
  }
});
