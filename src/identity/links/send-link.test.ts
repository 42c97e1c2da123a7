import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { SITE_URL } from '../../../test/support/api/api.ts';
import { makeAccount, PASSWORD } from '../../../test/support/identity/callers.ts';
import { DAY, MINUTE, movableIdentity } from '../../../test/support/identity/identity.ts';
import { countUses } from '../../../test/support/platform/counted-database.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { startMailServer } from '../../../test/support/platform/mail-server.ts';
import { mailerTo, openMailbox, secretIn } from '../../../test/support/platform/mailbox.ts';
import { tablesContaining } from '../../../test/support/platform/rows.ts';
import { MIGRATIONS } from '../../compose/index.ts';
import { createLog, MailError } from '../../platform/index.ts';
import {
  type IdentityContext,
  listSecurityEvents,
  readLink,
  redeemReset,
  removeExpiredLinks,
  requestPasswordReset,
  requestSignUp,
  sendLink,
} from '../index.ts';
import type { IdentityTables } from '../tables.ts';

const options = { migrations: MIGRATIONS };
const silent = { siteUrl: () => SITE_URL, log: createLog('silent') };
const from = (network: number) => ({ origin: { network: `198.51.${network}.0/24`, userAgent: null } });

forEachDatabase('stores the secret of a link only in its email', options, async (fixture) => {
  await using box = await openMailbox(movableIdentity(fixture.database));
  const { email } = await makeAccount(box.identity);
  await requestPasswordReset(box.identity, { email });
  await requestSignUp(box.identity, { email: 'new@example.org', password: 'a password to find', returnTo: null });
  const mails = await box.deliver();
  assert.equal(mails.length, 2);
  for (const secret of [...mails.map(secretIn), 'a password to find']) {
    assert.deepEqual(await tablesContaining(fixture.database, secret), []);
    assert.deepEqual(await tablesContaining(fixture.database, secret.slice(-8)), []);
  }
});

forEachDatabase('sends at most five emails an hour to an address, of any kind', options, async (fixture) => {
  await using box = await openMailbox(movableIdentity(fixture.database));
  const { identity } = box;
  const { email } = await makeAccount(identity);
  const lines: string[] = [];
  const log = createLog(
    'info',
    new PassThrough().on('data', (chunk) => lines.push(String(chunk))),
  );
  for (let i = 0; i < 8; i++) {
    const origin = from(i >> 2);
    if (i % 2) await requestPasswordReset(identity, { email, ...origin });
    else await requestSignUp(identity, { email, password: PASSWORD, returnTo: null, ...origin });
    identity.clock.advance(5 * MINUTE);
  }
  await requestPasswordReset(identity, { email: (await makeAccount(identity)).email });
  assert.equal((await box.deliver(log)).length, 6, 'five, and one to another address');
  assert.equal(lines.length, 3);
  assert.match(lines.join(''), /mail not sent: the address has reached its hourly limit/);
  assert.ok(!lines.join('').includes(email), 'the log does not contain the address');

  identity.clock.advance(60 * MINUTE - 1);
  await requestPasswordReset(identity, { email, ...from(0) });
  assert.deepEqual(await box.deliver(), []);
  identity.clock.advance(1);
  await requestPasswordReset(identity, { email, ...from(0) });
  assert.equal((await box.deliver()).length, 1, 'the limit is free again after an hour');
});

forEachDatabase('a stranger cannot use up the emails of the owner of an address', options, async (fixture) => {
  await using box = await openMailbox(movableIdentity(fixture.database));
  const request = async (network: number, times = 1) => {
    for (let i = 0; i < times; i++) await requestPasswordReset(box.identity, { email, ...from(network) });
    return (await box.deliver()).length;
  };
  const { email } = await makeAccount(box.identity, { password: null });
  assert.equal(await request(1, 6), 3, 'one network gets three');
  assert.equal(await request(2, 6), 2, 'five in total');
  for (let network = 3; network < 8; network++)
    assert.equal(await request(network, 2), 1, 'one for each network that had none');
  assert.equal(await request(8), 0, 'up to ten');
});

forEachDatabase('concurrent workers respect the limit together', { ...options, only: 'postgres' }, async (fixture) => {
  await using box = await openMailbox(movableIdentity(fixture.database));
  const { identity, server, waiting } = box;
  const { email } = await makeAccount(identity);
  for (let i = 0; i < 12; i++) await requestPasswordReset(identity, { email });
  const mailer = mailerTo(server.url());
  await Promise.all(waiting.map((linkId) => sendLink(identity, { linkId }, { mailer, ...silent })));
  assert.equal(server.mails.length, 3);
});

forEachDatabase('repeated sign-ups with an address do not block a reset by its owner', options, async (fixture) => {
  await using box = await openMailbox(movableIdentity(fixture.database));
  const { identity } = box;
  const { email } = await makeAccount(identity, { password: null });
  for (let i = 0; i < 6; i++) await requestSignUp(identity, { email, password: PASSWORD, returnTo: null });
  assert.equal((await box.deliver()).length, 2);
  await requestPasswordReset(identity, { email });
  assert.ok(await readLink(identity, await box.nextSecret()));
});

forEachDatabase('retries a failed mail with a link that works', options, async (fixture) => {
  let refusals = 1;
  await using server = await startMailServer({
    onRcptTo: (_address, _session, done) =>
      refusals-- > 0 ? done(Object.assign(new Error('busy'), { responseCode: 451 })) : done(),
  });
  await using box = await openMailbox(movableIdentity(fixture.database));
  const { identity, waiting } = box;
  const { id, email } = await makeAccount(identity);
  await requestPasswordReset(identity, { email });
  const linkId = waiting[0] ?? '';
  const mailer = mailerTo(server.url());
  await assert.rejects(sendLink(identity, { linkId }, { mailer, ...silent }), MailError);
  await sendLink(identity, { linkId }, { mailer, ...silent });
  const secret = secretIn(server.mails[0]);
  assert.ok(await redeemReset(identity, secret, { userAgent: null, password: 'another horse battery' }));
  await sendLink(identity, { linkId }, { mailer, ...silent });
  assert.equal(server.mails.length, 1, 'a used link is not sent again');
  const events = await listSecurityEvents(identity, id, { limit: 20 });
  assert.equal(events.filter(({ kind }) => kind === 'reset_requested').length, 1, 'one request is one event');
});

forEachDatabase('does not retry a permanently rejected mail', options, async (fixture) => {
  await using server = await startMailServer({
    onRcptTo: (_address, _session, done) => done(Object.assign(new Error('no such user'), { responseCode: 550 })),
  });
  await using box = await openMailbox(movableIdentity(fixture.database));
  const { identity, waiting } = box;
  const { email } = await makeAccount(identity);
  await requestPasswordReset(identity, { email });
  const lines: string[] = [];
  const log = createLog(
    'info',
    new PassThrough().on('data', (chunk) => lines.push(String(chunk))),
  );
  const delivery = { mailer: mailerTo(server.url()), siteUrl: () => SITE_URL, log };
  await sendLink(identity, { linkId: waiting[0] ?? '' }, delivery);
  assert.match(lines.join(''), /"level":40.*the mail server rejected it/);
  assert.ok(!lines.join('').includes(email));
});

forEachDatabase('delays emails until the URL of the site is known', options, async (fixture) => {
  await using box = await openMailbox(movableIdentity(fixture.database));
  const { identity, server, waiting } = box;
  const { email } = await makeAccount(identity, { password: null });
  await requestPasswordReset(identity, { email });
  const delivery = { mailer: mailerTo(server.url()), siteUrl: () => '', log: createLog('silent') };
  await assert.rejects(sendLink(identity, { linkId: waiting[0] ?? '' }, delivery), /not known yet/);
  assert.equal((await box.deliver()).length, 1);
});

/** Counts the statements and the emails of a request. */
async function cost(identity: IdentityContext, request: (identity: IdentityContext) => Promise<void>) {
  const counted = countUses(identity.database);
  let mails = 0;
  let statements = 0;
  await request({
    ...identity,
    database: {
      ...counted.database,
      transaction: (work) =>
        counted.database.transaction((tx) => {
          const query: typeof tx.query = () => {
            statements++;
            return tx.query();
          };
          return work({ ...tx, query });
        }),
    },
    requestMail: async () => {
      mails++;
    },
  });
  return { uses: counted.uses(), statements, mails };
}

forEachDatabase('a request does the same work for an address with and without an account', options, async (fixture) => {
  const identity = movableIdentity(fixture.database);
  const { email } = await makeAccount(identity);
  const requests = {
    reset: (address: string) => (context: IdentityContext) => requestPasswordReset(context, { email: address }),
    signUp: (address: string) => (context: IdentityContext) =>
      requestSignUp(context, { email: address, password: PASSWORD, returnTo: null }),
  };
  for (const [name, request] of Object.entries(requests)) {
    const known = await cost(identity, request(email));
    const unknown = await cost(identity, request('unknown@example.org'));
    assert.deepEqual(known, { uses: 1, statements: 1, mails: 1 }, name);
    assert.deepEqual(unknown, known, name);
  }
  const links = await fixture.database.query<IdentityTables>().selectFrom('account_link').selectAll().execute();
  assert.deepEqual(
    links.map(({ account_id, secret_hash }) => [account_id, secret_hash]),
    Array(4).fill([null, null]),
    'the stored links do not differ',
  );
});

forEachDatabase('removes a link a day after it expired', options, async (fixture) => {
  await using box = await openMailbox(movableIdentity(fixture.database));
  const { identity } = box;
  await requestSignUp(identity, { email: 'new@example.org', password: PASSWORD, returnTo: null });
  const secret = await box.nextSecret();
  const count = async () =>
    (await fixture.database.query<IdentityTables>().selectFrom('account_link').select('id').execute()).length;
  identity.clock.advance(2 * DAY);
  await removeExpiredLinks(identity);
  assert.equal(await count(), 1);
  assert.equal(await readLink(identity, secret), null);
  identity.clock.advance(1);
  await removeExpiredLinks(identity);
  assert.equal(await count(), 0);
});
