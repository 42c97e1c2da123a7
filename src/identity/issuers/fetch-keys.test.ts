import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkKeySetUrl, IssuerError } from './fetch-keys.ts';

const REMOTE = 'https://login.example/realm';
const LOCAL = 'http://127.0.0.1:9000';

test('accepts a key set URL with https, or with http on loopback', () => {
  for (const [issuer, address] of [
    [REMOTE, 'https://login.example/keys'],
    [REMOTE, 'https://keys.elsewhere.example/v1?tenant=a'],
    [LOCAL, 'http://localhost:9001/keys'],
    [LOCAL, 'http://[::1]:9001/keys'],
    [LOCAL, 'https://login.example/keys'],
  ] as const) {
    assert.equal(checkKeySetUrl(issuer, address), address);
  }
});

test('refuses a key set URL on loopback for a remote issuer, and plain http for every issuer', () => {
  for (const [issuer, address] of [
    [REMOTE, 'http://127.0.0.1:5432/'],
    [REMOTE, 'https://127.0.0.1/keys'],
    [REMOTE, 'https://localhost/keys'],
    [REMOTE, 'https://[::1]/keys'],
    [REMOTE, 'https://2130706433/keys'],
    [REMOTE, 'http://login.example/keys'],
    [REMOTE, 'http://169.254.169.254/latest/meta-data'],
    [REMOTE, 'https://user:password@login.example/keys'],
    [REMOTE, '/keys'],
    [REMOTE, ['https://login.example/keys']],
    [REMOTE, undefined],
    [LOCAL, 'http://login.example/keys'],
    [LOCAL, 'ftp://127.0.0.1/keys'],
  ] as const) {
    assert.throws(() => checkKeySetUrl(issuer, address), IssuerError, String(address));
  }
});
