import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeAccount, PASSWORD } from '../../../test/support/identity/callers.ts';
import { confirmSignUp } from '../../../test/support/identity/confirm-sign-up.ts';
import { movableIdentity } from '../../../test/support/identity/identity.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { openMailbox } from '../../../test/support/platform/mailbox.ts';
import { MIGRATIONS } from '../../compose/index.ts';
import { lockAccount } from '../accounts/lock-account.ts';
import { replacePassword } from '../accounts/replace-password.ts';
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
const AT_ONCE = 50;
const BROWSER = { userAgent: 'a browser' };
/** One network gets three mails an hour: this is another than nowhere. */
const ELSEWHERE = { network: '192.0.2.0/24', userAgent: null };
const NEXT = 'another horse battery';

function atOnce<Result>(count: number, attempt: (i: number) => Promise<Result | null>): Promise<(Result | null)[]> {
  return Promise.all(Array.from({ length: count }, (_, i) => attempt(i)));
}

function winners<Result>(results: readonly (Result | null)[]): Result[] {
  return results.filter((result) => result !== null);
}

forEachDatabase('of fifty that confirm one sign-up at once one gets the account', options, async (fixture) => {
  await using box = await openMailbox(movableIdentity(fixture.database));
  const { identity } = box;
  await requestSignUp(identity, { email: 'new@example.org', password: PASSWORD, returnTo: null });
  const secret = await box.nextSecret();
  const [session, ...more] = winners(await atOnce(AT_ONCE, () => confirmSignUp(identity, secret)));
  assert.ok(session);
  assert.deepEqual(more, []);
  const db = fixture.database.query<IdentityTables>();
  assert.equal((await db.selectFrom('account').select('id').execute()).length, 1);
  assert.equal((await db.selectFrom('browser_session').select('id').execute()).length, 1);
  assert.ok(await authenticateSession(identity, session.secret));
});

forEachDatabase('of fifty wrong passwords for one sign-up at once ten are checked', options, async (fixture) => {
  await using box = await openMailbox(movableIdentity(fixture.database));
  const { identity } = box;
  await requestSignUp(identity, { email: 'new@example.org', password: PASSWORD, returnTo: null });
  const secret = await box.nextSecret();
  const guess = (i: number) => redeemSignUp(identity, secret, { ...BROWSER, password: `wrong password ${i}` });
  assert.deepEqual(winners(await atOnce(AT_ONCE, guess)), Array(10).fill('wrong_password'));
  assert.equal(await confirmSignUp(identity, secret), null);
  assert.deepEqual(await fixture.database.query<IdentityTables>().selectFrom('account').select('id').execute(), []);
});

forEachDatabase('of several sign-ups of one address that are confirmed at once one wins', options, async (fixture) => {
  await using box = await openMailbox(movableIdentity(fixture.database));
  const { identity } = box;
  const secrets: string[] = [];
  for (let i = 0; i < 5; i++) {
    const origin = i % 2 ? ELSEWHERE : undefined;
    const wish = { email: 'new@example.org', password: `password number ${i}`, returnTo: null, origin };
    await requestSignUp(identity, wish);
    secrets.push(await box.nextSecret());
  }
  const results = await atOnce(AT_ONCE, (i) =>
    confirmSignUp(identity, secrets[i % 5] ?? '', { password: `password number ${i % 5}` }),
  );
  assert.equal(winners(results).length, 1);
});

forEachDatabase('of fifty that use one link to reset at once one sets the password', options, async (fixture) => {
  await using box = await openMailbox(movableIdentity(fixture.database));
  const { identity } = box;
  const { id, email } = await makeAccount(identity);
  await requestPasswordReset(identity, { email });
  const secret = await box.nextSecret();
  const password = (i: number) => `password number ${i}`;
  const results = await atOnce(AT_ONCE, (i) => redeemReset(identity, secret, { ...BROWSER, password: password(i) }));
  assert.equal(winners(results).length, 1);
  assert.equal((await listSessions(identity, id)).length, 1);
  const won = results.findIndex((result) => result !== null);
  assert.ok(await signIn(identity, { email, password: password(won), userAgent: null }), 'it is that of the winner');
  const events = await listSecurityEvents(identity, id, { limit: 100 });
  assert.equal(events.filter(({ kind }) => kind === 'password_reset').length, 1);
});

forEachDatabase('of fifty that verify with one link at once one does', options, async (fixture) => {
  await using box = await openMailbox(movableIdentity(fixture.database));
  const { identity } = box;
  const { id, email } = await makeAccount(identity, { verified: false, password: null });
  await requestVerification(identity, { accountId: id });
  const secret = await box.nextSecret();
  assert.deepEqual(winners(await atOnce(AT_ONCE, () => redeemVerification(identity, secret))), [{ email }]);
  const events = await listSecurityEvents(identity, id, { limit: 100 });
  assert.equal(events.filter(({ kind }) => kind === 'email_verified').length, 1);
});

forEachDatabase(
  'different links of one account at once neither wait for ever nor both win',
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
    const results = await atOnce<object>(40, (i) => {
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

forEachDatabase('no session that the old password starts outlives a new one', options, async (fixture) => {
  const identity = movableIdentity(fixture.database);
  const { id, email } = await makeAccount(identity);
  const passwordHash = await hashPassword('another horse battery');
  const changed = Promise.withResolvers<void>();
  const change = fixture.database.transaction(async (tx) => {
    await lockAccount(tx, id);
    await replacePassword(tx, { id, email }, { passwordHash, keptSessionId: null, now: identity.clock.now() });
    changed.resolve();
    // Long enough for the old password to be checked while the new one is not there yet.
    await sleep(500);
  });
  await changed.promise;
  const session = await signIn(identity, { email, password: PASSWORD, userAgent: null });
  await change;
  assert.equal(session, null);
  assert.deepEqual(await listSessions(identity, id), []);
});
