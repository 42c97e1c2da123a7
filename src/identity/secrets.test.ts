import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashSecret, isWellFormedSecret, newSecret, type SecretPrefix } from './secrets.ts';

const PREFIXES: readonly SecretPrefix[] = ['alm_pat_', 'alm_svc_', 'alm_ses_', 'alm_gst_'];

test('a secret is its prefix, 43 characters of base 62 and 6 of checksum, and never the same twice', () => {
  for (const prefix of PREFIXES) {
    const secrets = Array.from({ length: 200 }, () => newSecret(prefix));
    for (const secret of secrets) {
      assert.match(secret.slice(prefix.length), /^[0-9A-Za-z]{49}$/);
      assert.ok(secret.startsWith(prefix) && isWellFormedSecret(secret, prefix));
    }
    assert.equal(new Set(secrets).size, secrets.length);
  }
});

// Made by another program from the description alone: keys that were handed out must stay valid for ever.
const ISSUED = [
  {
    prefix: 'alm_pat_',
    secret: 'alm_pat_003aUlTJC7tjlCTQj2uNU3MFagCXG9LRKRcwGkBIDlf1VnhTX',
    hash: '16858ee6bf9f7c7a0513b3c937fd4ac14435a7bf81661ca99df7510d5158f5a8',
  },
  {
    prefix: 'alm_svc_',
    secret: 'alm_svc_yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp13Uvjay',
    hash: 'd2e32a7d268094b7901e318c7b663ff89745d1c75c3037fe6d6efe36b0fc54a1',
  },
] as const;

for (const { prefix, secret, hash } of ISSUED) {
  test(`an issued ${prefix} key is recognised and found by its SHA-256`, () => {
    assert.ok(isWellFormedSecret(secret, prefix));
    assert.equal(hashSecret(secret), hash);
  });

  test(`any one character of an ${prefix} key changed, swapped, lost or added is refused`, () => {
    const well = (text: string) => isWellFormedSecret(text, prefix);
    for (let at = 0; at < secret.length; at++) {
      const other = secret[at] === 'x' ? 'y' : 'x';
      assert.ok(!well(secret.slice(0, at) + other + secret.slice(at + 1)), `changed at ${at}`);
      assert.ok(!well(secret.slice(0, at) + secret.slice(at + 1)), `lost at ${at}`);
      assert.ok(!well(secret.slice(0, at) + other + secret.slice(at)), `added at ${at}`);
      const [a = '', b = ''] = secret.slice(at, at + 2);
      if (b && a !== b) assert.ok(!well(secret.slice(0, at) + b + a + secret.slice(at + 2)), `swapped at ${at}`);
    }
    assert.ok(!well('') && !well(secret + secret) && !well(` ${secret}`) && !well(`${secret}\n`));
  });
}

test('a secret of one kind is not one of another', () => {
  for (const made of PREFIXES)
    for (const asked of PREFIXES)
      assert.equal(isWellFormedSecret(newSecret(made), asked), made === asked, `${made} as ${asked}`);
});
