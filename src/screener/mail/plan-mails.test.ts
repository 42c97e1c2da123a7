import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { makeAccount } from '../../../test/support/identity/callers.ts';
import { movableIdentity } from '../../../test/support/identity/identity.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { completeRun, makeFilter, storeNumbers } from '../../../test/support/screener/screener.ts';
import { MIGRATIONS } from '../../compose/index.ts';
import type { Database } from '../../platform/index.ts';
import type { ScreenerTables } from '../tables.ts';
import { queueMailsThrough } from './mail-jobs.ts';
import { planMails } from './plan-mails.ts';

const NOW = new Date('2026-03-09T21:00:00.000Z');
const PLAIN = { migrations: MIGRATIONS };

interface PlannedRow {
  readonly account_id: string;
  readonly session: string;
  readonly state: string;
  readonly reason: string | null;
}

const planned = (database: Database): Promise<PlannedRow[]> =>
  database
    .query<ScreenerTables>()
    .selectFrom('screener_mail')
    .select(['account_id', 'session', 'state', 'reason'])
    .orderBy('session')
    .orderBy('account_id')
    .execute();

async function account(database: Database, verified = true): Promise<string> {
  return (await makeAccount(movableIdentity(database), { password: null, verified })).id;
}

/** Runs a session in which A is above ten and B is not. */
async function run(database: Database, session: string, perDay = 100): Promise<string[]> {
  await storeNumbers(database, session, { A: { close: 11 }, B: { close: 9 } });
  let ids: string[] = [];
  await completeRun(database, session, async (tx) => {
    ids = await planMails(tx, { session, perDay, now: NOW });
  });
  return ids;
}

forEachDatabase('one mail for an account with matches, whatever its filters', PLAIN, async ({ database }) => {
  const [several, off, none, unverified, suspended] = await Promise.all([
    account(database),
    account(database),
    account(database),
    account(database, false),
    account(database),
  ]);
  for (const name of ['one', 'two', 'three']) await makeFilter(database, several, { name });
  await makeFilter(database, several, { name: 'without mails', email: false });
  await makeFilter(database, off, { email: false });
  await makeFilter(database, none, { all: [{ field: 'close', op: 'gt', value: 1_000 }] });
  await makeFilter(database, unverified);
  await makeFilter(database, suspended);
  await sql`UPDATE account SET bounced_at = now() WHERE id = ${suspended}`.execute(database.query());
  const ids = await run(database, '2026-03-09');
  const expected = [
    { account_id: several, session: '2026-03-09', state: 'queued', reason: null },
    { account_id: unverified, session: '2026-03-09', state: 'skipped', reason: 'address_not_verified' },
    { account_id: suspended, session: '2026-03-09', state: 'skipped', reason: 'mails_suspended' },
  ].sort((a, b) => (a.account_id < b.account_id ? -1 : 1));
  assert.deepEqual(await planned(database), expected);
  assert.equal(ids.length, 1);
  assert.match(ids[0] ?? '', /^mail_[0-9A-F]{26}$/);
});

forEachDatabase('a budget goes around: who was longest without a mail comes first', PLAIN, async ({ database }) => {
  const people = await Promise.all(Array.from({ length: 6 }, () => account(database)));
  for (const id of people) await makeFilter(database, id);
  // Those who cannot get a mail take nobody's place.
  const unverified = await account(database, false);
  await makeFilter(database, unverified);
  const sessions = ['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06', '2026-03-09'];
  for (const session of sessions) assert.equal((await run(database, session, 2)).length, 2, session);
  const rows = await planned(database);
  for (const [index, session] of sessions.entries()) {
    const states = rows.filter((row) => row.session === session && row.account_id !== unverified);
    assert.equal(states.filter(({ state }) => state === 'queued').length, 2, session);
    assert.equal(states.filter(({ reason }) => reason === 'budget_used_up').length, 4, session);
    const upTo = rows.filter((row) => row.session <= session && row.state === 'queued');
    if (index % 3 === 2) {
      const counts = people.map((id) => upTo.filter((row) => row.account_id === id).length);
      assert.deepEqual(new Set(counts), new Set([(index + 1) / 3]), `everyone had as many by ${session}`);
    }
  }
  assert.deepEqual(await run(database, '2026-03-10', 0), [], 'a budget of nothing');
});

forEachDatabase('a mail that fails has used the budget: the next one is for somebody else', PLAIN, async (fixture) => {
  const { database } = fixture;
  const [a, b] = [await account(database), await account(database)];
  for (const id of [a, b]) await makeFilter(database, id);
  const sessions = ['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06', '2026-03-09'];
  for (const session of sessions) {
    assert.equal((await run(database, session, 1)).length, 1);
    // One's mailbox takes none of them.
    await sql`UPDATE screener_mail SET state = 'failed', reason = 'refused' WHERE account_id = ${a} AND state = 'queued'`.execute(
      database.query(),
    );
  }
  const states = (await planned(database)).filter(({ account_id }) => account_id === b).map(({ state }) => state);
  const [first, second] = states;
  assert.deepEqual(new Set([first, second]), new Set(['queued', 'over_budget']));
  assert.deepEqual(states, [first, second, first, second, first, second], 'every second one');
});

forEachDatabase(
  'planned again, nothing is added: neither with the clock set back nor with another budget',
  PLAIN,
  async ({ database }) => {
    const [first, second] = [await account(database), await account(database)];
    await makeFilter(database, first);
    assert.equal((await run(database, '2026-03-09', 1)).length, 1);
    const before = await planned(database);
    await makeFilter(database, second);
    await sql`INSERT INTO screener_result SELECT filter.id, '2026-03-09', '{A}', '{A}', '{close}' FROM screener_filter AS filter
      WHERE account_id = ${second}`.execute(database.query());
    for (const now of [NOW, new Date('2026-03-08T03:00:00Z'), new Date('2020-01-01T00:00:00Z')]) {
      const ids = await database.transaction((tx) => planMails(tx, { session: '2026-03-09', perDay: 1, now }));
      assert.deepEqual(ids, []);
    }
    const after = await planned(database);
    assert.deepEqual(
      after.filter(({ account_id }) => account_id === first),
      before,
    );
    // What was sent before counts for the budget of the day.
    assert.deepEqual(
      after.filter(({ account_id }) => account_id === second).map(({ state }) => state),
      ['over_budget'],
    );
  },
);

forEachDatabase(
  'a session that a later one has followed has no mail, which is recorded',
  PLAIN,
  async ({ database }) => {
    await makeFilter(database, await account(database));
    await storeNumbers(database, '2026-03-09', { A: { close: 11 } });
    const plan = { session: '2026-03-09', isOver: true, perDay: 5, now: NOW };
    await completeRun(database, '2026-03-09', async (tx) => assert.deepEqual(await planMails(tx, plan), []));
    const [mail] = await planned(database);
    assert.deepEqual([mail?.state, mail?.reason], ['skipped', 'session_over']);
  },
);

forEachDatabase('each session has its mail, also where clocks change', PLAIN, async ({ database }) => {
  const id = await account(database);
  await makeFilter(database, id);
  // The Fridays before and the Mondays after New York's clocks are changed, in both directions.
  const sessions = ['2026-03-06', '2026-03-09', '2026-10-30', '2026-11-02'];
  for (const session of sessions) {
    assert.equal((await run(database, session)).length, 1, session);
    // The same session again, an hour earlier and an hour later by the wall.
    for (const hours of [-1, 1]) {
      const now = new Date(NOW.getTime() + hours * 3_600_000);
      assert.deepEqual(await database.transaction((tx) => planMails(tx, { session, perDay: 9, now })), []);
    }
  }
  assert.deepEqual(
    (await planned(database)).map(({ session }) => session),
    sessions,
  );
});

forEachDatabase('a run that is rolled back has no mails, and none in the queue', PLAIN, async ({ database }) => {
  await makeFilter(database, await account(database));
  await storeNumbers(database, '2026-03-09', { A: { close: 11 } });
  const jobs: unknown[] = [];
  const enqueueAll = async (_: unknown, name: string, data: readonly object[], options?: object) => {
    jobs.push([name, data.flatMap(Object.keys), options]);
  };
  const follow = queueMailsThrough({ enqueueAll }, { clock: { now: () => NOW }, perDay: 5 });
  await assert.rejects(
    completeRun(database, '2026-03-09', async (tx, run) => {
      await follow(tx, run);
      throw new Error('the claim was lost');
    }),
    /claim was lost/,
  );
  assert.deepEqual(await planned(database), []);
  await completeRun(database, '2026-03-09', follow);
  assert.deepEqual(jobs.at(-1), ['mail', ['screenerMailId'], { priority: -1 }]);
  assert.equal((await planned(database)).length, 1);
});
