import assert from 'node:assert/strict';
import { makeAccount } from '../../../test/support/identity/callers.ts';
import { DAY, MINUTE, movableIdentity, SECOND } from '../../../test/support/identity/identity.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { MIGRATIONS } from '../../compose/index.ts';
import { SCOPES, type Scope } from '../../contract/index.ts';
import { authenticateKey, createApiKey, createApiKeyForCaller, listApiKeys, revokeApiKey } from '../index.ts';
import { hashSecret, newSecret } from '../secrets.ts';
import type { IdentityTables } from '../tables.ts';

const options = { migrations: MIGRATIONS };
const NO_PASSWORD = { password: null };

forEachDatabase('authenticates an account by its key, with the scopes of the key', options, async ({ database }) => {
  const identity = movableIdentity(database);
  const traits = { plan: 'enterprise', administrator: true, verified: false } as const;
  const account = await makeAccount(identity, { ...traits, ...NO_PASSWORD });
  const request = { accountId: account.id, name: 'Ÿ 👍', scopes: ['events:read', 'account:read'] } as const;
  const created = await createApiKey(identity, request);
  const { key, ...shown } = created;
  assert.match(created.id, /^key_[0-9A-HJKMNP-TV-Z]{26}$/);
  assert.match(key, /^alm_pat_[0-9A-Za-z]{49}$/);
  assert.deepEqual(shown, {
    id: created.id,
    name: 'Ÿ 👍',
    hint: key.slice(0, 12),
    kind: 'personal',
    scopes: ['events:read', 'account:read'],
    created_at: '2026-03-01T09:30:00.120Z',
    expires_at: null,
    last_used_at: null,
  });
  assert.deepEqual(await listApiKeys(identity, account.id), [shown]);
  assert.deepEqual(await authenticateKey(identity, key), {
    kind: 'account',
    accountId: account.id,
    email: account.email,
    emailVerified: false,
    plan: 'enterprise',
    administrator: true,
    credential: 'key',
    credentialId: created.id,
    credentialExpiresAt: null,
    scopes: ['events:read', 'account:read'],
  });
  const service = await createApiKey(identity, { ...request, kind: 'service', scopes: ['events:read', 'events:read'] });
  assert.deepEqual(service.scopes, ['events:read'], 'a repeated scope counts once');
  assert.match(service.key, /^alm_svc_/);
  assert.equal((await authenticateKey(identity, service.key))?.credentialId, service.id);
  for (const nonsense of [newSecret('alm_pat_'), `${key}x`, key.toLowerCase(), '', 'alm_pat_', newSecret('alm_ses_')])
    assert.equal(await authenticateKey(identity, nonsense), null, nonsense);
});

forEachDatabase('ends a key when it expires, and immediately when it is revoked', options, async ({ database }) => {
  const identity = movableIdentity(database);
  const { id: accountId } = await makeAccount(identity, NO_PASSWORD);
  const make = (expiresAt: Date | null) => createApiKey(identity, { accountId, name: 'k', scopes: SCOPES, expiresAt });
  const expiresAt = new Date(identity.clock.now().getTime() + DAY);
  const ids = async () => (await listApiKeys(identity, accountId)).map(({ id }) => id);
  const short = await make(expiresAt);
  identity.clock.advance(1);
  const lasting = await make(null);
  assert.deepEqual(await ids(), [lasting.id, short.id], 'newest first');
  for (const past of [identity.clock.now(), new Date(0)])
    await assert.rejects(make(past), { code: 'INVALID_REQUEST', message: /^expires_at: / });

  identity.clock.advance(DAY - 2);
  assert.deepEqual((await authenticateKey(identity, short.key))?.credentialExpiresAt, expiresAt);
  identity.clock.advance(1);
  assert.equal(await authenticateKey(identity, short.key), null);
  assert.equal(await revokeApiKey(identity, { keyId: short.id, accountId }), false, 'an expired key cannot be revoked');
  assert.deepEqual(await ids(), [lasting.id]);

  const revocations = Array.from({ length: 5 }, () => revokeApiKey(identity, { keyId: lasting.id, accountId }));
  assert.deepEqual((await Promise.all(revocations)).sort(), [false, false, false, false, true]);
  assert.equal(await authenticateKey(identity, lasting.key), null);
  assert.deepEqual(await ids(), []);
});

forEachDatabase('revokes only a key within the given account and scopes', options, async ({ database }) => {
  const identity = movableIdentity(database);
  const [mine, theirs] = [await makeAccount(identity, NO_PASSWORD), await makeAccount(identity, NO_PASSWORD)];
  const scopes: Scope[] = ['account:read', 'events:read'];
  const { id: keyId, key } = await createApiKey(identity, { accountId: mine.id, name: 'k', scopes });
  assert.deepEqual(await listApiKeys(identity, theirs.id), []);
  const refused: Parameters<typeof revokeApiKey>[1][] = [
    { keyId, accountId: theirs.id },
    { keyId: 'key_nothing', accountId: mine.id },
    { keyId, accountId: mine.id, withinScopes: [] },
    { keyId, accountId: mine.id, withinScopes: ['account:read'] },
    { keyId, accountId: mine.id, withinScopes: SCOPES.filter((scope) => scope !== 'events:read') },
  ];
  for (const bounds of refused) assert.equal(await revokeApiKey(identity, bounds), false, JSON.stringify(bounds));
  assert.ok(await authenticateKey(identity, key));
  assert.equal(await revokeApiKey(identity, { keyId, accountId: mine.id, withinScopes: scopes }), true);
  assert.equal(await authenticateKey(identity, key), null);
});

forEachDatabase('records the last use of a key to five minutes', options, async ({ database }) => {
  const identity = movableIdentity(database);
  const { id: accountId } = await makeAccount(identity, NO_PASSWORD);
  const { key } = await createApiKey(identity, { accountId, name: 'k', scopes: SCOPES });
  const lastUse = async () => (await listApiKeys(identity, accountId))[0]?.last_used_at;
  const useAfter = async (milliseconds: number) => {
    identity.clock.advance(milliseconds);
    assert.ok(await authenticateKey(identity, key));
    return lastUse();
  };
  assert.equal(await lastUse(), null);
  assert.equal(await useAfter(MINUTE), '2026-03-01T09:31:00.120Z');
  assert.equal(await useAfter(4 * MINUTE), '2026-03-01T09:31:00.120Z');
  assert.equal(await useAfter(MINUTE + SECOND), '2026-03-01T09:36:01.120Z');
});

forEachDatabase('allows 100 live keys, even for concurrent requests', options, async (fixture) => {
  const { database } = fixture;
  const identity = movableIdentity(database);
  const { id: accountId } = await makeAccount(identity, NO_PASSWORD);
  const ended = new Date(identity.clock.now().getTime() - 1);
  const filler = (name: string, ends: { expires_at?: Date; revoked_at?: Date } = {}) => ({
    ...{ id: `key_${name}`, account_id: accountId, kind: 'personal' as const, name, hint: '', scopes: [] },
    ...{ secret_hash: hashSecret(name), created_at: ended, last_used_at: null, expires_at: null, revoked_at: null },
    ...ends,
  });
  const live = Array.from({ length: 95 }, (_, index) => filler(`live-${index}`));
  const over = Array.from({ length: 30 }, (_, index) =>
    filler(`over-${index}`, index % 2 ? { expires_at: ended } : { revoked_at: ended }),
  );
  await database
    .query<IdentityTables>()
    .insertInto('api_key')
    .values([...live, ...over])
    .execute();

  const attempts = Array.from({ length: 20 }, () =>
    createApiKey(identity, { accountId, name: 'k', scopes: SCOPES }).then(
      () => 'created',
      (error) => error.code,
    ),
  );
  assert.deepEqual((await Promise.all(attempts)).sort(), [
    ...Array(15).fill('LIMIT_REACHED'),
    ...Array(5).fill('created'),
  ]);
  assert.equal((await listApiKeys(identity, accountId)).length, 100);

  await revokeApiKey(identity, { keyId: 'key_live-0' });
  await createApiKey(identity, { accountId, name: 'after the revocation of one', scopes: SCOPES });
  const neighbor = await makeAccount(identity, NO_PASSWORD);
  await createApiKey(identity, { accountId: neighbor.id, name: 'k', scopes: SCOPES });
});

forEachDatabase('revokes the keys that a revoked key created', options, async ({ database }) => {
  const identity = movableIdentity(database);
  const { id: accountId } = await makeAccount(identity, NO_PASSWORD);
  const make = (madeBy: string | null) => createApiKey(identity, { accountId, name: 'k', scopes: SCOPES, madeBy });
  const root = await make(null);
  const child = await make(root.id);
  const grandchild = await make(child.id);
  const other = await make(null);
  assert.equal(await revokeApiKey(identity, { keyId: root.id, accountId }), true);
  for (const { key } of [root, child, grandchild]) assert.equal(await authenticateKey(identity, key), null);
  assert.notEqual(await authenticateKey(identity, other.key), null);
  await assert.rejects(make(root.id), { code: 'UNAUTHENTICATED' });
});

forEachDatabase(
  'refuses or revokes a key that is created while its creator is revoked',
  { ...options, only: 'postgres' },
  async ({ database }) => {
    const identity = movableIdentity(database);
    const { id: accountId } = await makeAccount(identity, NO_PASSWORD);
    for (let round = 0; round < 20; round++) {
      const creator = await createApiKey(identity, { accountId, name: 'creator', scopes: SCOPES });
      const [created] = await Promise.allSettled([
        createApiKey(identity, { accountId, name: 'created', scopes: SCOPES, madeBy: creator.id }),
        revokeApiKey(identity, { keyId: creator.id, accountId }),
      ]);
      if (created.status === 'fulfilled') assert.equal(await authenticateKey(identity, created.value.key), null);
    }
    assert.deepEqual(await listApiKeys(identity, accountId), []);
  },
);

forEachDatabase('a caller cannot create a key stronger than its credential', options, async ({ database }) => {
  const identity = movableIdentity(database);
  const { id: accountId } = await makeAccount(identity, NO_PASSWORD);
  const end = new Date(identity.clock.now().getTime() + DAY);
  const weak = await createApiKey(identity, { accountId, name: 'weak', scopes: ['account:read'], expiresAt: end });
  const caller = await authenticateKey(identity, weak.key);
  assert.ok(caller);
  const create = (scopes: Scope[] | undefined, expiresAt: Date | null) =>
    createApiKeyForCaller(identity, caller, { name: 'child', scopes, expiresAt });
  const later = new Date(end.getTime() + 1);
  await assert.rejects(create(['account:read', 'events:read'], null), { code: 'SCOPE_DENIED', message: /^scopes: / });
  await assert.rejects(create(undefined, later), { code: 'SCOPE_DENIED', message: /^expires_at: / });
  const child = await create(undefined, null);
  assert.deepEqual([child.scopes, child.expires_at], [['account:read'], end.toISOString()]);
  const session = { ...caller, credential: 'session' as const };
  const lasting = await createApiKeyForCaller(identity, session, { name: 'lasting', expiresAt: null });
  assert.equal(lasting.expires_at, null, 'the end of a browser session limits nothing');
  assert.equal((await listApiKeys(identity, accountId)).length, 3, 'refused keys were not created');
});
