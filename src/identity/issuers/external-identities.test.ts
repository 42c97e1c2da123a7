import assert from 'node:assert/strict';
import { makeAccount } from '../../../test/support/identity/callers.ts';
import { MINUTE, movableIdentity } from '../../../test/support/identity/identity.ts';
import { startLoopbackIssuer, type TokenSpec } from '../../../test/support/identity/loopback-issuer.ts';
import { countUses } from '../../../test/support/platform/counted-database.ts';
import { forEachDatabase, type TestDatabase } from '../../../test/support/platform/database.ts';
import { MIGRATIONS } from '../../compose/index.ts';
import { SCOPES } from '../../contract/index.ts';
import { createLog, type Database } from '../../platform/index.ts';
import {
  authenticateExternalToken,
  authenticateKey,
  createApiKey,
  type IdentityContext,
  unlinkIdentity,
} from '../index.ts';
import { listSecurityEvents } from '../security-events.ts';
import type { IdentityTables } from '../tables.ts';
import { openExternalIssuers } from './external-issuers.ts';

const options = { migrations: MIGRATIONS };
const AUDIENCE = 'https://almanac.example';

/** The identity operations on a database, with a trusted issuer; both use one clock. */
async function openScene({ database, cleanup }: TestDatabase, accounts: 'existing' | 'create' = 'existing') {
  const identity = movableIdentity(database);
  const start = async () => {
    const issuer = await startLoopbackIssuer({ audience: AUDIENCE, now: identity.clock.now });
    cleanup(() => issuer[Symbol.asyncDispose]());
    return issuer;
  };
  const issuer = await start();
  const other = await start();
  const settings = { audience: undefined, algorithms: ['ES256'], tokenTypes: ['at+jwt'], accounts };
  const issuers = openExternalIssuers({
    issuers: [issuer, other].map(({ url }) => ({ issuer: url, ...settings })),
    clock: identity.clock,
    log: createLog('silent'),
    siteUrl: () => AUDIENCE,
  });
  const authenticate = async (claims: TokenSpec['claims'] = {}, by = issuer, context = identity) =>
    authenticateExternalToken(issuers, context, await by.sign({ claims }));
  return { identity, issuer, other, issuers, authenticate };
}

const ALICE = { email: 'alice@example.org', email_verified: true };

function links(database: Database) {
  return database.query<IdentityTables>().selectFrom('outside_identity').selectAll().orderBy('subject').execute();
}

async function eventsOf(identity: IdentityContext, accountId: string) {
  const events = await listSecurityEvents(identity, accountId, { limit: 100 });
  return events.map(({ kind, details }) => [kind, details] as const);
}

forEachDatabase('links a subject to the account with its address at its first token', options, async (fixture) => {
  const { identity, issuer, authenticate } = await openScene(fixture);
  const { id } = await makeAccount(identity, { email: ALICE.email, password: null });
  const account = await authenticate({ ...ALICE, email: 'Alice@Example.ORG' });
  const now = identity.clock.now();
  assert.deepEqual(account, {
    kind: 'account',
    accountId: id,
    email: ALICE.email,
    emailVerified: true,
    plan: 'pro',
    administrator: false,
    credential: 'oauth',
    credentialId: account?.credentialId,
    credentialExpiresAt: new Date(Math.floor(now.getTime() / 1_000) * 1_000 + 5 * MINUTE),
    dependsOn: account?.credentialId,
    scopes: SCOPES,
  });
  assert.match(account?.credentialId ?? '', /^oid_[0-9A-HJKMNP-TV-Z]{26}$/);
  assert.equal((await authenticate())?.credentialId, account?.credentialId, 'the same for every token of a subject');
  assert.deepEqual(await links(fixture.database), [
    {
      id: account?.credentialId,
      issuer: issuer.url,
      subject: 'alice',
      account_id: id,
      linked_at: now,
      last_used_at: now,
    },
  ]);
  const linked = (await eventsOf(identity, id)).filter(([kind]) => kind === 'outside_identity_linked');
  assert.deepEqual(linked, [['outside_identity_linked', { issuer: issuer.url }]]);
});

forEachDatabase('authenticates a linked subject whatever its address', options, async (fixture) => {
  const { identity, authenticate } = await openScene(fixture);
  const alice = await makeAccount(identity, { email: ALICE.email, password: null });
  const bob = await makeAccount(identity, { email: 'bob@example.org', password: null });
  assert.equal((await authenticate(ALICE))?.accountId, alice.id);
  for (const claims of [{}, { email: bob.email, email_verified: true }, { email: ALICE.email }]) {
    assert.equal((await authenticate(claims))?.accountId, alice.id);
  }
  assert.equal((await links(fixture.database)).length, 1);
});

forEachDatabase('refuses a subject without a matching account and changes nothing', options, async (fixture) => {
  const { identity, authenticate } = await openScene(fixture);
  await makeAccount(identity, { email: ALICE.email, password: null });
  await makeAccount(identity, { email: 'unproved@example.org', verified: false, password: null });
  for (const claims of [
    {},
    { email: ALICE.email },
    { email: ALICE.email, email_verified: 'true' },
    { email: 'unknown@example.org', email_verified: true },
    { email: 'unproved@example.org', email_verified: true },
  ]) {
    assert.equal(await authenticate(claims), null, JSON.stringify(claims));
  }
  assert.deepEqual(await links(fixture.database), []);
});

forEachDatabase('an address that an issuer reassigns does not reassign the account', options, async (fixture) => {
  const { identity, other, authenticate } = await openScene(fixture, 'create');
  const { id } = await makeAccount(identity, { email: ALICE.email, password: null });
  assert.equal((await authenticate(ALICE))?.accountId, id);
  assert.equal(await authenticate({ ...ALICE, sub: 'her successor' }), null);
  assert.equal(
    (await authenticate({ ...ALICE, sub: 'alice elsewhere' }, other))?.accountId,
    id,
    'another issuer may link the same account',
  );
  assert.deepEqual(
    (await links(fixture.database)).map(({ subject }) => subject),
    ['alice', 'alice elsewhere'],
  );
});

forEachDatabase('the same subject of two issuers is two identities', options, async (fixture) => {
  const { other, authenticate } = await openScene(fixture, 'create');
  const here = await authenticate({ sub: 'one', email: 'here@example.org', email_verified: true });
  const there = await authenticate({ sub: 'one', email: 'there@example.org', email_verified: true }, other);
  assert.deepEqual([here?.email, there?.email], ['here@example.org', 'there@example.org']);
  assert.notEqual(here?.credentialId, there?.credentialId);
});

forEachDatabase('creates an account for a subject where the issuer may create accounts', options, async (fixture) => {
  const { identity, issuer, authenticate } = await openScene(fixture, 'create');
  const account = await authenticate(ALICE);
  assert.ok(account);
  assert.deepEqual([account.email, account.emailVerified, account.plan], [ALICE.email, true, 'free']);
  assert.equal(account.administrator, false);
  const row = await fixture.database
    .query<IdentityTables>()
    .selectFrom('account')
    .selectAll()
    .executeTakeFirstOrThrow();
  assert.equal(row.password_hash, null);
  assert.deepEqual((await eventsOf(identity, account.accountId)).sort(), [
    ['account_created', {}],
    ['outside_identity_linked', { issuer: issuer.url }],
  ]);
  assert.equal(
    await authenticate({ sub: 'b', email: 'b@example.org' }),
    null,
    'an unverified address creates no account',
  );
  await makeAccount(identity, { email: 'unproved@example.org', verified: false, password: null });
  assert.equal(await authenticate({ sub: 'c', email: 'unproved@example.org', email_verified: true }), null);
});

forEachDatabase('authenticates a linked subject with one statement', options, async (fixture) => {
  const { identity, authenticate, issuer } = await openScene(fixture);
  const { id } = await makeAccount(identity, { email: ALICE.email, password: null });
  await authenticate(ALICE);
  const counted = countUses(fixture.database);
  const context = { ...identity, database: counted.database };
  for (let request = 1; request <= 3; request++) {
    await authenticate(ALICE, issuer, context);
    assert.equal(counted.uses(), request);
  }
  identity.clock.advance(4 * MINUTE);
  await authenticate({}, issuer, context);
  assert.equal(counted.uses(), 4);
  identity.clock.advance(2 * MINUTE);
  await authenticate({}, issuer, context);
  assert.equal(counted.uses(), 6, 'the last use is written every five minutes');
  const [row] = await links(fixture.database);
  assert.deepEqual([row?.account_id, row?.last_used_at], [id, identity.clock.now()]);
});

forEachDatabase('a refused token costs no statement', options, async (fixture) => {
  const { identity, authenticate, issuer } = await openScene(fixture);
  const counted = countUses(fixture.database);
  const context = { ...identity, database: counted.database };
  for (const claims of [
    { aud: 'https://other.example' },
    { exp: 1 },
    { iss: 'https://other.example' },
    { nonce: 'n' },
  ]) {
    assert.equal(await authenticate({ ...ALICE, ...claims }, issuer, context), null);
  }
  assert.equal(counted.uses(), 0);
});

forEachDatabase('links an unlinked account to the next subject with its address', options, async (fixture) => {
  const { identity, issuer, authenticate } = await openScene(fixture);
  const { id } = await makeAccount(identity, { email: ALICE.email, password: null });
  assert.equal(await unlinkIdentity(identity, id, issuer.url), false, 'the account has no link yet');
  const makeKey = async (madeUnder = '') =>
    createApiKey(identity, { accountId: id, name: 'k', scopes: SCOPES, madeUnder });
  const before = (await authenticate(ALICE))?.dependsOn;
  const { key } = await makeKey(before);
  assert.equal(await unlinkIdentity(identity, id, 'https://other.example'), false);
  assert.equal((await authenticateKey(identity, key))?.dependsOn, before);
  assert.equal(await unlinkIdentity(identity, id, issuer.url), true);
  assert.equal(await authenticateKey(identity, key), null, 'a key that the token created ends with the link');
  await assert.rejects(makeKey(before), { code: 'UNAUTHENTICATED' }, 'a key that is being created is refused');
  assert.equal(await authenticate({}), null);
  assert.notEqual((await authenticate(ALICE))?.dependsOn, before);
  assert.equal(await authenticateKey(identity, key), null, 'the key stays invalid after another link');
  await unlinkIdentity(identity, id, issuer.url);
  assert.equal((await authenticate({ ...ALICE, sub: 'alice, second account' }))?.accountId, id);
  assert.equal(await authenticate(ALICE), null);
  const kinds = (await eventsOf(identity, id)).map(([kind]) => kind).filter((kind) => kind.startsWith('outside'));
  const [linked, unlinked] = ['outside_identity_linked', 'outside_identity_unlinked'];
  assert.deepEqual(kinds.sort(), [linked, linked, linked, unlinked, unlinked]);
});

const CONCURRENT = 50;

forEachDatabase(
  'fifty concurrent first tokens of a subject create one account',
  { ...options, only: 'postgres' },
  async (fixture) => {
    const { identity, authenticate } = await openScene(fixture, 'create');
    await authenticate({ email: 'warm@example.org', email_verified: true, sub: 'warm' });
    const accounts = await Promise.all(Array.from({ length: CONCURRENT }, () => authenticate(ALICE)));
    const ids = new Set(accounts.map((account) => account?.accountId));
    assert.equal(ids.size, 1);
    const [id] = ids;
    assert.ok(id);
    assert.deepEqual((await eventsOf(identity, id)).map(([kind]) => kind).sort(), [
      'account_created',
      'outside_identity_linked',
    ]);
    const rows = await fixture.database.query<IdentityTables>().selectFrom('account').select('email').execute();
    assert.deepEqual(rows.map(({ email }) => email).sort(), [ALICE.email, 'warm@example.org']);
  },
);

forEachDatabase(
  'of fifty concurrent subjects with one address, one gets the account',
  { ...options, only: 'postgres' },
  async (fixture) => {
    const { authenticate, other } = await openScene(fixture, 'create');
    const results = Array.from({ length: CONCURRENT }, (_, i) => authenticate({ ...ALICE, sub: `subject ${i}` }));
    const elsewhere = authenticate({ ...ALICE, sub: 'elsewhere' }, other);
    const accounts = await Promise.all([...results, elsewhere]);
    assert.equal(accounts.slice(0, CONCURRENT).filter((account) => account !== null).length, 1);
    assert.equal(new Set(accounts.flatMap((account) => account?.accountId ?? [])).size, 1);
    assert.ok(accounts.at(-1), 'one subject of the other issuer gets it as well');
    assert.equal((await links(fixture.database)).length, 2);
  },
);

forEachDatabase(
  'fifty concurrent first tokens of a subject with different addresses create one account',
  { ...options, only: 'postgres' },
  async (fixture) => {
    const { authenticate } = await openScene(fixture, 'create');
    const results = Array.from({ length: CONCURRENT }, (_, i) =>
      authenticate({ email: `address-${i}@example.org`, email_verified: true }),
    );
    const accounts = await Promise.all(results);
    assert.equal(new Set(accounts.map((account) => account?.accountId)).size, 1);
    const rows = await fixture.database.query<IdentityTables>().selectFrom('account').select('id').execute();
    assert.deepEqual(
      rows.map(({ id }) => id),
      [accounts[0]?.accountId],
    );
  },
);
