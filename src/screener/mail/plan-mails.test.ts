import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { makeAccount } from '../../../test/support/identity/callers.ts';
import { movableIdentity } from '../../../test/support/identity/identity.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { completeRun, insertMetrics, makeFilter } from '../../../test/support/screener/filters.ts';
import { HOUR_MS } from '../../calendar/index.ts';
import { MIGRATIONS } from '../../compose/index.ts';
import type { Database } from '../../platform/index.ts';
import type { ScreenerTables } from '../tables.ts';
import { planMails, queueMailsAfterRun } from './plan-mails.ts';

const NOW = new Date('2026-03-09T21:00:00.000Z');
const OPTIONS = { migrations: MIGRATIONS };

interface PlannedRow {
  readonly account_id: string;
  readonly session: string;
  readonly state: string;
  readonly reason: string | null;
}

const readPlanned = (database: Database): Promise<PlannedRow[]> =>
  database
    .query<ScreenerTables>()
    .selectFrom('screener_mail')
    .select(['account_id', 'session', 'state', 'reason'])
    .orderBy('session')
    .orderBy('account_id')
    .execute();

async function makeAccountId(database: Database, verified = true): Promise<string> {
  return (await makeAccount(movableIdentity(database), { password: null, verified })).id;
}

/** Completes a session in which A is above ten and B is not. */
async function planSession(database: Database, session: string, perDay = 100): Promise<string[]> {
  await insertMetrics(database, session, { A: { close: 11 }, B: { close: 9 } });
  let ids: string[] = [];
  await completeRun(database, session, async (tx) => {
    ids = await planMails(tx, { session, perDay, now: NOW });
  });
  return ids;
}

forEachDatabase(
  'plans one email per account with matches, however many filters match',
  OPTIONS,
  async ({ database }) => {
    const [several, off, unmatched, unverified, suspended] = await Promise.all([
      makeAccountId(database),
      makeAccountId(database),
      makeAccountId(database),
      makeAccountId(database, false),
      makeAccountId(database),
    ]);
    for (const name of ['one', 'two', 'three']) await makeFilter(database, several, { name });
    await makeFilter(database, several, { name: 'without emails', email: false });
    await makeFilter(database, off, { email: false });
    await makeFilter(database, unmatched, { all: [{ field: 'close', op: 'gt', value: 1_000 }] });
    await makeFilter(database, unverified);
    await makeFilter(database, suspended);
    await sql`UPDATE account SET bounced_at = now() WHERE id = ${suspended}`.execute(database.query());
    const ids = await planSession(database, '2026-03-09');
    const expected = [
      { account_id: several, session: '2026-03-09', state: 'queued', reason: null },
      { account_id: unverified, session: '2026-03-09', state: 'skipped', reason: 'address_not_verified' },
      { account_id: suspended, session: '2026-03-09', state: 'skipped', reason: 'mails_suspended' },
    ].sort((a, b) => (a.account_id < b.account_id ? -1 : 1));
    assert.deepEqual(await readPlanned(database), expected);
    assert.equal(ids.length, 1);
    assert.match(ids[0] ?? '', /^mail_[0-9A-F]{26}$/);
  },
);

forEachDatabase('gives the budget to the accounts that have waited longest', OPTIONS, async ({ database }) => {
  const accounts = await Promise.all(Array.from({ length: 6 }, () => makeAccountId(database)));
  for (const id of accounts) await makeFilter(database, id);
  // Accounts that cannot get emails do not use the budget.
  const unverified = await makeAccountId(database, false);
  await makeFilter(database, unverified);
  const sessions = ['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06', '2026-03-09'];
  for (const session of sessions) assert.equal((await planSession(database, session, 2)).length, 2, session);
  const rows = await readPlanned(database);
  for (const [index, session] of sessions.entries()) {
    const states = rows.filter((row) => row.session === session && row.account_id !== unverified);
    assert.equal(states.filter(({ state }) => state === 'queued').length, 2, session);
    assert.equal(states.filter(({ reason }) => reason === 'budget_used_up').length, 4, session);
    const upTo = rows.filter((row) => row.session <= session && row.state === 'queued');
    if (index % 3 === 2) {
      const counts = accounts.map((id) => upTo.filter((row) => row.account_id === id).length);
      assert.deepEqual(
        new Set(counts),
        new Set([(index + 1) / 3]),
        `all accounts had the same number of emails by ${session}`,
      );
    }
  }
  assert.deepEqual(await planSession(database, '2026-03-10', 0), [], 'a budget of 0');
});

forEachDatabase(
  'counts a failed mail against the budget, and gives the next one to another account',
  OPTIONS,
  async (fixture) => {
    const { database } = fixture;
    const [a, b] = [await makeAccountId(database), await makeAccountId(database)];
    for (const id of [a, b]) await makeFilter(database, id);
    const sessions = ['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06', '2026-03-09'];
    for (const session of sessions) {
      assert.equal((await planSession(database, session, 1)).length, 1);
      // The mailbox of the first account rejects all emails.
      await sql`UPDATE screener_mail SET state = 'failed', reason = 'refused' WHERE account_id = ${a} AND state = 'queued'`.execute(
        database.query(),
      );
    }
    const states = (await readPlanned(database)).filter(({ account_id }) => account_id === b).map(({ state }) => state);
    const [first, second] = states;
    assert.deepEqual(new Set([first, second]), new Set(['queued', 'over_budget']));
    assert.deepEqual(states, [first, second, first, second, first, second], 'every second email');
  },
);

forEachDatabase('adds nothing when planned again, at any time', OPTIONS, async ({ database }) => {
  const [first, second] = [await makeAccountId(database), await makeAccountId(database)];
  await makeFilter(database, first);
  assert.equal((await planSession(database, '2026-03-09', 1)).length, 1);
  const before = await readPlanned(database);
  await makeFilter(database, second);
  await sql`INSERT INTO screener_result SELECT filter.id, '2026-03-09', '{A}', '{A}', '{close}' FROM screener_filter AS filter
      WHERE account_id = ${second}`.execute(database.query());
  for (const now of [NOW, new Date('2026-03-08T03:00:00Z'), new Date('2020-01-01T00:00:00Z')]) {
    const ids = await database.transaction((tx) => planMails(tx, { session: '2026-03-09', perDay: 1, now }));
    assert.deepEqual(ids, []);
  }
  const after = await readPlanned(database);
  assert.deepEqual(
    after.filter(({ account_id }) => account_id === first),
    before,
  );
  // Earlier emails of the session count against its budget.
  assert.deepEqual(
    after.filter(({ account_id }) => account_id === second).map(({ state }) => state),
    ['over_budget'],
  );
});

forEachDatabase('records a skipped mail for a past session', OPTIONS, async ({ database }) => {
  await makeFilter(database, await makeAccountId(database));
  await insertMetrics(database, '2026-03-09', { A: { close: 11 } });
  const plan = { session: '2026-03-09', isPast: true, perDay: 5, now: NOW };
  await completeRun(database, '2026-03-09', async (tx) => assert.deepEqual(await planMails(tx, plan), []));
  const [mail] = await readPlanned(database);
  assert.deepEqual([mail?.state, mail?.reason], ['skipped', 'session_over']);
});

forEachDatabase('plans one email per session across changes of daylight saving time', OPTIONS, async ({ database }) => {
  const id = await makeAccountId(database);
  await makeFilter(database, id);
  // The Fridays before and the Mondays after the clocks change in New York, in spring and fall.
  const sessions = ['2026-03-06', '2026-03-09', '2026-10-30', '2026-11-02'];
  for (const session of sessions) {
    assert.equal((await planSession(database, session)).length, 1, session);
    // The same session again, an hour earlier and an hour later.
    for (const hours of [-1, 1]) {
      const now = new Date(NOW.getTime() + hours * HOUR_MS);
      assert.deepEqual(await database.transaction((tx) => planMails(tx, { session, perDay: 9, now })), []);
    }
  }
  assert.deepEqual(
    (await readPlanned(database)).map(({ session }) => session),
    sessions,
  );
});

forEachDatabase('plans no email for a run that is rolled back', OPTIONS, async ({ database }) => {
  await makeFilter(database, await makeAccountId(database));
  await insertMetrics(database, '2026-03-09', { A: { close: 11 } });
  const jobs: unknown[] = [];
  const enqueueAll = async (_: unknown, name: string, data: readonly object[], options?: object) => {
    jobs.push([name, data.flatMap(Object.keys), options]);
  };
  const onRunCompleted = queueMailsAfterRun({ enqueueAll }, { clock: { now: () => NOW }, perDay: 5 });
  await assert.rejects(
    completeRun(database, '2026-03-09', async (tx, run) => {
      await onRunCompleted(tx, run);
      throw new Error('the claim was lost');
    }),
    /claim was lost/,
  );
  assert.deepEqual(await readPlanned(database), []);
  await completeRun(database, '2026-03-09', onRunCompleted);
  assert.deepEqual(jobs.at(-1), ['mail', ['screenerMailId'], { priority: -1 }]);
  assert.equal((await readPlanned(database)).length, 1);
});
