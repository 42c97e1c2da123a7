import assert from 'node:assert/strict';
import { SITE_URL } from '../../../test/support/api/api.ts';
import { makeAccount, PASSWORD } from '../../../test/support/identity/callers.ts';
import { confirmSignUp } from '../../../test/support/identity/confirm-sign-up.ts';
import { MINUTE, movableIdentity } from '../../../test/support/identity/identity.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { openMailbox, secretIn } from '../../../test/support/platform/mailbox.ts';
import { readComparableRows } from '../../../test/support/platform/rows.ts';
import { MIGRATIONS } from '../../compose/index.ts';
import {
  authenticateSession,
  changePassword,
  listSecurityEvents,
  listSessions,
  readLink,
  redeemReset,
  redeemVerification,
  requestPasswordReset,
  requestSignUp,
  requestVerification,
  signIn,
} from '../index.ts';

const options = { migrations: MIGRATIONS };
const BROWSER = { userAgent: 'a browser', network: '192.0.2.0/24' };
const NEXT = 'another horse battery';

forEachDatabase('a reset sets a new password and signs every other browser out', options, async (fixture) => {
  await using box = await openMailbox(movableIdentity(fixture.database));
  const { identity } = box;
  const { id, email } = await makeAccount(identity, { verified: false });
  const other = await makeAccount(identity);
  const theirs = await signIn(identity, { email: other.email, password: PASSWORD, userAgent: null });
  const before = await signIn(identity, { email, password: PASSWORD, userAgent: null });
  const origin = { network: '198.51.100.0/24', userAgent: 'another browser' };
  await requestPasswordReset(identity, { email: email.toUpperCase(), origin });
  const [mail] = await box.deliver();
  const secret = secretIn(mail);
  assert.deepEqual(mail?.links, [`${SITE_URL}/auth/reset?token=${secret}`]);
  assert.match(mail?.text ?? '', /from the network 198\.51\.100\.0\/24.*until 2026-03-01 10:30 UTC/s);
  assert.deepEqual(await readLink(identity, secret), { kind: 'reset_password', email, returnTo: null });
  assert.ok(await authenticateSession(identity, before?.secret ?? ''), 'nothing changes before the link is used');

  const rows = await readComparableRows(fixture.database);
  await assert.rejects(redeemReset(identity, secret, { ...BROWSER, password: 'short' }), { message: /^password: / });
  assert.deepEqual(await readComparableRows(fixture.database), rows, 'a refused password does not use the link');

  const session = await redeemReset(identity, secret, { ...BROWSER, password: NEXT });
  assert.deepEqual(session?.user, { id, email });
  assert.equal((await authenticateSession(identity, session?.secret ?? ''))?.emailVerified, true);
  assert.equal(await authenticateSession(identity, before?.secret ?? ''), null);
  assert.ok(await authenticateSession(identity, theirs?.secret ?? ''), 'another account is not affected');
  assert.equal((await listSessions(identity, id)).length, 1);
  assert.equal(await signIn(identity, { email, password: PASSWORD, userAgent: null }), null);
  assert.ok(await signIn(identity, { email, password: NEXT, userAgent: null }));
  assert.equal(await redeemReset(identity, secret, { ...BROWSER, password: PASSWORD }), null, 'a link works once');
  const events = await listSecurityEvents(identity, id, { limit: 20 });
  const requested = events.find(({ kind }) => kind === 'reset_requested');
  assert.deepEqual([requested?.network, requested?.user_agent], [origin.network, origin.userAgent]);
  for (const kind of ['password_reset', 'email_verified', 'sign_in_failed'] as const)
    assert.equal(events.filter((event) => event.kind === kind).length, 1, kind);
});

forEachDatabase('a reset closes the other reset links, sent or not', options, async (fixture) => {
  await using box = await openMailbox(movableIdentity(fixture.database));
  const { identity } = box;
  const { email } = await makeAccount(identity);
  const secrets: string[] = [];
  for (let i = 0; i < 2; i++) {
    await requestPasswordReset(identity, { email });
    secrets.push(await box.nextSecret());
  }
  await requestPasswordReset(identity, { email });
  assert.ok(await redeemReset(identity, secrets[1] ?? '', { ...BROWSER, password: NEXT }));
  assert.equal(await redeemReset(identity, secrets[0] ?? '', { ...BROWSER, password: PASSWORD }), null);
  assert.deepEqual(await box.deliver(), [], 'an unsent email is no longer sent');
});

forEachDatabase('a reset link works for an hour, and not after a password change', options, async (fixture) => {
  await using box = await openMailbox(movableIdentity(fixture.database));
  const { identity } = box;
  const { id, email } = await makeAccount(identity);
  await requestPasswordReset(identity, { email });
  const late = await box.nextSecret();
  identity.clock.advance(60 * MINUTE);
  assert.equal(await redeemReset(identity, late, { ...BROWSER, password: NEXT }), null);
  await requestPasswordReset(identity, { email });
  const overtaken = await box.nextSecret();
  assert.ok(await changePassword(identity, { accountId: id, keptSessionId: null, current: PASSWORD, next: NEXT }));
  assert.equal(await redeemReset(identity, overtaken, { ...BROWSER, password: PASSWORD }), null);
});

forEachDatabase('sends nothing to an address without an account', options, async (fixture) => {
  await using box = await openMailbox(movableIdentity(fixture.database));
  await requestPasswordReset(box.identity, { email: 'unknown@example.org' });
  assert.equal(box.waiting.length, 1, 'the request stores a link as for any address');
  assert.deepEqual(await box.deliver(), []);
  await assert.rejects(requestPasswordReset(box.identity, { email: 'unknown' }), { message: /^email: / });
});

forEachDatabase('a verification link verifies the address once', options, async (fixture) => {
  await using box = await openMailbox(movableIdentity(fixture.database));
  const { identity } = box;
  const { id, email } = await makeAccount(identity, { verified: false, password: null });
  const secrets: string[] = [];
  for (let i = 0; i < 2; i++) {
    await requestVerification(identity, { accountId: id });
    const [mail] = await box.deliver();
    secrets.push(secretIn(mail));
    assert.deepEqual(mail?.links, [`${SITE_URL}/auth/verify?token=${secrets[i]}`]);
  }
  await requestVerification(identity, { accountId: id });
  assert.deepEqual(await redeemVerification(identity, secrets[0] ?? '', BROWSER), { email });
  for (const secret of secrets) assert.equal(await redeemVerification(identity, secret), null);
  assert.deepEqual(await box.deliver(), [], 'the address is already verified');
  await assert.rejects(requestVerification(identity, { accountId: id }), { code: 'CONFLICT' });
  await assert.rejects(requestVerification(identity, { accountId: 'usr_none' }), { code: 'NOT_FOUND' });
  const events = await listSecurityEvents(identity, id, { limit: 20 });
  assert.deepEqual(
    events.filter(({ kind }) => kind === 'email_verified').map(({ network }) => network),
    [BROWSER.network],
  );
});

forEachDatabase('refuses a link for another purpose than its own', options, async (fixture) => {
  await using box = await openMailbox(movableIdentity(fixture.database));
  const { identity } = box;
  const { id, email } = await makeAccount(identity, { verified: false, password: null });
  const secrets: Record<string, string> = {};
  for (const [kind, request] of Object.entries({
    signUp: () => requestSignUp(identity, { email: 'new@example.org', password: PASSWORD, returnTo: null }),
    verification: () => requestVerification(identity, { accountId: id }),
    reset: () => requestPasswordReset(identity, { email }),
  })) {
    await request();
    secrets[kind] = await box.nextSecret();
  }
  const redeem = {
    signUp: (secret: string) => confirmSignUp(identity, secret, BROWSER),
    verification: (secret: string) => redeemVerification(identity, secret),
    reset: (secret: string) => redeemReset(identity, secret, { ...BROWSER, password: NEXT }),
  };
  const rows = await readComparableRows(fixture.database);
  for (const [purpose, secret] of Object.entries(secrets))
    for (const [used, attempt] of Object.entries(redeem))
      if (purpose !== used) assert.equal(await attempt(secret), null, `${purpose} as ${used}`);
  assert.deepEqual(await readComparableRows(fixture.database), rows, 'no link was used');
  for (const [kind, attempt] of Object.entries(redeem)) assert.ok(await attempt(secrets[kind] ?? ''), kind);
});
