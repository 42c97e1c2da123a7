import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { movableClock } from '../../../test/support/identity/identity.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { mailerTo } from '../../../test/support/platform/mailbox.ts';
import { startSlowMailServer } from '../../../test/support/platform/slow-mail-server.ts';
import { completeRun, insertMetrics, makeFilter, TEST_CURSOR_KEY } from '../../../test/support/screener/filters.ts';
import {
  makeQueuedMail,
  type QueuedMail,
  readMailRow,
  SESSION,
  sendMail,
} from '../../../test/support/screener/mails.ts';
import { MIGRATIONS } from '../../compose/index.ts';
import type { Database } from '../../platform/index.ts';
import { deleteFilter, updateFilter } from '../filters/save-filter.ts';
import { planMails } from './plan-mails.ts';
import { MAX_ATTEMPTS } from './retry-mail.ts';
import { unsubscribe } from './unsubscribe.ts';

const OPTIONS = { migrations: MIGRATIONS };
const clock = movableClock(`${SESSION}T21:01:00.000Z`);
const makeContext = (database: Database) => ({ database, clock, cursorKey: TEST_CURSOR_KEY });

type Change = (database: Database, mail: QueuedMail) => Promise<unknown>;

const changeAccount = (change: object): Change => {
  return (database, { accountId }) =>
    database
      .query<{ account: { id: string } }>()
      .updateTable('account')
      .set(change)
      .where('id', '=', accountId)
      .execute();
};

const CHANGES: readonly [description: string, change: Change, reason: string][] = [
  [
    'the filter is deleted',
    (database, { accountId, filterId }) => deleteFilter(makeContext(database), accountId, filterId),
    'no_longer_wanted',
  ],
  [
    'emails are turned off for the filter',
    (database, { accountId, filterId }) => updateFilter(makeContext(database), accountId, filterId, { email: false }),
    'no_longer_wanted',
  ],
  [
    'the account unsubscribes',
    (database, { accountId }) => unsubscribe({ database, clock }, accountId),
    'no_longer_wanted',
  ],
  ['the address is no longer verified', changeAccount({ email_verified: false }), 'address_not_verified'],
  ['emails are suspended', changeAccount({ bounced_at: clock.now() }), 'mails_suspended'],
];

for (const [description, change, reason] of CHANGES) {
  for (const stage of ['greeting', 'DATA'] as const) {
    forEachDatabase(
      `sends nothing if ${description} while the server delays the stage ${stage}`,
      OPTIONS,
      async ({ database }) => {
        const mail = await makeQueuedMail(database);
        await using server = await startSlowMailServer(stage, () => change(database, mail));
        await sendMail(database, mail.mailId, mailerTo(server.url));
        assert.deepEqual(await readMailRow(database, mail.mailId), ['skipped', reason, 1]);
        await sendMail(database, mail.mailId, mailerTo(server.url));
        assert.equal(server.mails.length, 0);
      },
    );
  }
}

forEachDatabase(
  'sends nothing to an account that is deleted or changes its address meanwhile',
  OPTIONS,
  async (fixture) => {
    const { database } = fixture;
    const { mailId, accountId } = await makeQueuedMail(database);
    await using moved = await startSlowMailServer('DATA', () =>
      sql`UPDATE account SET email = 'new@example.org' WHERE id = ${accountId}`.execute(database.query()),
    );
    await sendMail(database, mailId, mailerTo(moved.url));
    assert.deepEqual([await readMailRow(database, mailId), moved.mails.length], [['queued', null, 1], 0]);
    await using gone = await startSlowMailServer('DATA', async () => {
      await sql`DELETE FROM workspace WHERE owner_account_id = ${accountId}`.execute(database.query());
      await sql`DELETE FROM account WHERE id = ${accountId}`.execute(database.query());
    });
    await sendMail(database, mailId, mailerTo(gone.url));
    assert.equal(gone.mails.length, 0);
  },
);

forEachDatabase('emails the remaining filter once when one of two is deleted', OPTIONS, async ({ database }) => {
  const { mailId, accountId, filterId } = await makeMailOfTwoFilters(database);
  const jobs: unknown[] = [];
  const queue = {
    enqueue: async (_tx: unknown, ...job: readonly unknown[]) => `job ${jobs.push(job)}`,
    complete: async () => true,
  };
  await using server = await startSlowMailServer('DATA', () =>
    deleteFilter(makeContext(database), accountId, filterId),
  );
  await sendMail(database, mailId, mailerTo(server.url), clock, queue);
  assert.deepEqual([await readMailRow(database, mailId), server.mails.length], [['queued', null, 1], 0]);
  assert.deepEqual(
    jobs,
    [['mail', { screenerMailId: mailId }, { priority: -1, startAfter: clock.now() }]],
    'immediately',
  );
  await sendMail(database, mailId, mailerTo(server.url), clock, queue);
  assert.deepEqual([await readMailRow(database, mailId), jobs.length], [['sent', null, 2], 1]);
  assert.equal(server.mails.length, 1);
  const text = String(server.mails[0]?.[0]?.bytes);
  assert.match(text, /The other: 1 match/);
  assert.doesNotMatch(text, /Above ten/);
});

forEachDatabase(
  'does not lose the email when the account changes a filter during the last attempt',
  OPTIONS,
  async ({ database }) => {
    const { mailId, accountId, filterId } = await makeMailOfTwoFilters(database);
    const attempts = MAX_ATTEMPTS - 1;
    await sql`UPDATE screener_mail SET attempts = ${attempts}::int WHERE id = ${mailId}`.execute(database.query());
    await using server = await startSlowMailServer('DATA', () =>
      deleteFilter(makeContext(database), accountId, filterId),
    );
    for (const expected of [
      ['queued', null, MAX_ATTEMPTS],
      ['sent', null, MAX_ATTEMPTS + 1],
    ]) {
      await sendMail(database, mailId, mailerTo(server.url), clock);
      assert.deepEqual(await readMailRow(database, mailId), expected);
    }
    assert.equal(server.mails.length, 1);
  },
);

async function makeMailOfTwoFilters(database: Database): Promise<QueuedMail> {
  const first = await makeQueuedMail(database);
  await makeFilter(database, first.accountId, { name: 'The other' });
  const session = '2026-03-10';
  await insertMetrics(database, session, { AAPL: { close: 170 } });
  let mailId = '';
  await completeRun(database, session, async (tx) => {
    [mailId = ''] = await planMails(tx, { session, perDay: 10, now: clock.now() });
  });
  return { ...first, mailId };
}
