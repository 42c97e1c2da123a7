import assert from 'node:assert/strict';
import { makeAccount } from '../../../test/support/identity/callers.ts';
import { DAY, movableIdentity } from '../../../test/support/identity/identity.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { readAllRows, tablesContaining } from '../../../test/support/platform/rows.ts';
import { MIGRATIONS } from '../../compose/index.ts';
import { lockAccount } from '../accounts/accounts.ts';
import { replacePassword } from '../accounts/change-password.ts';
import type { IdentityContext } from '../context.ts';
import { listSecurityEvents } from '../security-events.ts';
import { startSession } from '../sessions/browser-sessions.ts';
import { endOtherSessions, listSessions } from '../sessions/manage-sessions.ts';
import { saveGrant } from './adapter.ts';
import { createClient, removeClient } from './clients.ts';
import { endGrant, listGrants, revokeGrant, revokeGrants } from './grants.ts';
import {
  consumeRecord,
  findRecord,
  findRecordByUid,
  MAX_OPEN_INTERACTIONS,
  newRecord,
  removeExpiredOAuth,
  removeProviderSession,
  saveInteraction,
  saveRecord,
} from './records.ts';

const options = { migrations: MIGRATIONS };

/** An account that has authorized an application. */
async function authorizeApplication(identity: IdentityContext, grantId = 'grt_1') {
  // Without a workspace, so that the account can be removed.
  const withoutWorkspace = { ...identity, onAccountCreated: async () => {} };
  const { id: accountId } = await makeAccount(withoutWorkspace, { password: null });
  const { client_id: clientId } = await createClient(identity, { name: 'App', redirectUris: ['https://app.example/'] });
  const holder = { accountId, clientId };
  await storeGrant(identity, grantId, holder);
  const store = (model: string, id: string, payload: object, seconds: number) =>
    saveRecord(identity.database, newRecord(identity.clock.now(), model, id, { ...payload }, seconds));
  return { ...holder, store, token: { ...holder, grantId, kind: 'RefreshToken' } };
}

function storeGrant(identity: IdentityContext, grantId: string, holder: object, seconds = 3_600): Promise<void> {
  const payload = { ...holder, jti: grantId, kind: 'Grant' };
  return saveGrant(identity, newRecord(identity.clock.now(), 'Grant', grantId, payload, seconds));
}

forEachDatabase('restores stored records and stores no secrets', options, async ({ database }) => {
  const identity = movableIdentity(database);
  const { store, token } = await authorizeApplication(identity);
  const seconds = Math.floor(identity.clock.now().getTime() / 1_000);
  const payload = { ...token, jti: 'the-refresh-token', iat: seconds, exp: 1 };
  await store('RefreshToken', 'the-refresh-token', payload, 60);
  assert.deepEqual(await findRecord(database, 'RefreshToken', 'the-refresh-token'), { ...payload, exp: seconds + 60 });
  assert.equal(await findRecord(database, 'AuthorizationCode', 'the-refresh-token'), undefined);
  assert.equal(await findRecord(database, 'RefreshToken', 'another'), undefined);

  const session = { accountId: token.accountId, uid: 'uid-1', jti: 'the-session-cookie', kind: 'Session' };
  await store('Session', 'the-session-cookie', session, 60);
  assert.deepEqual(await findRecord(database, 'Session', 'the-session-cookie'), { ...session, exp: seconds + 60 });
  const { jti: _, ...byUid } = session;
  assert.deepEqual(await findRecordByUid(database, 'Session', 'uid-1'), { ...byUid, exp: seconds + 60 });

  const interaction = {
    jti: 'the-interaction',
    kind: 'Interaction',
    returnTo: 'http://127.0.0.1/auth/oauth/authorize/the-interaction',
    session: { accountId: token.accountId, uid: 'uid-1', cookie: 'the-session-cookie' },
  };
  await store('Interaction', 'the-interaction', interaction, 60);
  const found = await findRecord(database, 'Interaction', 'the-interaction');
  assert.equal(found?.returnTo, '/auth/oauth/authorize/the-interaction');
  assert.deepEqual(found?.session, { accountId: token.accountId, uid: 'uid-1' });
  for (const secret of ['the-refresh-token', 'the-session-cookie', 'the-interaction']) {
    assert.deepEqual(await tablesContaining(database, secret), [], secret);
  }
  await removeProviderSession(database, 'uid-1');
  assert.equal(await findRecord(database, 'Session', 'the-session-cookie'), undefined);
});

forEachDatabase('stores any text that an application sends', options, async ({ database }) => {
  const { store, token } = await authorizeApplication(movableIdentity(database));
  const state = 'a\u0000b \ud800 "\\ \u2028';
  await store('RefreshToken', 'odd', { ...token, state }, 60);
  assert.equal((await findRecord(database, 'RefreshToken', 'odd'))?.state, state);
});

forEachDatabase('consumes a record once', options, async ({ database }) => {
  const identity = movableIdentity(database);
  const { store, token } = await authorizeApplication(identity);
  await store('AuthorizationCode', 'code', token, 60);
  const uses = await Promise.all(
    Array.from({ length: 20 }, () => consumeRecord(identity, 'AuthorizationCode', 'code')),
  );
  assert.equal(uses.filter(Boolean).length, 1);
  const found = await findRecord(database, 'AuthorizationCode', 'code');
  assert.equal(found?.consumed, Math.floor(identity.clock.now().getTime() / 1_000));
  assert.equal(await consumeRecord(identity, 'AuthorizationCode', 'unknown'), false);
});

forEachDatabase('a grant lasts as long as its tokens', options, async ({ database }) => {
  const identity = movableIdentity(database);
  const { accountId, store, token } = await authorizeApplication(identity);
  await store('RefreshToken', 'first', token, (30 * DAY) / 1_000);
  identity.clock.advance(29 * DAY);
  await removeExpiredOAuth(identity);
  assert.equal((await listGrants(identity, accountId)).length, 1);
  await store('RefreshToken', 'second', token, (30 * DAY) / 1_000);
  identity.clock.advance(2 * DAY);
  await removeExpiredOAuth(identity);
  assert.equal(await findRecord(database, 'RefreshToken', 'first'), undefined);
  assert.ok(await findRecord(database, 'RefreshToken', 'second'));
  assert.equal((await listGrants(identity, accountId)).length, 1);
  identity.clock.advance(29 * DAY);
  assert.deepEqual(await listGrants(identity, accountId), []);
  await removeExpiredOAuth(identity);
  assert.deepEqual((await readAllRows(database))['public.oauth_record'], []);
});

forEachDatabase('stores nothing under a removed grant', options, async ({ database }) => {
  const identity = movableIdentity(database);
  const { accountId, store, token } = await authorizeApplication(identity);
  await store('RefreshToken', 'first', token, 60);
  assert.equal(await revokeGrant(identity, accountId, 'grt_1'), true);
  await store('RefreshToken', 'second', token, 60);
  assert.deepEqual((await readAllRows(database))['public.oauth_record'], []);
});

forEachDatabase(
  'ends grants one by one, all together, or with the account or the application',
  options,
  async ({ database }) => {
    const identity = movableIdentity(database);
    const ann = await authorizeApplication(identity, 'grt_ann_1');
    identity.clock.advance(1_000);
    await storeGrant(identity, 'grt_ann_2', ann);
    const bob = await authorizeApplication(identity, 'grt_bob');
    await ann.store('RefreshToken', 'ann-1', { ...ann.token, grantId: 'grt_ann_1' }, 60);
    await ann.store('RefreshToken', 'ann-2', { ...ann.token, grantId: 'grt_ann_2' }, 60);
    const ids = async (accountId: string) => (await listGrants(identity, accountId)).map(({ id }) => id);
    assert.deepEqual(await ids(ann.accountId), ['grt_ann_2', 'grt_ann_1']);

    assert.equal(await revokeGrant(identity, ann.accountId, 'grt_bob'), false, "another account's");
    assert.equal(await revokeGrant(identity, ann.accountId, 'grt_ann_1'), true);
    assert.equal(await revokeGrant(identity, ann.accountId, 'grt_ann_1'), false);
    assert.equal(await findRecord(database, 'RefreshToken', 'ann-1'), undefined);
    assert.ok(await findRecord(database, 'RefreshToken', 'ann-2'));
    assert.equal(await revokeGrants(database, ann.accountId), 1);
    assert.equal(await findRecord(database, 'RefreshToken', 'ann-2'), undefined);
    assert.deepEqual(await ids(bob.accountId), ['grt_bob']);

    await storeGrant(identity, 'grt_over', bob, 0);
    await removeClient(identity, bob.clientId);
    assert.deepEqual(await ids(bob.accountId), []);
    const revocations = (await listSecurityEvents(identity, bob.accountId, { limit: 9 })).filter(
      ({ kind }) => kind === 'grant_revoked',
    );
    assert.deepEqual(
      revocations.map(({ details }) => details),
      [{ grant_id: 'grt_bob', client: 'App' }],
      'live grants are recorded, expired ones are not',
    );
    const carol = await authorizeApplication(identity, 'grt_carol');
    await database
      .query<{ account: { id: string } }>()
      .deleteFrom('account')
      .where('id', '=', carol.accountId)
      .execute();
    assert.deepEqual((await readAllRows(database))['public.oauth_record'], []);
  },
);

forEachDatabase(
  'records the end of a grant once, even if several requests end it at the same time',
  options,
  async ({ database }) => {
    const identity = movableIdentity(database);
    const { accountId } = await authorizeApplication(identity);
    const ended = await Promise.all(
      Array.from({ length: 10 }, () => endGrant(identity, 'grt_1', { kind: 'token_reuse_detected' })),
    );
    assert.equal(ended.filter(Boolean).length, 1);
    const events = (await readAllRows(database))['public.security_event']?.map((row) => JSON.parse(row)) ?? [];
    const kinds = events.filter((event) => event.account_id === accountId).map(({ kind }) => kind);
    assert.deepEqual(kinds.toSorted(), ['account_created', 'client_authorized', 'token_reuse_detected']);
  },
);

forEachDatabase('a second click on "allow" creates no second grant', options, async ({ database }) => {
  const identity = movableIdentity(database);
  const holder = await authorizeApplication(identity);
  identity.clock.advance(60_000);
  await storeGrant(identity, 'grt_1', holder);
  const grants = await listGrants(identity, holder.accountId);
  assert.deepEqual(grants, [
    { id: 'grt_1', clientName: 'App', createdAt: new Date('2026-03-01T09:30:00.120Z'), lastUsedAt: null },
  ]);
  const events = (await readAllRows(database))['public.security_event']?.filter((row) =>
    row.includes('client_authorized'),
  );
  assert.equal(events?.length, 1);
});

/** Returns the id of a new session of an account. */
async function startTestSession(identity: IdentityContext, accountId: string): Promise<string> {
  const user = { id: accountId, email: 'person@example.org' };
  const started = { now: identity.clock.now(), origin: { network: null, userAgent: null }, by: 'password' } as const;
  await identity.database.transaction((tx) => startSession(tx, user, started));
  const [session] = await listSessions(identity, accountId);
  return session?.id ?? '';
}

forEachDatabase('an ended session creates no grant', options, async ({ database }) => {
  const identity = movableIdentity(database);
  const { accountId, clientId } = await authorizeApplication(identity);
  const sessionId = await startTestSession(identity, accountId);
  const grant = (id: string) => newRecord(identity.clock.now(), 'Grant', id, { accountId, clientId }, 60);
  await saveGrant(identity, grant('grt_2'), { sessionId });
  await endOtherSessions(identity, accountId, null);
  await saveGrant(identity, grant('grt_3'), { sessionId });
  const grants = await listGrants(identity, accountId);
  assert.deepEqual(grants.map(({ id }) => id).toSorted(), ['grt_1', 'grt_2']);
});

forEachDatabase(
  'stores no grant while a new password ends them all',
  { ...options, only: 'postgres' },
  async ({ database }) => {
    const identity = movableIdentity(database);
    const { accountId, clientId } = await authorizeApplication(identity);
    const account = { id: accountId, email: 'person@example.org' };
    for (let round = 0; round < 20; round++) {
      const sessionId = await startTestSession(identity, accountId);
      const now = identity.clock.now();
      const grants = Array.from({ length: 5 }, (_, i) => {
        const grant = newRecord(now, 'Grant', `grt_${round}_${i}`, { accountId, clientId }, 60);
        return saveGrant(identity, grant, { sessionId });
      });
      const change = database.transaction(async (tx) => {
        await lockAccount(tx, accountId);
        await replacePassword(tx, account, { passwordHash: 'x', keptSessionId: null, now });
      });
      await Promise.all([...grants, change]);
      assert.deepEqual(await listGrants(identity, accountId), []);
    }
  },
);

forEachDatabase('keeps the newest open interactions of each network', options, async ({ database }) => {
  const identity = movableIdentity(database);
  const begin = (id: string, network: string | null) => {
    identity.clock.advance(1);
    const record = newRecord(identity.clock.now(), 'Interaction', id, { params: { state: 's' } }, 3_600);
    return saveInteraction(database, record, { network, userAgent: null });
  };
  await begin('elsewhere', '198.51.100.0/24');
  await begin('unknown', null);
  for (let i = 0; i < MAX_OPEN_INTERACTIONS + 3; i += 1) await begin(`flood-${i}`, '192.0.2.0/24');
  const isOpen = async (id: string) => (await findRecord(database, 'Interaction', id)) !== undefined;
  const ids = ['elsewhere', 'unknown', 'flood-0', 'flood-2', 'flood-3', `flood-${MAX_OPEN_INTERACTIONS + 2}`];
  assert.deepEqual(await Promise.all(ids.map(isOpen)), [true, true, false, false, true, true]);
});
