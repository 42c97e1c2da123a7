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
import { COOLDOWN_MS, FRESH_MS, MAX_AGE_MS } from './issuer-keys.ts';
import { openOutsideIssuers } from './outside-issuers.ts';

const AUDIENCE = 'https://almanac.example';
const ONE_ANSWER = [DISCOVERY, KEYS];

/** So long nothing here should take unless it waits for an issuer. */
const PATIENT_MS = 20_000;

/** An issuer, what believes it, and a clock for both. */
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
    openOutsideIssuers({
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
    isTaken: async (token: Promise<string>, by = issuers) => (await by.verify(await token)) !== null,
    [Symbol.asyncDispose]: () => issuer[Symbol.asyncDispose](),
  };
}

test('an issuer is asked once for many tokens, and only by a token in its name', async () => {
  await using scene = await openScene();
  const { issuer, issuers, isTaken } = scene;
  await issuers.verify('alm_pat_x');
  assert.equal(await isTaken(issuer.sign({ claims: { iss: 'https://other.example' } })), false);
  assert.deepEqual(issuer.asked, []);
  const answers = await Promise.all(Array.from({ length: 20 }, () => isTaken(issuer.sign())));
  assert.deepEqual(new Set(answers), new Set([true]));
  assert.deepEqual(issuer.asked, ONE_ANSWER);
});

test('a rotated key is found at its first token, and the old one is good while it is shown', async () => {
  await using scene = await openScene();
  const { clock, issuer, isTaken } = scene;
  const [old] = issuer.keys;
  assert.ok(old);
  assert.equal(await isTaken(issuer.sign()), true);
  clock.advance(COOLDOWN_MS);
  issuer.keys.push(await makeSigningKey());
  assert.equal(await isTaken(issuer.sign()), true);
  assert.equal(await isTaken(issuer.sign({ key: old })), true);
  assert.deepEqual(issuer.asked, [...ONE_ANSWER, ...ONE_ANSWER]);
});

test('a key that was removed is refused once the keys are asked for again', async () => {
  await using scene = await openScene();
  const { clock, issuer, isTaken } = scene;
  const [removed] = issuer.keys;
  assert.ok(removed);
  assert.equal(await isTaken(issuer.sign()), true);
  issuer.keys.splice(0, 1, await makeSigningKey());
  clock.advance(FRESH_MS - SECOND);
  assert.equal(await isTaken(issuer.sign({ key: removed })), true, 'within the time that is stated');
  clock.advance(SECOND);
  assert.equal(await isTaken(issuer.sign({ key: removed })), false);
  assert.equal(await isTaken(issuer.sign()), true);
});

test('strangers with unknown keys cannot make us hammer the issuer', async () => {
  await using scene = await openScene();
  const { clock, issuer, isTaken } = scene;
  const stranger = await makeSigningKey();
  await isTaken(issuer.sign());
  for (let attempt = 0; attempt < 60; attempt++) {
    assert.equal(await isTaken(issuer.sign({ key: { ...stranger, kid: `unknown-${attempt}` } })), false);
    clock.advance(SECOND);
  }
  // At the start, and after 30 s; the last second of the minute is over.
  assert.deepEqual(issuer.asked, [...ONE_ANSWER, ...ONE_ANSWER]);
  assert.equal(await isTaken(issuer.sign()), true);
});

test('a token without the name of its key is tried with every key that fits, also after a rotation', async () => {
  await using scene = await openScene();
  const { clock, issuer, isTaken } = scene;
  const nameless = (key = issuer.keys.at(-1)) =>
    issuer.sign({ header: { kid: undefined }, ...(key !== undefined && { key }) });
  const [first] = issuer.keys;
  assert.equal(await isTaken(nameless()), true);
  issuer.keys.push(await makeSigningKey(), await makeSigningKey());
  clock.advance(COOLDOWN_MS);
  for (const key of issuer.keys) assert.equal(await isTaken(nameless(key)), true, key.kid);
  assert.equal(await isTaken(nameless(await makeSigningKey())), false, 'of a stranger');
  const expired = issuer.sign({ header: { kid: undefined }, claims: { exp: 1 } });
  assert.equal(await isTaken(expired), false);
  issuer.keys.splice(0, 3, await makeSigningKey(), await makeSigningKey());
  clock.advance(FRESH_MS);
  assert.equal(await isTaken(nameless()), true);
  assert.equal(await isTaken(nameless(first)), false, 'it is not shown any more');
});

test('while the issuer is down its keys stay good for a day, and unknown ones are refused', async () => {
  await using scene = await openScene();
  const { clock, issuer, isTaken, logged } = scene;
  const stranger = await makeSigningKey();
  assert.equal(await isTaken(issuer.sign()), true);
  issuer.faults.set(DISCOVERY, answer(500));
  for (let passed = 0; passed < MAX_AGE_MS - 10 * MINUTE; passed += 10 * MINUTE) {
    clock.advance(10 * MINUTE);
    assert.equal(await isTaken(issuer.sign()), true, `after ${passed} ms`);
  }
  assert.equal(await isTaken(issuer.sign({ key: stranger })), false);
  clock.advance(10 * MINUTE);
  assert.equal(await isTaken(issuer.sign()), false, 'its day is over');
  assert.match(logged(), /"issuer":"http:[^"]+","err":\{"type":"IssuerError","message":"The answer has status 500\./);
  issuer.faults.clear();
  clock.advance(COOLDOWN_MS);
  assert.equal(await isTaken(issuer.sign()), true, 'it is back');
  assert.equal(MAX_AGE_MS, DAY);
});

test('an issuer that hangs holds up a request for a moment, and those with known keys once', async () => {
  await using scene = await openScene(PATIENT_MS);
  const { clock, issuer, isTaken } = scene;
  assert.equal(await isTaken(issuer.sign()), true);
  const held: (() => void)[] = [];
  issuer.faults.set(KEYS, (...exchange) => void held.push(() => answer(500)(...exchange)));
  const heldUp = async () => {
    while (held.length === 0) await sleep(2);
  };

  clock.advance(FRESH_MS);
  const first = isTaken(issuer.sign());
  await heldUp();
  assert.equal(await Promise.race([first, sleep(50, 'waits')]), 'waits');
  held.shift()?.();
  assert.equal(await first, true, 'its key is still good');

  clock.advance(COOLDOWN_MS);
  const tokens = await Promise.all(Array.from({ length: 20 }, () => issuer.sign()));
  const waited = await timeOf(Promise.all(tokens.map((token) => isTaken(Promise.resolve(token)))));
  assert.ok(waited < PATIENT_MS / 2, `known keys waited ${waited} ms`);
  await heldUp();
  const stranger = isTaken(issuer.sign({ key: await makeSigningKey() }));
  assert.equal(await Promise.race([stranger, sleep(50, 'waits')]), 'waits');
  held.shift()?.();
  assert.equal(await stranger, false);
});

async function timeOf(work: Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work;
  return performance.now() - start;
}

const FAULTS: Readonly<Record<string, (url: string) => readonly [path: string, reply: Reply]>> = {
  'another issuer in the document': (url) => [DISCOVERY, sendJson({ issuer: `${url}/`, jwks_uri: `${url}${KEYS}` })],
  'no issuer in the document': (url) => [DISCOVERY, sendJson({ jwks_uri: `${url}${KEYS}` })],
  'no address of keys': (url) => [DISCOVERY, sendJson({ issuer: url })],
  'keys over plain http elsewhere': (url) => [DISCOVERY, sendJson({ issuer: url, jwks_uri: 'http://192.0.2.1/keys' })],
  'keys in a file': (url) => [DISCOVERY, sendJson({ issuer: url, jwks_uri: 'file:///etc/passwd' })],
  'keys behind a password': (url) => [
    DISCOVERY,
    sendJson({ issuer: url, jwks_uri: `${url.replace('//', '//a:b@')}${KEYS}` }),
  ],
  'a document that is no JSON': () => [DISCOVERY, answer(200, {}, '<html>')],
  'a document that is a list': () => [DISCOVERY, sendJson([])],
  'a document that moved': (url) => [DISCOVERY, answer(302, { location: `${url}/elsewhere` })],
  'a document that never ends': () => [DISCOVERY, answer(200, {}, ' '.repeat(300_000))],
  'a document that does not come': () => [DISCOVERY, hang],
  'a connection that breaks': () => [DISCOVERY, (request) => request.destroy()],
  'no document': () => [DISCOVERY, answer(404)],
  'keys that moved': (url) => [KEYS, answer(307, { location: `${url}/elsewhere` })],
  'keys with status 500': () => [KEYS, answer(500, {}, '{"keys":[]}')],
  'keys that do not come': () => [KEYS, hang],
  'too many keys': () => [KEYS, answer(200, {}, JSON.stringify({ keys: [{ kty: 'x'.repeat(300_000) }] }))],
  'keys that are no list': () => [KEYS, sendJson({ keys: {} })],
  'keys that are strings': () => [KEYS, sendJson({ keys: ['a', null, 1] })],
  'no keys': () => [KEYS, sendJson({ keys: [] })],
};

for (const [name, make] of Object.entries(FAULTS)) {
  test(`an issuer with ${name} has its tokens refused in time, and is believed again when it is mended`, async () => {
    await using scene = await openScene();
    const { clock, issuer, isTaken } = scene;
    issuer.faults.set(...make(issuer.url));
    assert.ok((await timeOf(assertRefused(isTaken(issuer.sign())))) < PATIENT_MS);
    assert.ok(!issuer.asked.includes('/elsewhere'), 'no redirect is followed');
    issuer.faults.clear();
    clock.advance(COOLDOWN_MS);
    assert.equal(await isTaken(issuer.sign()), true);
  });
}

async function assertRefused(taken: Promise<boolean>): Promise<void> {
  assert.equal(await taken, false);
}
