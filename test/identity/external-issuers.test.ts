import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { openApi, SITE_URL, type TestApi } from '../support/api/api.ts';
import { requestAs } from '../support/api/request-as.ts';
import { makeAccount, withKey, withSession } from '../support/identity/callers.ts';
import {
  DISCOVERY,
  hang,
  type LoopbackIssuer,
  makeSigningKey,
  startLoopbackIssuer,
} from '../support/identity/loopback-issuer.ts';
import { openTestDatabase, type TestDatabase, testedKind } from '../support/platform/database.ts';
import { readComparableRows } from '../support/platform/rows.ts';

interface AccessRecord {
  readonly personal_plan: string;
}

let fixture: TestDatabase;
let issuer: LoopbackIssuer;
let creatingIssuer: LoopbackIssuer;
let api: TestApi;

before(async () => {
  fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  issuer = await startLoopbackIssuer({ audience: SITE_URL });
  creatingIssuer = await startLoopbackIssuer({ audience: 'urn:almanac' });
  const issuers = [
    { issuer: issuer.url },
    { issuer: creatingIssuer.url, audience: 'urn:almanac', token_types: ['at+jwt'], accounts: 'create' },
  ];
  api = await openApi(fixture.database, { ALMANAC_ISSUERS: JSON.stringify(issuers), ALMANAC_LOG_LEVEL: 'trace' });
});

after(async () => {
  await api?.app.close();
  await issuer?.[Symbol.asyncDispose]();
  await creatingIssuer?.[Symbol.asyncDispose]();
  await fixture?.[Symbol.asyncDispose]();
});

function as(token: string, cookies: Readonly<Record<string, string>> = {}) {
  return requestAs(api.app, { ...cookies, authorization: `Bearer ${token}` });
}

let people = 0;

/** Creates an account, and the claims of an issuer about its owner. */
async function makePerson(spec: Parameters<typeof makeAccount>[1] = {}) {
  const account = await makeAccount(api.identity, { password: null, ...spec });
  return { ...account, claims: { sub: `person-${++people}`, email: account.email, email_verified: true } };
}

test('accepts a token of a configured issuer like a key of the account', async () => {
  const person = await makePerson();
  const send = as(await issuer.sign({ claims: person.claims }));
  const { status, data } = await send<AccessRecord>('GET', '/v1/me/access');
  assert.deepEqual([status, data.personal_plan], [200, 'pro']);
  const free = await makePerson({ plan: 'free' });
  const refused = await as(await issuer.sign({ claims: free.claims }))('GET', '/v1/me/access');
  assert.deepEqual([refused.status, refused.code], [403, 'PLAN_REQUIRED']);
});

test('a key that a token creates expires no later than the token', async () => {
  const person = await makePerson();
  const exp = Math.floor(Date.now() / 1_000) + 120;
  const send = as(await issuer.sign({ claims: { ...person.claims, exp } }));
  const { status, data } = await send<{ expires_at: string }>('POST', '/v1/me/api-keys', {
    name: 'created by a token',
  });
  assert.deepEqual([status, data.expires_at], [201, new Date(exp * 1_000).toISOString()]);
});

test('creates a free account where the issuer may create accounts, without API access', async () => {
  const email = `new-${process.pid}@example.org`;
  const send = as(await creatingIssuer.sign({ claims: { sub: 'new', email, email_verified: true } }));
  const { status, code } = await send('GET', '/v1/me/access');
  assert.deepEqual([status, code], [403, 'PLAN_REQUIRED']);
  assert.match(api.logged(), /"caller":"usr_/);
});

test('refuses invalid tokens with the same response, whatever is wrong, and changes nothing', async () => {
  const { claims, email } = await makePerson();
  const session = await withSession(api.identity, (await makeAccount(api.identity)).email);
  const past = Math.floor(Date.now() / 1_000) - 60;
  const stranger = await makeSigningKey('ES256', issuer.keys[0]?.kid);
  const tokens = {
    'another audience': await issuer.sign({ claims: { ...claims, aud: 'urn:almanac' } }),
    'another issuer': await issuer.sign({ claims: { ...claims, iss: creatingIssuer.url } }),
    'an unknown issuer': await issuer.sign({ claims: { ...claims, iss: 'https://login.example' } }),
    expired: await issuer.sign({ claims: { ...claims, exp: past } }),
    'an ID token': await issuer.sign({ claims: { ...claims, nonce: 'n' }, header: { typ: 'JWT' } }),
    'another type': await creatingIssuer.sign({ claims, header: { typ: 'JWT' } }),
    'signed by an unknown key': await issuer.sign({ claims, key: stranger }),
    'without a signature': `${(await issuer.sign({ claims })).split('.').slice(0, 2).join('.')}.`,
    'an unverified address': await issuer.sign({ claims: { sub: 'other', email } }),
    'no account': await issuer.sign({ claims: { sub: 'x', email: 'x@nowhere.example', email_verified: true } }),
    'no token': 'a.b.c',
    dots: '..',
  };
  const before = await readComparableRows(fixture.database);
  const bodies = new Set<string>();
  for (const [name, token] of Object.entries(tokens)) {
    // A valid cookie does not replace an invalid token.
    const { status, body, headers } = await as(token, session)('GET', '/v1/me/access');
    assert.equal(status, 401, name);
    assert.match(String(headers['www-authenticate']), /^Bearer realm="almanac", error="invalid_token"/, name);
    bodies.add(body);
  }
  assert.equal(bodies.size, 1);
  assert.deepEqual(await readComparableRows(fixture.database), before);
});

test('an issuer that does not respond never delays API keys', async () => {
  const { id } = await makePerson();
  const key = await withKey(api.identity, id);
  await using silent = await startLoopbackIssuer({ audience: SITE_URL });
  silent.faults.set(DISCOVERY, hang);
  const environment = { ALMANAC_ISSUERS: JSON.stringify([{ issuer: silent.url }]) };
  const { app } = await openApi(fixture.database, environment);
  try {
    assert.equal((await requestAs(app, key)('GET', '/v1/me/access')).status, 200);
    let answered = false;
    const waiting = requestAs(app, { authorization: `Bearer ${await silent.sign()}` })('GET', '/v1/me/access').finally(
      () => {
        answered = true;
      },
    );
    assert.equal((await requestAs(app, key)('GET', '/v1/me/access')).status, 200);
    assert.equal(answered, false, 'the key is accepted while the token is still being checked');
    assert.equal((await waiting).status, 401);
  } finally {
    await app.close();
  }
});

test('logs no token and no part of one', async () => {
  const person = await makePerson();
  const token = await issuer.sign({ claims: person.claims });
  await as(token)('GET', '/v1/me/access');
  await as(`${token.slice(0, -4)}AAAA`)('GET', '/v1/me/access');
  for (const part of token.split('.')) assert.ok(!api.logged().includes(part.slice(0, 20)));
  assert.ok(!api.logged().includes(person.claims.sub));
});
