import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { makeAccount } from '../../../test/support/identity/callers.ts';
import { MINUTE, movableClock, movableIdentity } from '../../../test/support/identity/identity.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { FIXED_KEYS } from '../../../test/support/platform/fixed-keys.ts';
import { headerOf } from '../../../test/support/platform/mail-parts.ts';
import { startMailServer } from '../../../test/support/platform/mail-server.ts';
import { mailerTo } from '../../../test/support/platform/mailbox.ts';
import { makeFilter } from '../../../test/support/screener/filters.ts';
import { makeQueuedMail, readMailRow, SESSION, sendMail } from '../../../test/support/screener/mails.ts';
import { MIGRATIONS } from '../../compose/index.ts';
import { markVerified, readBouncedAt } from '../../identity/index.ts';
import { createSmtpMailer, loadConfig, openDatabase, removeInBatches } from '../../platform/index.ts';
import { deleteFilter, updateFilter } from '../filters/save-filter.ts';
import { claimScreenerMail } from './claim-screener-mail.ts';
import { planMails } from './plan-mails.ts';
import { endStaleMails, oldScreenerMails } from './record-outcome.ts';
import { createUnsubscribeTokenReader, unsubscribe } from './unsubscribe.ts';

const OPTIONS = { migrations: MIGRATIONS };
const smtpError = (responseCode: number, message = 'no') => Object.assign(new Error(message), { responseCode });

forEachDatabase('sends one email about all filters, in text and HTML, with charts', OPTIONS, async ({ database }) => {
  await using server = await startMailServer();
  const { mailId, email } = await makeQueuedMail(database);
  await sendMail(database, mailId, mailerTo(server.url()));
  assert.deepEqual(await readMailRow(database, mailId), ['sent', null, 1]);
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
  // A repeated job does nothing.
  await sendMail(database, mailId, mailerTo(server.url()));
  assert.equal(server.mails.length, 1);
});

forEachDatabase(
  'suspends emails to a mailbox that does not exist until its address is verified again',
  OPTIONS,
  async ({ database }) => {
    const { mailId, accountId, email } = await makeQueuedMail(database);
    await using server = await startMailServer({
      onRcptTo: (_to, _session, done) => done(smtpError(550, '5.1.1 unknown')),
    });
    await sendMail(database, mailId, mailerTo(server.url()));
    assert.deepEqual(await readMailRow(database, mailId), ['bounced', 'address_refused', 1]);
    assert.ok((await readBouncedAt(database, accountId)) instanceof Date);
    await markVerified(movableIdentity(database), email);
    assert.equal(await readBouncedAt(database, accountId), null);
  },
);

forEachDatabase(
  'ends an email that is rejected for its content without a suspension',
  OPTIONS,
  async ({ database }) => {
    const { mailId, accountId } = await makeQueuedMail(database);
    await using server = await startMailServer({ reply: () => smtpError(554, '5.7.1 spam') });
    await sendMail(database, mailId, mailerTo(server.url()));
    assert.deepEqual(await readMailRow(database, mailId), ['failed', 'refused', 1]);
    assert.equal(await readBouncedAt(database, accountId), null);
  },
);

forEachDatabase('does not send an email again when the server does not answer', OPTIONS, async ({ database }) => {
  const { mailId } = await makeQueuedMail(database);
  await using server = await startMailServer({ reply: () => 'nothing' });
  const { mail } = loadConfig({ ALMANAC_SMTP_URL: server.url(), ALMANAC_MAIL_FROM: 'a@mail.example' });
  assert.ok(mail);
  await sendMail(database, mailId, createSmtpMailer({ ...mail, timeoutMs: 150 }));
  assert.deepEqual(await readMailRow(database, mailId), ['unknown', 'interrupted', 1]);
  await sendMail(database, mailId, mailerTo(server.url()));
  assert.equal(server.mails.length, 1);
});

forEachDatabase('sends one email when a worker ends between sending and recording', OPTIONS, async ({ database }) => {
  const { mailId, email } = await makeQueuedMail(database);
  await using server = await startMailServer();
  const mailer = mailerTo(server.url());
  // The steps of a worker until it is killed: it claims the email, and the server accepts it.
  assert.ok(await claimScreenerMail(database, mailId, new Date(`${SESSION}T21:01:00Z`)));
  await mailer.send({ to: email, subject: 'Screener', text: 'matches' });
  assert.deepEqual(await readMailRow(database, mailId), ['sending', null, 1]);
  // Another worker, whose clock is behind, gets the job.
  const behind = movableClock('2026-03-08T01:00:00.000Z');
  await sendMail(database, mailId, mailer, behind);
  assert.deepEqual(await readMailRow(database, mailId), ['unknown', 'interrupted', 1]);
  await sendMail(database, mailId, mailer, behind);
  assert.equal(server.mails.length, 1);
});

forEachDatabase('treats an unexpected error of the mailer as possibly sent', OPTIONS, async ({ database }) => {
  const { mailId } = await makeQueuedMail(database);
  await using server = await startMailServer();
  const smtpMailer = mailerTo(server.url());
  const failing = {
    delivers: true,
    async send(mail: Parameters<typeof smtpMailer.send>[0]) {
      await smtpMailer.send(mail);
      throw new TypeError('unexpected, after the email was accepted');
    },
  };
  await sendMail(database, mailId, failing);
  assert.deepEqual(await readMailRow(database, mailId), ['unknown', 'interrupted', 1]);
  await sendMail(database, mailId, smtpMailer);
  assert.equal(server.mails.length, 1);
});

forEachDatabase('skips an email whose filter changed since the run', OPTIONS, async ({ database }) => {
  await using server = await startMailServer();
  const context = { database, clock: movableClock(), cursorKey: FIXED_KEYS };
  const { mailId, accountId, filterId } = await makeQueuedMail(database);
  const cases: [description: string, change: () => Promise<unknown>, reason: string][] = [
    ['turned off', () => updateFilter(context, accountId, filterId, { email: false }), 'no_longer_wanted'],
    ['deleted', () => deleteFilter(context, accountId, filterId), 'no_longer_wanted'],
  ];
  for (const [description, change, reason] of cases) {
    await database
      .query<{ screener_mail: object }>()
      .updateTable('screener_mail')
      .set({ state: 'queued' } as object)
      .execute();
    await change();
    await sendMail(database, mailId, mailerTo(server.url()));
    assert.deepEqual((await readMailRow(database, mailId)).slice(0, 2), ['skipped', reason], description);
  }
  assert.equal(server.mails.length, 0);
});

forEachDatabase('sends nothing to an unverified address or a deleted account', OPTIONS, async ({ database }) => {
  await using server = await startMailServer();
  const { mailId, accountId } = await makeQueuedMail(database);
  const account = database.query<{ account: { id: string; email_verified: boolean } }>();
  await account.updateTable('account').set({ email_verified: false }).where('id', '=', accountId).execute();
  await sendMail(database, mailId, mailerTo(server.url()));
  assert.deepEqual(await readMailRow(database, mailId), ['skipped', 'address_not_verified', 0]);
  await sql`DELETE FROM workspace WHERE owner_account_id = ${accountId}`.execute(database.query());
  await account.deleteFrom('account').where('id', '=', accountId).execute();
  await sendMail(database, mailId, mailerTo(server.url()));
  assert.equal(server.mails.length, 0);
});

forEachDatabase(
  'unsubscribes by the link in an email, which also stops a queued mail',
  OPTIONS,
  async ({ database }) => {
    await using server = await startMailServer();
    const clock = movableClock('2026-03-10T21:00:00.000Z');
    const { mailId, accountId, email } = await makeQueuedMail(database);
    await makeFilter(database, accountId, { name: 'another' });
    await sendMail(database, mailId, mailerTo(server.url()));
    const [link = ''] = (await server.mailsTo(email))[0]?.links ?? [];
    const token = new URL(link).searchParams.get('token') ?? '';
    const otherAccountId = (await makeAccount(movableIdentity(database), { password: null })).id;
    const { id: otherFilterId } = await makeFilter(database, otherAccountId);
    const readToken = createUnsubscribeTokenReader(database);
    assert.deepEqual([await readToken(`${token}x`), await readToken(token)], [null, accountId]);
    for (const _ of [1, 2]) await unsubscribe({ database, clock }, accountId);
    const filtersWithMails = await database
      .query<{ screener_filter: { id: string; email: boolean } }>()
      .selectFrom('screener_filter')
      .select('id')
      .where('email', '=', true)
      .execute();
    assert.deepEqual(filtersWithMails, [{ id: otherFilterId }]);
    await sql`UPDATE screener_mail SET state = 'queued', sent_at = NULL`.execute(database.query());
    await sendMail(database, mailId, mailerTo(server.url()));
    assert.deepEqual(await readMailRow(database, mailId), ['skipped', 'no_longer_wanted', 1]);
    assert.equal(server.mails.length, 1);
  },
);

forEachDatabase('does not send an email after a day, and ends emails without a job', OPTIONS, async ({ database }) => {
  await using server = await startMailServer();
  const { mailId } = await makeQueuedMail(database);
  const late = movableClock('2026-03-10T21:00:01.000Z');
  await sendMail(database, mailId, mailerTo(server.url()), late);
  assert.deepEqual(await readMailRow(database, mailId), ['failed', 'too_late', 0]);
  const mails = database.query<{ screener_mail: Record<string, unknown> }>();
  for (const [state, minutes, endState] of [
    ['sending', 30, 'sending'],
    ['sending', 120, 'unknown'],
    ['queued', 120, 'failed'],
  ] as const) {
    const updated_at = new Date(late.now().getTime() - minutes * MINUTE);
    await mails.updateTable('screener_mail').set({ state, reason: null, updated_at }).execute();
    await endStaleMails({ database, clock: late });
    assert.equal((await readMailRow(database, mailId))[0], endState);
  }
  assert.equal(server.mails.length, 0);
});

forEachDatabase('does not send an email again whose row was removed', OPTIONS, async ({ database }) => {
  await using server = await startMailServer();
  const { mailId } = await makeQueuedMail(database);
  const signal = new AbortController().signal;
  const remove = (now: string) => removeInBatches({ database, signal }, oldScreenerMails(30, new Date(now)));
  assert.deepEqual(await remove('2026-05-01T00:00:00Z'), {}, 'it has not ended');
  await sendMail(database, mailId, mailerTo(server.url()));
  assert.deepEqual(await remove('2026-04-08T20:59:59Z'), {});
  assert.deepEqual(await remove('2026-04-08T21:00:01Z'), { screener_mails: 1 });
  await sendMail(database, mailId, mailerTo(server.url()));
  assert.equal(server.mails.length, 1);
  // Mails are planned when a run completes, and the row of the run stays.
  const { rows } = await sql`SELECT FROM screener_run WHERE state = 'completed'`.execute(database.query());
  assert.equal(rows.length, 1);
});

forEachDatabase('records an email as skipped without a mail server', OPTIONS, async ({ database }) => {
  const { mailId } = await makeQueuedMail(database);
  await sendMail(database, mailId, { delivers: false, send: async () => {} });
  assert.deepEqual(await readMailRow(database, mailId), ['skipped', 'no_mail_server', 1]);
});

forEachDatabase(
  'plans and sends one email with concurrent workers',
  { ...OPTIONS, only: 'postgres' },
  async ({ database, location, cleanup }) => {
    await using server = await startMailServer();
    const { mailId } = await makeQueuedMail(database);
    const others = await Promise.all([openDatabase(location), openDatabase(location)]);
    for (const other of others) cleanup(() => other.close());
    const databases = [database, ...others, database, ...others];
    const now = new Date(`${SESSION}T22:00:00Z`);
    const plans = databases.map((worker) =>
      worker.transaction((tx) => planMails(tx, { session: SESSION, perDay: 10, now })),
    );
    assert.deepEqual((await Promise.all(plans)).flat(), []);
    await Promise.allSettled(databases.map((worker) => sendMail(worker, mailId, mailerTo(server.url()))));
    assert.equal(server.mails.length, 1);
    assert.deepEqual(await readMailRow(database, mailId), ['sent', null, 1]);
  },
);
