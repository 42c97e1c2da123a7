import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { DAY, MINUTE, movableClock, SECOND } from '../../../test/support/identity/identity.ts';
import {
  answer,
  DISCOVERY,
  hang,
  KEYS,
  makeSigningKey,
  type Reply,
  sendJson,
  startLoopbackIssuer,
} from '../../../test/support/identity/loopback-issuer.ts';
import { createLog } from '../../platform/index.ts';
import { openExternalIssuers } from './external-issuers.ts';
import { KEY_REFRESH_MS, MAX_STALE_KEY_MS, MIN_KEY_FETCH_INTERVAL_MS } from './issuer-keys.ts';

const AUDIENCE = 'https://almanac.example';
const ONE_FETCH = [DISCOVERY, KEYS];

/** A timeout that no request reaches while the issuer holds its response. */
const LONG_TIMEOUT_MS = 20_000;

/** An issuer, the service that trusts it, and a clock for both. */
async function openScene(timeoutMs = 300) {
  const clock = movableClock();
  const issuer = await startLoopbackIssuer({ audience: AUDIENCE, now: clock.now });
  const lines: string[] = [];
  const log = createLog(
    'info',
    new PassThrough().on('data', (chunk) => lines.push(String(chunk))),
  );
  const settings = {
    audience: undefined,
    algorithms: ['ES256'],
    tokenTypes: ['at+jwt'],
    accounts: 'existing' as const,
  };
  const open = (url = issuer.url) =>
    openExternalIssuers({
      issuers: [{ issuer: url, ...settings }],
      clock,
      log,
      siteUrl: () => AUDIENCE,
      timeoutMs,
    });
  const issuers = open();
  return {
    clock,
    issuer,
    issuers,
    open,
    logged: () => lines.join(''),
    isAccepted: async (token: Promise<string>, by = issuers) => (await by.verify(await token)) !== null,
    [Symbol.asyncDispose]: () => issuer[Symbol.asyncDispose](),
  };
}

test('fetches the keys of an issuer once for many tokens, and only for tokens that name it', async () => {
  await using scene = await openScene();
  const { issuer, issuers, isAccepted } = scene;
  await issuers.verify('alm_pat_x');
  assert.equal(await isAccepted(issuer.sign({ claims: { iss: 'https://other.example' } })), false);
  assert.deepEqual(issuer.requests, []);
  const answers = await Promise.all(Array.from({ length: 20 }, () => isAccepted(issuer.sign())));
  assert.deepEqual(new Set(answers), new Set([true]));
  assert.deepEqual(issuer.requests, ONE_FETCH);
});

test('finds a rotated key at its first token, and accepts the old one while it is published', async () => {
  await using scene = await openScene();
  const { clock, issuer, isAccepted } = scene;
  const [old] = issuer.keys;
  assert.ok(old);
  assert.equal(await isAccepted(issuer.sign()), true);
  clock.advance(MIN_KEY_FETCH_INTERVAL_MS);
  issuer.keys.push(await makeSigningKey());
  assert.equal(await isAccepted(issuer.sign()), true);
  assert.equal(await isAccepted(issuer.sign({ key: old })), true);
  assert.deepEqual(issuer.requests, [...ONE_FETCH, ...ONE_FETCH]);
});

test('refuses a removed key once the keys are fetched again', async () => {
  await using scene = await openScene();
  const { clock, issuer, isAccepted } = scene;
  const [removed] = issuer.keys;
  assert.ok(removed);
  assert.equal(await isAccepted(issuer.sign()), true);
  issuer.keys.splice(0, 1, await makeSigningKey());
  clock.advance(KEY_REFRESH_MS - SECOND);
  assert.equal(await isAccepted(issuer.sign({ key: removed })), true, 'before the next fetch');
  clock.advance(SECOND);
  assert.equal(await isAccepted(issuer.sign({ key: removed })), false);
  assert.equal(await isAccepted(issuer.sign()), true);
});

test('tokens with unknown keys cannot cause a flood of fetches', async () => {
  await using scene = await openScene();
  const { clock, issuer, isAccepted } = scene;
  const stranger = await makeSigningKey();
  await isAccepted(issuer.sign());
  for (let attempt = 0; attempt < 60; attempt++) {
    assert.equal(await isAccepted(issuer.sign({ key: { ...stranger, kid: `unknown-${attempt}` } })), false);
    clock.advance(SECOND);
  }
  // Once at the start and once after 30 s; the minute is over before the next.
  assert.deepEqual(issuer.requests, [...ONE_FETCH, ...ONE_FETCH]);
  assert.equal(await isAccepted(issuer.sign()), true);
});

test('tries every matching key for a token that names none, even after a rotation', async () => {
  await using scene = await openScene();
  const { clock, issuer, isAccepted } = scene;
  const withoutKid = (key = issuer.keys.at(-1)) =>
    issuer.sign({ header: { kid: undefined }, ...(key !== undefined && { key }) });
  const [first] = issuer.keys;
  assert.equal(await isAccepted(withoutKid()), true);
  issuer.keys.push(await makeSigningKey(), await makeSigningKey());
  clock.advance(MIN_KEY_FETCH_INTERVAL_MS);
  for (const key of issuer.keys) assert.equal(await isAccepted(withoutKid(key)), true, key.kid);
  assert.equal(await isAccepted(withoutKid(await makeSigningKey())), false, 'an unknown key');
  const expired = issuer.sign({ header: { kid: undefined }, claims: { exp: 1 } });
  assert.equal(await isAccepted(expired), false);
  issuer.keys.splice(0, 3, await makeSigningKey(), await makeSigningKey());
  clock.advance(KEY_REFRESH_MS);
  assert.equal(await isAccepted(withoutKid()), true);
  assert.equal(await isAccepted(withoutKid(first)), false, 'the key is no longer published');
});

test('accepts the keys of an unavailable issuer for a day, but no unknown ones', async () => {
  await using scene = await openScene();
  const { clock, issuer, isAccepted, logged } = scene;
  const stranger = await makeSigningKey();
  assert.equal(await isAccepted(issuer.sign()), true);
  issuer.faults.set(DISCOVERY, answer(500));
  for (let passed = 0; passed < MAX_STALE_KEY_MS - 10 * MINUTE; passed += 10 * MINUTE) {
    clock.advance(10 * MINUTE);
    assert.equal(await isAccepted(issuer.sign()), true, `after ${passed} ms`);
  }
  assert.equal(await isAccepted(issuer.sign({ key: stranger })), false);
  clock.advance(10 * MINUTE);
  assert.equal(await isAccepted(issuer.sign()), false, 'after a day');
  assert.match(logged(), /"issuer":"http:[^"]+","err":\{"type":"IssuerError","message":"The response has status 500\./);
  issuer.faults.clear();
  clock.advance(MIN_KEY_FETCH_INTERVAL_MS);
  assert.equal(await isAccepted(issuer.sign()), true, 'the issuer responds again');
  assert.equal(MAX_STALE_KEY_MS, DAY);
});

test('an issuer that does not respond delays one request with a known key, and every request with an unknown one', async () => {
  await using scene = await openScene(LONG_TIMEOUT_MS);
  const { clock, issuer, isAccepted, logged } = scene;
  const failedFetches = () => logged().split('could not fetch').length - 1;
  assert.equal(await isAccepted(issuer.sign()), true);
  const held: (() => void)[] = [];
  issuer.faults.set(KEYS, (...exchange) => void held.push(() => answer(500)(...exchange)));
  const untilHeld = async () => {
    while (held.length === 0) await sleep(2);
  };

  clock.advance(KEY_REFRESH_MS);
  const first = isAccepted(issuer.sign());
  await untilHeld();
  assert.equal(await Promise.race([first, sleep(50, 'waits')]), 'waits');
  held.shift()?.();
  assert.equal(await first, true, 'the known key is still accepted');

  clock.advance(MIN_KEY_FETCH_INTERVAL_MS);
  const tokens = await Promise.all(Array.from({ length: 20 }, () => issuer.sign()));
  const accepted = await Promise.all(tokens.map((token) => isAccepted(Promise.resolve(token))));
  assert.deepEqual(new Set(accepted), new Set([true]));
  assert.equal(failedFetches(), 1, 'the second fetch is still pending: no known key waited for it');
  await untilHeld();
  const stranger = isAccepted(issuer.sign({ key: await makeSigningKey() }));
  assert.equal(await Promise.race([stranger, sleep(50, 'waits')]), 'waits');
  held.shift()?.();
  assert.equal(await stranger, false);
});

const FAULTS: Readonly<Record<string, (url: string) => readonly [path: string, reply: Reply]>> = {
  'another issuer in its discovery document': (url) => [
    DISCOVERY,
    sendJson({ issuer: `${url}/`, jwks_uri: `${url}${KEYS}` }),
  ],
  'no issuer in its discovery document': (url) => [DISCOVERY, sendJson({ jwks_uri: `${url}${KEYS}` })],
  'no key set URL': (url) => [DISCOVERY, sendJson({ issuer: url })],
  'a remote key set over plain http': (url) => [
    DISCOVERY,
    sendJson({ issuer: url, jwks_uri: 'http://192.0.2.1/keys' }),
  ],
  'a key set in a file': (url) => [DISCOVERY, sendJson({ issuer: url, jwks_uri: 'file:///etc/passwd' })],
  'a password in its key set URL': (url) => [
    DISCOVERY,
    sendJson({ issuer: url, jwks_uri: `${url.replace('//', '//a:b@')}${KEYS}` }),
  ],
  'a discovery document that is not JSON': () => [DISCOVERY, answer(200, {}, '<html>')],
  'a discovery document that is an array': () => [DISCOVERY, sendJson([])],
  'a redirect to its discovery document': (url) => [DISCOVERY, answer(302, { location: `${url}/elsewhere` })],
  'a discovery document that is too long': () => [DISCOVERY, answer(200, {}, ' '.repeat(300_000))],
  'no response for its discovery document': () => [DISCOVERY, hang],
  'a connection that closes early': () => [DISCOVERY, (request) => request.destroy()],
  'no discovery document': () => [DISCOVERY, answer(404)],
  'a redirect to its key set': (url) => [KEYS, answer(307, { location: `${url}/elsewhere` })],
  'status 500 for its key set': () => [KEYS, answer(500, {}, '{"keys":[]}')],
  'no response for its key set': () => [KEYS, hang],
  'a key set that is too long': () => [KEYS, answer(200, {}, JSON.stringify({ keys: [{ kty: 'x'.repeat(300_000) }] }))],
  'keys that are not an array': () => [KEYS, sendJson({ keys: {} })],
  'keys that are not objects': () => [KEYS, sendJson({ keys: ['a', null, 1] })],
  'an empty key set': () => [KEYS, sendJson({ keys: [] })],
};

for (const [name, make] of Object.entries(FAULTS)) {
  test(`refuses the tokens of an issuer with ${name}, and accepts them again once it is repaired`, async () => {
    await using scene = await openScene();
    const { clock, issuer, isAccepted } = scene;
    issuer.faults.set(...make(issuer.url));
    assert.equal(await isAccepted(issuer.sign()), false);
    assert.ok(!issuer.requests.includes('/elsewhere'), 'redirects are not followed');
    issuer.faults.clear();
    clock.advance(MIN_KEY_FETCH_INTERVAL_MS);
    assert.equal(await isAccepted(issuer.sign()), true);
  });
}
