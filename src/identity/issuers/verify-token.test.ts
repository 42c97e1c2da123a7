import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { base64url, type CryptoKey, exportJWK, exportSPKI, importJWK } from 'jose';
import { movableClock } from '../../../test/support/identity/identity.ts';
import {
  DISCOVERY,
  KEYS,
  type LoopbackIssuer,
  makeSigningKey,
  sendJson,
  startLoopbackIssuer,
  type TokenSpec,
} from '../../../test/support/identity/loopback-issuer.ts';
import { createLog, type IssuerSettings } from '../../platform/index.ts';
import { type ExternalIssuers, openExternalIssuers } from './external-issuers.ts';

const AUDIENCE = 'https://almanac.example';
const clock = movableClock();
const now = Math.floor(clock.now().getTime() / 1_000);

const DEFAULTS = {
  audience: undefined,
  algorithms: ['RS256', 'ES256', 'PS256', 'EdDSA'],
  tokenTypes: ['at+jwt', 'jwt'],
  accounts: 'existing',
} as const;

let issuer: LoopbackIssuer;
let issuers: ExternalIssuers;

before(async () => {
  issuer = await startLoopbackIssuer({ audience: AUDIENCE, now: clock.now });
  issuers = open();
});

after(async () => {
  await issuer?.[Symbol.asyncDispose]();
});

function open(settings: Partial<IssuerSettings> = {}): ExternalIssuers {
  const chosen: IssuerSettings = { ...DEFAULTS, issuer: issuer.url, ...settings };
  return openExternalIssuers({ issuers: [chosen], clock, log: createLog('silent'), siteUrl: () => AUDIENCE });
}

async function isAccepted(spec: TokenSpec, by = issuers): Promise<boolean> {
  return (await by.verify(await issuer.sign(spec))) !== null;
}

/** Builds a token by hand, in forms that no library would sign. */
function assemble(header: object, claims: object, sign: (input: string) => string): string {
  const input = `${base64url.encode(JSON.stringify(header))}.${base64url.encode(JSON.stringify(claims))}`;
  return `${input}.${sign(input)}`;
}

test('returns the subject and the expiry of a valid token', async () => {
  const token = await issuer.sign({ claims: { email: 'Alice@Example.org', email_verified: true } });
  assert.deepEqual(await issuers.verify(token), {
    issuer: issuer.url,
    subject: 'alice',
    verifiedEmail: 'alice@example.org',
    expiresAt: new Date((now + 300) * 1_000),
    canCreateAccount: false,
  });
  assert.equal((await open({ accounts: 'create' }).verify(token))?.canCreateAccount, true);
});

test('returns an address only if the issuer has verified it', async () => {
  for (const claims of [
    { email: 'a@example.org' },
    { email: 'a@example.org', email_verified: 'true' },
    { email: 'a@example.org', email_verified: 1 },
    { email: 'a@example.org', email_verified: false },
    { email: 'no address', email_verified: true },
    { email: ['a@example.org'], email_verified: true },
    // The Kelvin sign, whose lower case is k.
    { email: '\u212aate@example.org', email_verified: true },
  ]) {
    const verified = await issuers.verify(await issuer.sign({ claims }));
    assert.equal(verified?.verifiedEmail, null, JSON.stringify(claims));
  }
});

test('refuses a token for another audience', async () => {
  for (const aud of ['https://other.example', `${AUDIENCE}/`, `${AUDIENCE}.evil.example`, [], undefined, '', 5]) {
    assert.equal(await isAccepted({ claims: { aud } }), false, JSON.stringify(aud));
  }
  assert.equal(await isAccepted({ claims: { aud: ['https://other.example', AUDIENCE] } }), true);
  assert.equal(await isAccepted({ claims: { aud: 'urn:api' } }, open({ audience: 'urn:api' })), true);
  assert.equal(await isAccepted({}, open({ audience: 'urn:api' })), false);
});

test('refuses a token of another issuer, whatever key signed it', async () => {
  for (const iss of [`${issuer.url}/`, 'https://login.example', '', undefined, 7, [issuer.url], '__proto__']) {
    assert.equal(await isAccepted({ claims: { iss } }), false, JSON.stringify(iss));
  }
  assert.equal(
    await isAccepted({ key: await makeSigningKey('ES256', issuer.keys[0]?.kid) }),
    false,
    'signed by an unknown key',
  );
});

test('an issuer cannot issue tokens in the name of another trusted one', async () => {
  await using other = await startLoopbackIssuer({ audience: AUDIENCE, now: clock.now });
  const settings = {
    audience: undefined,
    algorithms: ['ES256'],
    tokenTypes: ['at+jwt'],
    accounts: 'existing' as const,
  };
  const both = openExternalIssuers({
    issuers: [issuer.url, other.url].map((url) => ({ issuer: url, ...settings })),
    clock,
    log: createLog('silent'),
    siteUrl: () => AUDIENCE,
  });
  assert.equal((await both.verify(await other.sign()))?.issuer, other.url);
  assert.equal(await both.verify(await other.sign({ claims: { iss: issuer.url } })), null);
});

test('never accepts a token of the embedded provider as one of an external issuer', async () => {
  const site = issuer.url.replace('127.0.0.1', 'localhost');
  await using own = await startLoopbackIssuer({ audience: site, now: clock.now });
  own.faults.set(`/auth${DISCOVERY}`, sendJson({ issuer: `${own.url}/auth`, jwks_uri: `${own.url}${KEYS}` }));
  const token = await own.sign({ claims: { iss: `${own.url}/auth` } });
  const open = (siteUrl: string) =>
    openExternalIssuers({
      issuers: [{ ...DEFAULTS, issuer: `${own.url}/auth`, audience: site }],
      clock,
      log: createLog('silent'),
      siteUrl: () => siteUrl,
    });
  assert.ok(await open(site).verify(token));
  assert.equal(await open(own.url).verify(token), null);
});

test('accepts a token from its start to its expiry', async () => {
  const cases: readonly (readonly [Record<string, unknown>, boolean])[] = [
    [{ exp: now + 1 }, true],
    [{ exp: now }, false],
    [{ exp: now - 3_600 }, false],
    [{ exp: undefined }, false],
    [{ exp: 'tomorrow' }, false],
    [{ exp: null }, false],
    [{ exp: 1e300 }, false],
    [{ exp: 253_402_300_799 }, true],
    [{ nbf: now + 29 }, true],
    [{ nbf: now + 3_600 }, false],
    [{ nbf: 'now' }, false],
    [{ iat: now + 29 }, true],
    [{ iat: now + 60 }, false],
    [{ iat: 'now' }, false],
    [{ iat: undefined }, true],
  ];
  for (const [claims, expected] of cases) assert.equal(await isAccepted({ claims }), expected, JSON.stringify(claims));
});

test('refuses a token without a subject that can be stored', async () => {
  for (const sub of [undefined, '', 7, null, ['alice'], 'a'.repeat(256), 'a\u0000b', '\ud800']) {
    assert.equal(await isAccepted({ claims: { sub } }), false, JSON.stringify(sub));
  }
  assert.equal(await isAccepted({ claims: { sub: 'a'.repeat(255) } }), true);
});

test('refuses ID tokens and every other token that is not an access token', async () => {
  for (const typ of ['id_token', 'id+jwt', 'logout+jwt', 'dpop+jwt', 'secevent+jwt', '', 'application/id+jwt']) {
    assert.equal(await isAccepted({ header: { typ } }), false, typ);
  }
  for (const claim of ['nonce', 'at_hash', 'c_hash', 's_hash', 'events', 'cnf']) {
    assert.equal(await isAccepted({ header: { typ: 'JWT' }, claims: { [claim]: 'x' } }), false, claim);
  }
  for (const typ of ['at+jwt', 'AT+JWT', 'application/at+jwt', 'JWT', 'jwt', undefined]) {
    assert.equal(await isAccepted({ header: { typ } }), true, typ);
  }
});

test('can require the type of access tokens from an issuer', async () => {
  const strict = open({ tokenTypes: ['at+jwt'] });
  assert.equal(await isAccepted({}, strict), true);
  for (const typ of ['JWT', undefined]) assert.equal(await isAccepted({ header: { typ } }, strict), false, typ);
});

test('refuses a token without a signature', async () => {
  const claims = { iss: issuer.url, aud: AUDIENCE, sub: 'alice', exp: now + 300 };
  const kid = issuer.keys[0]?.kid;
  for (const alg of ['none', 'None', 'NONE', '', undefined, 'ES256']) {
    assert.equal(await issuers.verify(assemble({ alg, kid, typ: 'at+jwt' }, claims, () => '')), null, alg);
  }
});

test('does not use a public key as a shared secret', async () => {
  await using rsa = await startLoopbackIssuer({ audience: AUDIENCE, now: clock.now });
  rsa.keys.splice(0, 1, await makeSigningKey('RS256'));
  const [key] = rsa.keys;
  assert.ok(key);
  const taken = open({ issuer: rsa.url });
  assert.ok(await taken.verify(await rsa.sign()), 'the valid token is accepted');
  const publicKey = await importJWK(key.published, 'RS256', { extractable: true });
  const secrets = [await exportSPKI(publicKey as CryptoKey), JSON.stringify(key.published), String(key.published.n)];
  for (const secret of [...secrets, secrets[0]?.trim() ?? '', Buffer.from(String(key.published.n), 'base64url')]) {
    const token = assemble(
      { alg: 'HS256', kid: key.kid, typ: 'at+jwt' },
      { iss: rsa.url, aud: AUDIENCE, sub: 'alice', exp: now + 300 },
      (input) => createHmac('sha256', secret).update(input).digest('base64url'),
    );
    assert.equal(await taken.verify(token), null);
  }
});

test('accepts only configured algorithms, and a key only for its own algorithm', async () => {
  await using many = await startLoopbackIssuer({ audience: AUDIENCE, now: clock.now });
  const keys = await Promise.all(
    ['RS256', 'PS256', 'ES256', 'EdDSA', 'ES384', 'RS512'].map((alg) => makeSigningKey(alg)),
  );
  many.keys.splice(0, 1, ...keys);
  const taken = open({ issuer: many.url });
  const results = await Promise.all(keys.map(async (key) => (await taken.verify(await many.sign({ key }))) !== null));
  assert.deepEqual(results, [true, true, true, true, false, false]);
  const [rsa] = keys;
  assert.ok(rsa);
  many.keys.splice(0, many.keys.length, { ...rsa, published: { ...rsa.published, alg: 'PS256' } });
  assert.equal(await open({ issuer: many.url }).verify(await many.sign({ key: rsa })), null, 'a key for PS256');
  many.keys.splice(0, 1, { ...rsa, published: { ...rsa.published, use: 'enc' } });
  assert.equal(await open({ issuer: many.url }).verify(await many.sign({ key: rsa })), null, 'a key for encryption');
});

test('ignores a key that a token carries', async () => {
  const stranger = await makeSigningKey('ES256', issuer.keys[0]?.kid);
  for (const header of [
    { jwk: stranger.published },
    { jwk: stranger.published, kid: undefined },
    { jku: 'http://127.0.0.1:1/keys' },
    { x5u: 'http://127.0.0.1:1/keys' },
  ]) {
    assert.equal(await isAccepted({ key: stranger, header }), false, JSON.stringify(header));
  }
});

test('refuses a modified token', async () => {
  const token = await issuer.sign();
  const [header = '', payload = '', signature = ''] = token.split('.');
  const other = base64url.encode(
    JSON.stringify({ ...JSON.parse(String(Buffer.from(payload, 'base64url'))), sub: 'bob' }),
  );
  for (const changed of [
    `${header}.${other}.${signature}`,
    `${header}.${payload}.${'A'.repeat(signature.length)}`,
    `${header}.${payload}.`,
    `${header}.${payload}`,
    `${token}.x`,
    `${header}.${payload}.${signature}.${signature}.${signature}`,
    payload,
    '..',
    '',
  ]) {
    assert.equal(await issuers.verify(changed), null, changed);
  }
  assert.ok(await issuers.verify(token));
});

test('refuses every mutation of a token without an error', async () => {
  const token = await issuer.sign();
  const mutations = fc
    .tuple(fc.nat(token.length - 1), fc.nat(3), fc.string({ unit: 'binary', maxLength: 4 }))
    .map(([index, removed, inserted]) => token.slice(0, index) + inserted + token.slice(index + removed));
  await fc.assert(
    fc.asyncProperty(mutations, async (changed) => {
      // The last base64 character has unused bits, so that another one can encode the same bytes.
      fc.pre(changed !== token && !sameBytes(changed, token));
      assert.equal(await issuers.verify(changed), null);
    }),
    { numRuns: 150, seed: 20 },
  );
});

function sameBytes(one: string, other: string): boolean {
  const bytes = (text: string) => text.split('.').map((part) => Buffer.from(part, 'base64url').toString('hex'));
  return bytes(one).join('.') === bytes(other).join('.');
}

test('an unusable key affects only its own tokens', async () => {
  await using broken = await startLoopbackIssuer({ audience: AUDIENCE, now: clock.now });
  const good = broken.keys[0];
  const [short, odd, secret] = await Promise.all([makeSigningKey(), makeSigningKey(), makeSigningKey()]);
  assert.ok(good && short && odd && secret);
  broken.keys.push(
    { ...short, published: { ...short.published, x: 'AA' } },
    { ...odd, published: { kty: 'XYZ', kid: odd.kid } },
    { ...secret, published: { ...(await exportJWK(secret.privateKey)), kid: secret.kid } },
    { ...odd, published: 'not a key' as never },
  );
  const taken = open({ issuer: broken.url });
  for (const key of [short, odd, secret]) assert.equal(await taken.verify(await broken.sign({ key })), null);
  assert.ok(await taken.verify(await broken.sign({ key: good })));
  assert.ok(await taken.verify(await broken.sign({ key: good, header: { kid: undefined } })));
  // Two keys can have the same id: an unusable one and a valid one after it.
  broken.keys.unshift({ ...short, published: { ...short.published, kid: good.kid, y: 7 as never } });
  assert.ok(await open({ issuer: broken.url }).verify(await broken.sign({ key: good })));
});
