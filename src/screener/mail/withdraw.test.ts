import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { movableClock } from '../../../test/support/identity/identity.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { mailerTo } from '../../../test/support/platform/mailbox.ts';
import { startSlowMailServer } from '../../../test/support/platform/slow-mail-server.ts';
import { completeRun, makeFilter, NO_KEY, storeNumbers } from '../../../test/support/screener/screener.ts';
import {
  recorded,
  SESSION,
  sendOnce,
  type WaitingMail,
  waitingMail,
} from '../../../test/support/screener/screener-mails.ts';
import { MIGRATIONS } from '../../compose/index.ts';
import type { Database } from '../../platform/index.ts';
import { deleteFilter } from '../filters/delete-filter.ts';
import { updateFilter } from '../filters/update-filter.ts';
import { planMails } from './plan-mails.ts';
import { MAX_ATTEMPTS } from './try-again.ts';
import { unsubscribe } from './unsubscribe.ts';

const PLAIN = { migrations: MIGRATIONS };
const clock = movableClock(`${SESSION}T21:01:00.000Z`);
const contextOf = (database: Database) => ({ database, clock, cursorKey: NO_KEY });

type Change = (database: Database, mail: WaitingMail) => Promise<unknown>;

const changeAccount = (change: object): Change => {
  return (database, { accountId }) =>
    database
      .query<{ account: { id: string } }>()
      .updateTable('account')
      .set(change)
      .where('id', '=', accountId)
      .execute();
};

const CHANGES: readonly [what: string, change: Change, reason: string][] = [
  [
    'the filter is deleted',
    (database, { accountId, filterId }) => deleteFilter(contextOf(database), accountId, filterId),
    'no_longer_wanted',
  ],
  [
    'the filter wants no mails any more',
    (database, { accountId, filterId }) => updateFilter(contextOf(database), accountId, filterId, { email: false }),
    'no_longer_wanted',
  ],
  ['the mails are ended', (database, { accountId }) => unsubscribe({ database, clock }, accountId), 'no_longer_wanted'],
  ['the address is not verified', changeAccount({ email_verified: false }), 'address_not_verified'],
  ['mails are suspended', changeAccount({ bounced_at: clock.now() }), 'mails_suspended'],
];

for (const [what, change, reason] of CHANGES) {
  for (const stage of ['greeting', 'DATA'] as const) {
    forEachDatabase(`nothing is sent when ${what} before a server's late ${stage}`, PLAIN, async ({ database }) => {
      const mail = await waitingMail(database);
      await using server = await startSlowMailServer(stage, () => change(database, mail));
      await sendOnce(database, mail.mailId, mailerTo(server.url));
      assert.deepEqual(await recorded(database, mail.mailId), ['skipped', reason, 1]);
      await sendOnce(database, mail.mailId, mailerTo(server.url));
      assert.equal(server.mails.length, 0);
    });
  }
}

forEachDatabase('nothing is sent to an account that goes meanwhile, or has another address', PLAIN, async (fixture) => {
  const { database } = fixture;
  const { mailId, accountId } = await waitingMail(database);
  await using moved = await startSlowMailServer('DATA', () =>
    sql`UPDATE account SET email = 'new@example.org' WHERE id = ${accountId}`.execute(database.query()),
  );
  await sendOnce(database, mailId, mailerTo(moved.url));
  assert.deepEqual([await recorded(database, mailId), moved.mails.length], [['queued', null, 1], 0]);
  await using gone = await startSlowMailServer('DATA', async () => {
    await sql`DELETE FROM workspace WHERE owner_account_id = ${accountId}`.execute(database.query());
    await sql`DELETE FROM account WHERE id = ${accountId}`.execute(database.query());
  });
  await sendOnce(database, mailId, mailerTo(gone.url));
  assert.equal(gone.mails.length, 0);
});

forEachDatabase('of two filters the one that is left is mailed, once', PLAIN, async ({ database }) => {
  const { mailId, accountId, filterId } = await twoFilters(database);
  const jobs: unknown[] = [];
  const queue = {
    enqueue: async (_tx: unknown, ...job: readonly unknown[]) => `job ${jobs.push(job)}`,
    complete: async () => true,
  };
  await using server = await startSlowMailServer('DATA', () => deleteFilter(contextOf(database), accountId, filterId));
  await sendOnce(database, mailId, mailerTo(server.url), clock, queue);
  assert.deepEqual([await recorded(database, mailId), server.mails.length], [['queued', null, 1], 0]);
  assert.deepEqual(jobs, [['mail', { screenerMailId: mailId }, { priority: -1, startAfter: clock.now() }]], 'at once');
  await sendOnce(database, mailId, mailerTo(server.url), clock, queue);
  assert.deepEqual([await recorded(database, mailId), jobs.length], [['sent', null, 2], 1]);
  assert.equal(server.mails.length, 1);
  const text = String(server.mails[0]?.[0]?.bytes);
  assert.match(text, /The other: 1 match/);
  assert.doesNotMatch(text, /Above ten/);
});

forEachDatabase('what a user changes during the last attempt does not cost the mail', PLAIN, async ({ database }) => {
  const { mailId, accountId, filterId } = await twoFilters(database);
  const made = MAX_ATTEMPTS - 1;
  await sql`UPDATE screener_mail SET attempts = ${made}::int WHERE id = ${mailId}`.execute(database.query());
  await using server = await startSlowMailServer('DATA', () => deleteFilter(contextOf(database), accountId, filterId));
  for (const expected of [
    ['queued', null, MAX_ATTEMPTS],
    ['sent', null, MAX_ATTEMPTS + 1],
  ]) {
    await sendOnce(database, mailId, mailerTo(server.url), clock);
    assert.deepEqual(await recorded(database, mailId), expected);
  }
  assert.equal(server.mails.length, 1);
});

async function twoFilters(database: Database): Promise<WaitingMail> {
  const first = await waitingMail(database);
  await makeFilter(database, first.accountId, { name: 'The other' });
  const session = '2026-03-10';
  await storeNumbers(database, session, { AAPL: { close: 170 } });
  let mailId = '';
  await completeRun(database, session, async (tx) => {
    [mailId = ''] = await planMails(tx, { session, perDay: 10, now: clock.now() });
  });
  return { ...first, mailId };
}
