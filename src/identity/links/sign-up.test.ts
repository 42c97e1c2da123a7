import assert from 'node:assert/strict';
import { SITE_URL } from '../../../test/support/api/api.ts';
import { cheapenSignUps, makeAccount, PASSWORD } from '../../../test/support/identity/callers.ts';
import { confirmSignUp } from '../../../test/support/identity/confirm-sign-up.ts';
import { DAY, MINUTE, movableIdentity } from '../../../test/support/identity/identity.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { openMailbox, secretIn } from '../../../test/support/platform/mailbox.ts';
import { readComparableRows } from '../../../test/support/platform/rows.ts';
import { MIGRATIONS } from '../../compose/index.ts';
import {
  authenticateSession,
  findAccount,
  listSecurityEvents,
  readLink,
  redeemReset,
  redeemSignUp,
  redeemVerification,
  requestSignUp,
  type SignUpRequest,
  signIn,
} from '../index.ts';
import { newSecret } from '../secrets.ts';
import type { IdentityTables } from '../tables.ts';

const options = { migrations: MIGRATIONS };
const BROWSER = { userAgent: 'a browser', network: '192.0.2.0/24' };
const NEW = { email: 'New@Example.org', password: PASSWORD, returnTo: null };

forEachDatabase(
  'creates the account and signs in when the link is confirmed with the password',
  options,
  async (fixture) => {
    await using box = await openMailbox(movableIdentity(fixture.database));
    const { identity } = box;
    await requestSignUp(identity, { ...NEW, returnTo: '/save?forecast=ef_1#x' });
    assert.equal(await findAccount(fixture.database, NEW.email), null, 'no account before the confirmation');
    const [mail] = await box.deliver();
    const secret = secretIn(mail);
    assert.deepEqual(mail?.recipients, ['new@example.org']);
    assert.deepEqual(mail?.links, [`${SITE_URL}/auth/sign-up/confirm?token=${secret}`]);
    assert.match(mail?.text ?? '', /works once, until 2026-03-02 09:30 UTC/);
    assert.match(mail?.text ?? '', /asks for the password that was chosen at sign-up\. If you did not sign up/);

    const link = { kind: 'sign_up', email: 'new@example.org', returnTo: '/save?forecast=ef_1#x' };
    assert.deepEqual(await readLink(identity, secret), link);
    assert.deepEqual(await readLink(identity, secret), link, 'reading a link changes nothing');

    const session = await confirmSignUp(identity, secret, BROWSER);
    assert.equal(session?.returnTo, link.returnTo);
    const account = await authenticateSession(identity, session?.secret ?? '');
    assert.deepEqual(
      {
        email: account?.email,
        verified: account?.emailVerified,
        plan: account?.plan,
        administrator: account?.administrator,
      },
      { email: 'new@example.org', verified: true, plan: 'free', administrator: false },
    );
    assert.ok(await signIn(identity, { ...NEW, userAgent: null }), 'the password is the chosen one');
    assert.equal(await readLink(identity, secret), null);
    assert.equal(await confirmSignUp(identity, secret, BROWSER), null, 'a link works once');
    const events = await listSecurityEvents(identity, account?.accountId ?? '', { limit: 10 });
    assert.deepEqual(events.map(({ kind }) => kind).sort(), [
      'account_created',
      'email_verified',
      'signed_in',
      'signed_in',
    ]);
    const { password_hash } = await fixture.database
      .query<IdentityTables>()
      .selectFrom('account_link')
      .select('password_hash')
      .executeTakeFirstOrThrow();
    assert.equal(password_hash, null, 'a used link has no password hash');
  },
);

forEachDatabase('a sign-up link works for a day, in full, and for a sign-up only', options, async (fixture) => {
  await using box = await openMailbox(movableIdentity(fixture.database));
  const { identity } = box;
  await requestSignUp(identity, NEW);
  const secret = await box.nextSecret();
  const rows = await readComparableRows(fixture.database);
  for (const wrong of ['', secret.slice(0, -1), `${secret}x`, newSecret('alm_lnk_'), secret.toLowerCase()]) {
    assert.equal(await readLink(identity, wrong), null);
    assert.equal(await confirmSignUp(identity, wrong, BROWSER), null);
  }
  assert.equal(await redeemVerification(identity, secret), null);
  assert.equal(await redeemReset(identity, secret, { ...BROWSER, password: PASSWORD }), null);
  identity.clock.advance(DAY);
  assert.equal(await readLink(identity, secret), null);
  assert.equal(await confirmSignUp(identity, secret, BROWSER), null);
  assert.deepEqual(await readComparableRows(fixture.database), rows, 'nothing has changed');
  identity.clock.advance(-1);
  assert.ok(await confirmSignUp(identity, secret, BROWSER), 'it works until its last millisecond');
});

forEachDatabase('a stranger gains nothing by a sign-up with another person’s address', options, async (fixture) => {
  await using box = await openMailbox(movableIdentity(fixture.database));
  const { identity } = box;
  await requestSignUp(identity, { ...NEW, password: 'the stranger knows it' });
  const strange = await box.nextSecret();
  assert.equal(await redeemSignUp(identity, strange, { ...BROWSER, password: PASSWORD }), 'wrong_password');
  assert.equal(await findAccount(fixture.database, NEW.email), null);
  assert.ok(await readLink(identity, strange), 'the link is still open');

  identity.clock.advance(MINUTE);
  await requestSignUp(identity, NEW);
  const own = await box.nextSecret();
  assert.equal(
    await redeemSignUp(identity, own, { ...BROWSER, password: 'the stranger knows it' }),
    'wrong_password',
    'the password of another sign-up is wrong',
  );
  assert.ok(await confirmSignUp(identity, own, BROWSER));
  assert.equal(await redeemSignUp(identity, strange, { ...BROWSER, password: 'the stranger knows it' }), null);
  const attempt = (password: string) => signIn(identity, { email: NEW.email, password, userAgent: null });
  assert.equal(await attempt('the stranger knows it'), null);
  assert.ok(await attempt(PASSWORD));
});

forEachDatabase('ten wrong passwords close the link of a sign-up', options, async (fixture) => {
  await using box = await openMailbox(movableIdentity(fixture.database));
  const { identity } = box;
  const open = async () => {
    await requestSignUp(identity, NEW);
    await cheapenSignUps(fixture.database);
    return box.nextSecret();
  };
  const guess = (secret: string, times: number) =>
    inTurn(times, (i) => redeemSignUp(identity, secret, { ...BROWSER, password: `wrong password ${i}` }));
  const ended = await open();
  assert.deepEqual(await guess(ended, 10), Array(10).fill('wrong_password'));
  assert.equal(await readLink(identity, ended), null);
  const rows = await readComparableRows(fixture.database);
  assert.deepEqual(await guess(ended, 1), [null]);
  assert.equal(await confirmSignUp(identity, ended, BROWSER), null, 'even the right password is refused');
  assert.deepEqual(await readComparableRows(fixture.database), rows);

  const nearly = await open();
  assert.deepEqual(await guess(nearly, 9), Array(9).fill('wrong_password'));
  assert.ok(await readLink(identity, nearly), 'each link has its own count');
  assert.ok(await confirmSignUp(identity, nearly, BROWSER), 'the tenth password may be right');
});

async function inTurn<Result>(times: number, attempt: (i: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let i = 0; i < times; i++) results.push(await attempt(i));
  return results;
}

forEachDatabase('notifies the owner of an address about a sign-up with it', options, async (fixture) => {
  await using box = await openMailbox(movableIdentity(fixture.database));
  const { identity } = box;
  const { email } = await makeAccount(identity);
  await requestSignUp(identity, { ...NEW, email: email.toUpperCase() });
  const [mail] = await box.deliver();
  assert.deepEqual(mail?.recipients, [email]);
  assert.deepEqual(mail?.links, [], 'there is nothing to confirm');
  assert.match(mail?.text ?? '', new RegExp(`${SITE_URL}/auth/forgot`));
  const link = await fixture.database.query<IdentityTables>().selectFrom('account_link').selectAll().executeTakeFirst();
  assert.deepEqual([link?.secret_hash, link?.password_hash], [null, null]);
  assert.ok(await signIn(identity, { email, password: PASSWORD, userAgent: null }), 'the account is unchanged');
});

forEachDatabase('keeps the account of the sign-up that is confirmed first', options, async (fixture) => {
  await using box = await openMailbox(movableIdentity(fixture.database));
  const { identity } = box;
  const secrets: string[] = [];
  for (const password of ['password of the first', 'password of the second', 'password of the third']) {
    await requestSignUp(identity, { ...NEW, password });
    secrets.push(await box.nextSecret());
    identity.clock.advance(MINUTE);
  }
  const [first = '', second = '', third = ''] = secrets;
  assert.ok(await confirmSignUp(identity, second, { ...BROWSER, password: 'password of the second' }));
  assert.equal(await confirmSignUp(identity, first, { ...BROWSER, password: 'password of the first' }), null);
  assert.equal(await readLink(identity, third), null);
  const attempt = (password: string) => signIn(identity, { email: NEW.email, password, userAgent: null });
  assert.ok(await attempt('password of the second'));
  assert.equal(await attempt('password of the first'), null);
  const kept = await fixture.database
    .query<IdentityTables>()
    .selectFrom('account_link')
    .select('id')
    .where('password_hash', 'is not', null)
    .execute();
  assert.deepEqual(kept, [], 'the passwords of the other sign-ups are removed');
});

forEachDatabase('refuses an invalid sign-up by its field and stores nothing', options, async (fixture) => {
  await using box = await openMailbox(movableIdentity(fixture.database));
  const refused: [Partial<SignUpRequest>, RegExp][] = [
    [{ email: 'unknown' }, /^email: /],
    [{ email: 'a@example.org\r\nBcc: b@example.org' }, /^email: /],
    [{ email: 'a@example.org, b@example.org' }, /^email: /],
    [{ password: 'short' }, /^password: must have 10 to 1024/],
    [{ password: 'with a \u0000 in it' }, /^password: must not contain NUL/],
    ...[
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      'save',
      '/a\nb',
      '/\u0000',
      `/${'x'.repeat(2_000)}`,
    ].map((returnTo): [Partial<SignUpRequest>, RegExp] => [{ returnTo }, /^return_to: must be a path of this site/]),
  ];
  for (const [field, message] of refused)
    await assert.rejects(requestSignUp(box.identity, { ...NEW, ...field }), { code: 'INVALID_REQUEST', message });
  const links = await fixture.database.query<IdentityTables>().selectFrom('account_link').select('id').execute();
  assert.deepEqual([links, box.waiting], [[], []]);
});
