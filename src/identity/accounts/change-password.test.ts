import assert from 'node:assert/strict';
import { makeAccount, PASSWORD } from '../../../test/support/identity/callers.ts';
import { DAY, movableIdentity } from '../../../test/support/identity/identity.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { readComparableRows } from '../../../test/support/platform/rows.ts';
import { MIGRATIONS } from '../../compose/index.ts';
import {
  authenticateSession,
  changePassword,
  createClient,
  listGrants,
  listSecurityEvents,
  markVerified,
  setPassword,
  signIn,
} from '../index.ts';
import type { OAuthTables } from '../oauth/tables.ts';

const options = { migrations: MIGRATIONS };
const NEXT = 'another horse battery';

forEachDatabase('a new password ends every session except the current one', options, async ({ database }) => {
  const identity = movableIdentity(database);
  const { id: accountId, email } = await makeAccount(identity);
  const start = async (password: string) =>
    (await signIn(identity, { email, password, userAgent: null }))?.secret ?? 'none';
  const [here, there] = [await start(PASSWORD), await start(PASSWORD)];
  const keptSessionId = (await authenticateSession(identity, here))?.credentialId ?? null;

  const change = { accountId, keptSessionId, current: PASSWORD, next: NEXT };
  assert.equal(await changePassword(identity, { ...change, current: 'a wrong guess' }), false);
  const rows = await readComparableRows(database);
  assert.equal(await changePassword(identity, { ...change, current: 'a wrong guess', next: 'a wrong guess' }), false);
  assert.equal(await changePassword(identity, { ...change, accountId: 'usr_none' }), false);
  for (const next of ['short', 'with a \u0000 in it', 'x'.repeat(1_025), ' '.repeat(20), PASSWORD])
    await assert.rejects(changePassword(identity, { ...change, next }), {
      code: 'INVALID_REQUEST',
      message: /^new_password: /,
    });
  assert.deepEqual(await readComparableRows(database), rows, 'a refused change has no effect');

  assert.equal(await changePassword(identity, change), true);
  assert.ok(await authenticateSession(identity, here));
  assert.equal(await authenticateSession(identity, there), null);
  assert.equal(await start(PASSWORD), 'none');
  assert.notEqual(await start(NEXT), 'none');
  assert.equal(await changePassword(identity, change), false, 'the old password is wrong afterwards');
});

forEachDatabase('a new password ends the grants of applications', options, async ({ database }) => {
  const identity = movableIdentity(database);
  const { id: accountId } = await makeAccount(identity);
  const other = await makeAccount(identity, { password: null });
  const client = await createClient(identity, {
    name: 'An application',
    redirectUris: ['https://application.example/back'],
    confidential: false,
  });
  for (const owner of [accountId, other.id]) {
    const now = identity.clock.now();
    const keys = { model: 'Grant', id: `grant of ${owner}`, grant_id: `grant of ${owner}`, uid: null };
    const times = { created_at: now, expires_at: new Date(now.getTime() + DAY), consumed_at: null, last_used_at: null };
    const parties = { account_id: owner, client_id: client.client_id };
    await database
      .query<OAuthTables>()
      .insertInto('oauth_record')
      .values({ ...keys, ...times, ...parties, payload: {} })
      .execute();
  }
  assert.equal((await listGrants(identity, accountId)).length, 1);
  const change = { accountId, keptSessionId: null, current: PASSWORD, next: NEXT };
  assert.equal(await changePassword(identity, change), true);
  assert.deepEqual(await listGrants(identity, accountId), []);
  assert.equal((await listGrants(identity, other.id)).length, 1);
});

forEachDatabase('the operator can verify an address and set a password', options, async ({ database }) => {
  const identity = movableIdentity(database);
  const { id, email } = await makeAccount(identity, { verified: false });
  const before = await signIn(identity, { email, password: PASSWORD, userAgent: null });
  for (let i = 0; i < 2; i++)
    assert.deepEqual(await markVerified(identity, email.toUpperCase()), { id, email, verified: true });
  assert.equal((await authenticateSession(identity, before?.secret ?? ''))?.emailVerified, true);
  await assert.rejects(setPassword(identity, email, 'short'), { message: /^password: / });
  assert.deepEqual(await setPassword(identity, email.toUpperCase(), NEXT), { id, email, changed: true });
  assert.equal(await authenticateSession(identity, before?.secret ?? ''), null);
  assert.ok(await signIn(identity, { email, password: NEXT, userAgent: null }));
  const kinds = (await listSecurityEvents(identity, id, { limit: 9 })).map(({ kind }) => kind);
  assert.deepEqual(kinds, ['signed_in', 'password_changed', 'email_verified', 'signed_in', 'account_created']);
  await assert.rejects(markVerified(identity, 'x@example.org'), { code: 'NOT_FOUND' });
  await assert.rejects(setPassword(identity, 'x@example.org', NEXT), { code: 'NOT_FOUND' });
});

forEachDatabase('an account without a password cannot change it', options, async ({ database }) => {
  const identity = movableIdentity(database);
  const { id: accountId } = await makeAccount(identity, { password: null });
  const change = { accountId, keptSessionId: null, current: '', next: NEXT };
  assert.equal(await changePassword(identity, change), false);
});

forEachDatabase(
  'of ten concurrent changes of one password, one succeeds',
  { ...options, only: 'postgres' },
  async ({ database }) => {
    const identity = movableIdentity(database);
    const { id: accountId } = await makeAccount(identity);
    const changes = Array.from({ length: 10 }, (_, i) =>
      changePassword(identity, { accountId, keptSessionId: null, current: PASSWORD, next: `password number ${i}` }),
    );
    assert.equal((await Promise.all(changes)).filter(Boolean).length, 1);
  },
);
