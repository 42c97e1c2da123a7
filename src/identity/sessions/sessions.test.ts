import assert from 'node:assert/strict';
import { makeAccount, PASSWORD } from '../../../test/support/identity/callers.ts';
import { DAY, MINUTE, movableIdentity } from '../../../test/support/identity/identity.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { MIGRATIONS } from '../../compose/index.ts';
import { SCOPES } from '../../contract/index.ts';
import {
  authenticateSession,
  endOtherSessions,
  endSession,
  endSessionById,
  type IdentityContext,
  listSessions,
  removeExpiredSessions,
  signIn,
} from '../index.ts';
import { newSecret } from '../secrets.ts';
import type { IdentityTables } from '../tables.ts';

const options = { migrations: MIGRATIONS };

async function start(identity: IdentityContext, email: string, userAgent: string | null = null): Promise<string> {
  const session = await signIn(identity, { email, password: PASSWORD, userAgent });
  assert.ok(session);
  return session.secret;
}

forEachDatabase('starts a session only for the right password', options, async ({ database }) => {
  const identity = movableIdentity(database);
  const account = await makeAccount(identity, { email: 'a@example.org', plan: 'free', verified: false });
  await makeAccount(identity, { email: 'keys-only@example.org', password: null });
  const attempt = (email: string, password: string) => signIn(identity, { email, password, userAgent: null });
  assert.equal(await attempt('a@example.org', 'wrong horse battery'), null);
  assert.equal(await attempt('b@example.org', PASSWORD), null);
  assert.equal(await attempt('keys-only@example.org', PASSWORD), null);
  assert.deepEqual(await listSessions(identity, account.id), []);

  const session = await attempt('A@Example.org', PASSWORD);
  assert.ok(session);
  const { secret, ...rest } = session;
  const expiresAt = new Date(identity.clock.now().getTime() + 14 * DAY);
  assert.deepEqual(rest, { user: { id: account.id, email: account.email }, expiresAt });
  const principal = await authenticateSession(identity, secret);
  assert.deepEqual(principal, {
    kind: 'account',
    accountId: account.id,
    email: 'a@example.org',
    emailVerified: false,
    plan: 'free',
    administrator: false,
    credential: 'session',
    credentialId: principal?.credentialId,
    credentialExpiresAt: expiresAt,
    scopes: SCOPES,
  });
  for (const nonsense of [newSecret('alm_ses_'), `${secret}x`, '', newSecret('alm_gst_')])
    assert.equal(await authenticateSession(identity, nonsense), null, nonsense);
});

forEachDatabase('ends a session after fourteen days, however much it is used', options, async ({ database }) => {
  const identity = movableIdentity(database);
  const { id, email } = await makeAccount(identity);
  const old = await start(identity, email);
  identity.clock.advance(DAY);
  const young = await start(identity, email);
  const rowCount = async () =>
    (await database.query<IdentityTables>().selectFrom('browser_session').select('id').execute()).length;
  const useBoth = async () => {
    for (const secret of [old, young]) assert.ok(await authenticateSession(identity, secret));
  };

  for (const days of [5, 6, 2]) {
    await useBoth();
    identity.clock.advance(days * DAY);
  }
  identity.clock.advance(-1);
  await useBoth();
  identity.clock.advance(1);
  assert.equal(await authenticateSession(identity, old), null);
  assert.ok(await authenticateSession(identity, young));
  assert.equal((await listSessions(identity, id)).length, 1);
  assert.equal(await endOtherSessions(identity, id, 'ses_none'), 1, 'an expired session cannot be ended');

  await start(identity, email);
  identity.clock.advance(MINUTE);
  assert.equal(await rowCount(), 2);
  await removeExpiredSessions(identity);
  assert.equal(await rowCount(), 1);
});

forEachDatabase('ends a session that is unused for seven days', options, async ({ database }) => {
  const identity = movableIdentity(database);
  const { id, email } = await makeAccount(identity);
  const [idle, used] = [await start(identity, email), await start(identity, email)];
  const idleId = (await authenticateSession(identity, idle))?.credentialId ?? '';
  const lastUse = async () =>
    (await listSessions(identity, id)).map(({ last_used_at }) => last_used_at.getTime()).sort();
  const begin = identity.clock.now().getTime();
  assert.deepEqual(await lastUse(), [begin, begin]);

  identity.clock.advance(5 * MINUTE);
  await authenticateSession(identity, used);
  assert.deepEqual(await lastUse(), [begin, begin], 'uses within five minutes are written once');
  identity.clock.advance(1);
  await Promise.all(Array.from({ length: 10 }, () => authenticateSession(identity, used)));
  assert.deepEqual(await lastUse(), [begin, begin + 5 * MINUTE + 1]);

  identity.clock.advance(7 * DAY - 5 * MINUTE - 2);
  assert.equal((await listSessions(identity, id)).length, 2);
  identity.clock.advance(1);
  assert.equal(await authenticateSession(identity, idle), null);
  assert.equal(await endSessionById(identity, id, idleId), false, 'the session has already ended');
  assert.equal((await listSessions(identity, id)).length, 1);
  assert.ok(await authenticateSession(identity, used));
  identity.clock.advance(1);
  await removeExpiredSessions(identity);
  const rows = await database.query<IdentityTables>().selectFrom('browser_session').select('id').execute();
  assert.equal(rows.length, 1);
});

forEachDatabase('ends one session of an account by its id', options, async ({ database }) => {
  const identity = movableIdentity(database);
  const [mine, other] = [await makeAccount(identity), await makeAccount(identity)];
  const [here, there] = [await start(identity, mine.email), await start(identity, mine.email)];
  const theirs = await start(identity, other.email);
  const idOf = async (secret: string) => (await authenticateSession(identity, secret))?.credentialId ?? '';
  const [hereId, theirsId] = [await idOf(here), await idOf(theirs)];
  for (const id of [theirsId, 'ses_none', '']) assert.equal(await endSessionById(identity, mine.id, id), false, id);
  assert.equal(await endSessionById(identity, mine.id, hereId), true);
  assert.equal(await endSessionById(identity, mine.id, hereId), false);
  assert.equal(await authenticateSession(identity, here), null);
  for (const secret of [there, theirs]) assert.ok(await authenticateSession(identity, secret));
});

forEachDatabase('lists sessions newest first and ends each alone', options, async ({ database }) => {
  const identity = movableIdentity(database);
  const mine = await makeAccount(identity);
  const other = await makeAccount(identity);
  const theirs = await start(identity, other.email);
  const first = await start(identity, mine.email, 'first browser');
  identity.clock.advance(MINUTE);
  const second = await start(identity, mine.email, `${'x'.repeat(300)} and more`);
  identity.clock.advance(MINUTE);
  const third = await start(identity, mine.email);
  const agents = async () => (await listSessions(identity, mine.id)).map(({ user_agent }) => user_agent);
  assert.deepEqual(await agents(), [null, 'x'.repeat(300), 'first browser']);

  await endSession(identity, second);
  await endSession(identity, second);
  assert.equal(await authenticateSession(identity, second), null);
  assert.deepEqual(await agents(), [null, 'first browser']);

  await start(identity, mine.email);
  const kept = (await authenticateSession(identity, third))?.credentialId ?? null;
  assert.equal(await endOtherSessions(identity, mine.id, kept), 2);
  assert.equal(await authenticateSession(identity, first), null);
  assert.ok(await authenticateSession(identity, third));
  assert.equal(await endOtherSessions(identity, mine.id, kept), 0);
  assert.equal(await endOtherSessions(identity, mine.id, null), 1, 'without a session of its own, a key ends all');
  assert.ok(await authenticateSession(identity, theirs), 'another account is not affected');
});
