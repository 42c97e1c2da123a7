import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { makeAccount } from '../../../test/support/identity/callers.ts';
import { MINUTE, movableClock, movableIdentity } from '../../../test/support/identity/identity.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { headerOf } from '../../../test/support/platform/mail-parts.ts';
import { startMailServer } from '../../../test/support/platform/mail-server.ts';
import { mailerTo } from '../../../test/support/platform/mailbox.ts';
import { makeFilter } from '../../../test/support/screener/screener.ts';
import { recorded, SESSION, sendOnce, waitingMail } from '../../../test/support/screener/screener-mails.ts';
import { MIGRATIONS } from '../../compose/index.ts';
import { bouncedSince, markVerified } from '../../identity/index.ts';
import { createSmtpMailer, loadConfig, openDatabase } from '../../platform/index.ts';
import { deleteFilter } from '../filters/delete-filter.ts';
import { updateFilter } from '../filters/update-filter.ts';
import { claimMail } from './claim-mail.ts';
import { endStaleMails } from './end-stale-mails.ts';
import { planMails } from './plan-mails.ts';
import { openUnsubscribeTokens, unsubscribe } from './unsubscribe.ts';

const PLAIN = { migrations: MIGRATIONS };
const refusal = (responseCode: number, said = 'no') => Object.assign(new Error(said), { responseCode });

forEachDatabase('one mail tells of all filters, in text and HTML, with charts', PLAIN, async ({ database }) => {
  await using server = await startMailServer();
  const { mailId, email } = await waitingMail(database);
  await sendOnce(database, mailId, mailerTo(server.url()));
  assert.deepEqual(await recorded(database, mailId), ['sent', null, 1]);
  const [mail, ...others] = await server.mailsTo(email);
  assert.deepEqual(others, []);
  assert.ok(mail);
  assert.equal(headerOf(mail.headers, 'subject'), 'Screener 2026-03-09: 2 matches, 2 new');
  assert.match(mail.text, /close of Monday, March 9, 2026/);
  assert.match(
    mail.text,
    /Above ten: 2 matches, 2 new\n\n {2}Symbol +Close\n\* AAPL +172\.31 {2}▃▆▁█\n\* MSFT +410\.50 {2}▁█\n/,
  );
  assert.doesNotMatch(mail.text, /PENNY/);
  const [link = ''] = mail.links;
  assert.equal(headerOf(mail.headers, 'list-unsubscribe'), `<${link}>`);
  assert.equal(headerOf(mail.headers, 'list-unsubscribe-post'), 'List-Unsubscribe=One-Click');
  assert.equal(headerOf(mail.headers, 'message-id'), `<${mailId.toLowerCase()}@127.0.0.1>`);
  assert.deepEqual(
    mail.parts.map(({ type }) => type),
    ['text/plain', 'text/html', 'image/png', 'image/png'],
  );
  const html = String(mail.parts[1]?.bytes);
  for (const part of mail.parts.slice(2)) {
    const [, cid] = /^<(.+)>$/.exec(headerOf(part.headers, 'content-id') ?? '') ?? [];
    assert.ok(html.includes(`src="cid:${cid}"`), cid);
  }
  assert.match(html, /alt="AAPL: the last 4 closes, from 170\.00 to 172\.31"/);
  // Once more, by a job that was kept too long: nothing happens.
  await sendOnce(database, mailId, mailerTo(server.url()));
  assert.equal(server.mails.length, 1);
});

forEachDatabase(
  'a mailbox that does not exist suspends the account’s mails until its address is verified anew',
  PLAIN,
  async ({ database }) => {
    const { mailId, accountId, email } = await waitingMail(database);
    await using server = await startMailServer({
      onRcptTo: (_to, _session, done) => done(refusal(550, '5.1.1 unknown')),
    });
    await sendOnce(database, mailId, mailerTo(server.url()));
    assert.deepEqual(await recorded(database, mailId), ['bounced', 'address_refused', 1]);
    assert.ok((await bouncedSince(database, accountId)) instanceof Date);
    await markVerified(movableIdentity(database), email);
    assert.equal(await bouncedSince(database, accountId), null);
  },
);

forEachDatabase('a mail that is refused for what it is ends, and suspends nobody', PLAIN, async ({ database }) => {
  const { mailId, accountId } = await waitingMail(database);
  await using server = await startMailServer({ answer: () => refusal(554, '5.7.1 spam') });
  await sendOnce(database, mailId, mailerTo(server.url()));
  assert.deepEqual(await recorded(database, mailId), ['failed', 'refused', 1]);
  assert.equal(await bouncedSince(database, accountId), null);
});

forEachDatabase('without an answer to the mail nobody knows, and it is not sent again', PLAIN, async ({ database }) => {
  const { mailId } = await waitingMail(database);
  await using server = await startMailServer({ answer: () => 'nothing' });
  const { mail } = loadConfig({ ALMANAC_SMTP_URL: server.url(), ALMANAC_MAIL_FROM: 'a@mail.example' });
  assert.ok(mail);
  await sendOnce(database, mailId, createSmtpMailer({ ...mail, patienceMs: 150 }));
  assert.deepEqual(await recorded(database, mailId), ['unknown', 'interrupted', 1]);
  await sendOnce(database, mailId, mailerTo(server.url()));
  assert.equal(server.mails.length, 1);
});

forEachDatabase('a worker that ends between sending and recording leaves one mail', PLAIN, async ({ database }) => {
  const { mailId, email } = await waitingMail(database);
  await using server = await startMailServer();
  const mailer = mailerTo(server.url());
  // What a worker does until it is killed: it takes the mail, the server accepts it, and that is the last of it.
  assert.ok(await claimMail(database, mailId, new Date(`${SESSION}T21:01:00Z`)));
  await mailer.send({ to: email, subject: 'Screener', text: 'matches' });
  assert.deepEqual(await recorded(database, mailId), ['sending', null, 1]);
  // The job comes back, on a machine whose clock is behind.
  const behind = movableClock('2026-03-08T01:00:00.000Z');
  await sendOnce(database, mailId, mailer, behind);
  assert.deepEqual(await recorded(database, mailId), ['unknown', 'interrupted', 1]);
  await sendOnce(database, mailId, mailer, behind);
  assert.equal(server.mails.length, 1);
});

forEachDatabase('a mailer that fails in a way nobody foresaw may have sent the mail', PLAIN, async ({ database }) => {
  const { mailId } = await waitingMail(database);
  await using server = await startMailServer();
  const real = mailerTo(server.url());
  const failing = {
    delivers: true,
    async send(mail: Parameters<typeof real.send>[0]) {
      await real.send(mail);
      throw new TypeError('after it was accepted');
    },
  };
  await sendOnce(database, mailId, failing);
  assert.deepEqual(await recorded(database, mailId), ['unknown', 'interrupted', 1]);
  await sendOnce(database, mailId, real);
  assert.equal(server.mails.length, 1);
});

forEachDatabase('what changed since the run is asked before a mail is sent', PLAIN, async ({ database }) => {
  await using server = await startMailServer();
  const context = { database, clock: movableClock(), cursorKey: async () => Buffer.alloc(32) };
  const waiting = await waitingMail(database);
  const { mailId, accountId, filterId } = waiting;
  const cases: [what: string, change: () => Promise<unknown>, reason: string][] = [
    ['turned off', () => updateFilter(context, accountId, filterId, { email: false }), 'no_longer_wanted'],
    ['deleted', () => deleteFilter(context, accountId, filterId), 'no_longer_wanted'],
  ];
  for (const [what, change, reason] of cases) {
    await database
      .query<{ screener_mail: object }>()
      .updateTable('screener_mail')
      .set({ state: 'queued' } as object)
      .execute();
    await change();
    await sendOnce(database, mailId, mailerTo(server.url()));
    assert.deepEqual((await recorded(database, mailId)).slice(0, 2), ['skipped', reason], what);
  }
  assert.equal(server.mails.length, 0);
});

forEachDatabase('nothing goes to an address that is not verified, or to nobody', PLAIN, async ({ database }) => {
  await using server = await startMailServer();
  const { mailId, accountId } = await waitingMail(database);
  const account = database.query<{ account: { id: string; email_verified: boolean } }>();
  await account.updateTable('account').set({ email_verified: false }).where('id', '=', accountId).execute();
  await sendOnce(database, mailId, mailerTo(server.url()));
  assert.deepEqual(await recorded(database, mailId), ['skipped', 'address_not_verified', 0]);
  await sql`DELETE FROM workspace WHERE owner_account_id = ${accountId}`.execute(database.query());
  await account.deleteFrom('account').where('id', '=', accountId).execute();
  await sendOnce(database, mailId, mailerTo(server.url()));
  assert.equal(server.mails.length, 0);
});

forEachDatabase('the link in a mail ends the mails, and one that waits is not sent', PLAIN, async ({ database }) => {
  await using server = await startMailServer();
  const clock = movableClock('2026-03-10T21:00:00.000Z');
  const { mailId, accountId, email } = await waitingMail(database);
  await makeFilter(database, accountId, { name: 'another' });
  await sendOnce(database, mailId, mailerTo(server.url()));
  const [link = ''] = (await server.mailsTo(email))[0]?.links ?? [];
  const token = new URL(link).searchParams.get('token') ?? '';
  const bystander = (await makeAccount(movableIdentity(database), { password: null })).id;
  const { id: theirs } = await makeFilter(database, bystander);
  const accountOf = openUnsubscribeTokens(database);
  assert.deepEqual([await accountOf(`${token}x`), await accountOf(token)], [null, accountId]);
  for (const _ of [1, 2]) await unsubscribe({ database, clock }, accountId);
  const wanting = await database
    .query<{ screener_filter: { id: string; email: boolean } }>()
    .selectFrom('screener_filter')
    .select('id')
    .where('email', '=', true)
    .execute();
  assert.deepEqual(wanting, [{ id: theirs }]);
  await sql`UPDATE screener_mail SET state = 'queued', sent_at = NULL`.execute(database.query());
  await sendOnce(database, mailId, mailerTo(server.url()));
  assert.deepEqual(await recorded(database, mailId), ['skipped', 'no_longer_wanted', 1]);
  assert.equal(server.mails.length, 1);
});

forEachDatabase(
  'a mail of yesterday is not sent; what nobody works on any more is said',
  PLAIN,
  async ({ database }) => {
    await using server = await startMailServer();
    const { mailId } = await waitingMail(database);
    const late = movableClock('2026-03-10T21:00:01.000Z');
    await sendOnce(database, mailId, mailerTo(server.url()), late);
    assert.deepEqual(await recorded(database, mailId), ['failed', 'too_late', 0]);
    const mails = database.query<{ screener_mail: Record<string, unknown> }>();
    for (const [state, minutes, ends] of [
      ['sending', 30, 'sending'],
      ['sending', 120, 'unknown'],
      ['queued', 120, 'failed'],
    ] as const) {
      const updated_at = new Date(late.now().getTime() - minutes * MINUTE);
      await mails.updateTable('screener_mail').set({ state, reason: null, updated_at }).execute();
      await endStaleMails({ database, clock: late });
      assert.equal((await recorded(database, mailId))[0], ends);
    }
    assert.equal(server.mails.length, 0);
  },
);

forEachDatabase('without a mail server the mail is in the log, and not called sent', PLAIN, async ({ database }) => {
  const { mailId } = await waitingMail(database);
  await sendOnce(database, mailId, { delivers: false, send: async () => {} });
  assert.deepEqual(await recorded(database, mailId), ['skipped', 'no_mail_server', 1]);
});

forEachDatabase(
  'of many workers one sends, and the session planned by many has one mail',
  { ...PLAIN, only: 'postgres' },
  async ({ database, location, cleanup }) => {
    await using server = await startMailServer();
    const { mailId } = await waitingMail(database);
    const others = await Promise.all([openDatabase(location), openDatabase(location)]);
    for (const other of others) cleanup(() => other.close());
    const everywhere = [database, ...others, database, ...others];
    const now = new Date(`${SESSION}T22:00:00Z`);
    const plans = everywhere.map((one) =>
      one.transaction((tx) => planMails(tx, { session: SESSION, perDay: 10, now })),
    );
    assert.deepEqual((await Promise.all(plans)).flat(), []);
    await Promise.allSettled(everywhere.map((one) => sendOnce(one, mailId, mailerTo(server.url()))));
    assert.equal(server.mails.length, 1);
    assert.deepEqual(await recorded(database, mailId), ['sent', null, 1]);
  },
);
