import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { makeAccount, PASSWORD } from '../../../test/support/identity/callers.ts';
import { confirmSignUp } from '../../../test/support/identity/confirm-sign-up.ts';
import { movableIdentity } from '../../../test/support/identity/identity.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { openMailbox } from '../../../test/support/platform/mailbox.ts';
import { MIGRATIONS } from '../../compose/index.ts';
import type { Transaction } from '../../platform/index.ts';
import { lockAccount } from '../accounts/accounts.ts';
import { replacePassword } from '../accounts/change-password.ts';
import {
  authenticateSession,
  listSecurityEvents,
  listSessions,
  redeemReset,
  redeemSignUp,
  redeemVerification,
  requestPasswordReset,
  requestSignUp,
  requestVerification,
  signIn,
} from '../index.ts';
import { hashPassword } from '../passwords.ts';
import type { IdentityTables } from '../tables.ts';

const options = { migrations: MIGRATIONS, only: 'postgres' } as const;
const CONCURRENT = 50;
const BROWSER = { userAgent: 'a browser' };
/** A network of its own: one network can request three emails an hour. */
const ELSEWHERE = { network: '192.0.2.0/24', userAgent: null };
const NEXT = 'another horse battery';

function concurrently<Result>(
  count: number,
  attempt: (i: number) => Promise<Result | null>,
): Promise<(Result | null)[]> {
  return Promise.all(Array.from({ length: count }, (_, i) => attempt(i)));
}

function successes<Result>(results: readonly (Result | null)[]): Result[] {
  return results.filter((result) => result !== null);
}

forEachDatabase('of fifty concurrent confirmations of a sign-up, one creates the account', options, async (fixture) => {
  await using box = await openMailbox(movableIdentity(fixture.database));
  const { identity } = box;
  await requestSignUp(identity, { email: 'new@example.org', password: PASSWORD, returnTo: null });
  const secret = await box.nextSecret();
  const [session, ...more] = successes(await concurrently(CONCURRENT, () => confirmSignUp(identity, secret)));
  assert.ok(session);
  assert.deepEqual(more, []);
  const db = fixture.database.query<IdentityTables>();
  assert.equal((await db.selectFrom('account').select('id').execute()).length, 1);
  assert.equal((await db.selectFrom('browser_session').select('id').execute()).length, 1);
  assert.ok(await authenticateSession(identity, session.secret));
});

forEachDatabase('checks ten of fifty concurrent wrong passwords for a sign-up', options, async (fixture) => {
  await using box = await openMailbox(movableIdentity(fixture.database));
  const { identity } = box;
  await requestSignUp(identity, { email: 'new@example.org', password: PASSWORD, returnTo: null });
  const secret = await box.nextSecret();
  const guess = (i: number) => redeemSignUp(identity, secret, { ...BROWSER, password: `wrong password ${i}` });
  assert.deepEqual(successes(await concurrently(CONCURRENT, guess)), Array(10).fill('wrong_password'));
  assert.equal(await confirmSignUp(identity, secret), null);
  assert.deepEqual(await fixture.database.query<IdentityTables>().selectFrom('account').select('id').execute(), []);
});

forEachDatabase(
  'of several sign-ups of one address that are confirmed concurrently, one succeeds',
  options,
  async (fixture) => {
    await using box = await openMailbox(movableIdentity(fixture.database));
    const { identity } = box;
    const secrets: string[] = [];
    for (let i = 0; i < 5; i++) {
      const origin = i % 2 ? ELSEWHERE : undefined;
      const request = { email: 'new@example.org', password: `password number ${i}`, returnTo: null, origin };
      await requestSignUp(identity, request);
      secrets.push(await box.nextSecret());
    }
    const results = await concurrently(CONCURRENT, (i) =>
      confirmSignUp(identity, secrets[i % 5] ?? '', { password: `password number ${i % 5}` }),
    );
    assert.equal(successes(results).length, 1);
  },
);

forEachDatabase('of fifty concurrent uses of a reset link, one sets the password', options, async (fixture) => {
  await using box = await openMailbox(movableIdentity(fixture.database));
  const { identity } = box;
  const { id, email } = await makeAccount(identity);
  await requestPasswordReset(identity, { email });
  const secret = await box.nextSecret();
  const password = (i: number) => `password number ${i}`;
  const results = await concurrently(CONCURRENT, (i) =>
    redeemReset(identity, secret, { ...BROWSER, password: password(i) }),
  );
  assert.equal(successes(results).length, 1);
  assert.equal((await listSessions(identity, id)).length, 1);
  const winner = results.findIndex((result) => result !== null);
  assert.ok(
    await signIn(identity, { email, password: password(winner), userAgent: null }),
    'the password is that of the successful request',
  );
  const events = await listSecurityEvents(identity, id, { limit: 100 });
  assert.equal(events.filter(({ kind }) => kind === 'password_reset').length, 1);
});

forEachDatabase('of fifty concurrent uses of a verification link, one succeeds', options, async (fixture) => {
  await using box = await openMailbox(movableIdentity(fixture.database));
  const { identity } = box;
  const { id, email } = await makeAccount(identity, { verified: false, password: null });
  await requestVerification(identity, { accountId: id });
  const secret = await box.nextSecret();
  assert.deepEqual(successes(await concurrently(CONCURRENT, () => redeemVerification(identity, secret))), [{ email }]);
  const events = await listSecurityEvents(identity, id, { limit: 100 });
  assert.equal(events.filter(({ kind }) => kind === 'email_verified').length, 1);
});

forEachDatabase(
  'concurrent uses of different links of one account do not deadlock, and one of each kind succeeds',
  options,
  async (fixture) => {
    await using box = await openMailbox(movableIdentity(fixture.database));
    const { identity } = box;
    const { id, email } = await makeAccount(identity, { verified: false });
    const secrets: string[] = [];
    for (const request of [
      () => requestPasswordReset(identity, { email }),
      () => requestPasswordReset(identity, { email }),
      () => requestVerification(identity, { accountId: id, origin: ELSEWHERE }),
      () => requestVerification(identity, { accountId: id, origin: ELSEWHERE }),
    ]) {
      await request();
      secrets.push(await box.nextSecret());
    }
    const results = await concurrently<object>(40, (i) => {
      const secret = secrets[i % 4] ?? '';
      return i % 4 < 2
        ? redeemReset(identity, secret, { ...BROWSER, password: NEXT })
        : redeemVerification(identity, secret);
    });
    const resets = results.filter((result, i) => result !== null && i % 4 < 2);
    const verifications = results.filter((result, i) => result !== null && i % 4 >= 2);
    assert.equal(resets.length, 1);
    assert.ok(verifications.length <= 1);
    const events = await listSecurityEvents(identity, id, { limit: 100 });
    assert.equal(events.filter(({ kind }) => kind === 'email_verified').length, 1);
  },
);

forEachDatabase('the old password starts no session while a new one is being stored', options, async (fixture) => {
  const identity = movableIdentity(fixture.database);
  const { id, email } = await makeAccount(identity);
  const passwordHash = await hashPassword('another horse battery');
  const changed = Promise.withResolvers<void>();
  const change = fixture.database.transaction(async (tx) => {
    await lockAccount(tx, id);
    await replacePassword(tx, { id, email }, { passwordHash, keptSessionId: null, now: identity.clock.now() });
    changed.resolve();
    // The sign-in waits for this row only after it has checked the old password.
    await untilOtherWaits(tx);
  });
  await changed.promise;
  const session = await signIn(identity, { email, password: PASSWORD, userAgent: null });
  await change;
  assert.equal(session, null);
  assert.deepEqual(await listSessions(identity, id), []);
});

/** Waits until another transaction waits for this one to end. */
async function untilOtherWaits(tx: Transaction): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      SELECT FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid
    `.execute(tx.query());
    if (rows.length > 0) return;
    await sleep(5);
  }
}
