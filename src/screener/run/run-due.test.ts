import assert from 'node:assert/strict';
import { barOf, barsEndingAt, bulkProvider } from '../../../test/support/market/bulk-provider.ts';
import { forEachDatabase, type TestDatabase } from '../../../test/support/platform/database.ts';
import { makeFilter } from '../../../test/support/screener/screener.ts';
import { runScene } from '../../../test/support/screener/screener-runs.ts';
import { identityOf, MIGRATIONS } from '../../compose/index.ts';
import { createAccount } from '../../identity/index.ts';
import { deleteFilter, updateFilter } from '../index.ts';
import { keepSession } from './keep-session.ts';
import { latestSession } from './latest-session.ts';
import { runDue } from './run-due.ts';
import { runSession } from './run-session.ts';

const OPTIONS = { migrations: MIGRATIONS };
const [TUESDAY, WEDNESDAY, THURSDAY, MONDAY] = ['2024-03-26', '2024-03-27', '2024-03-28', '2024-04-01'];
const EVENING = {
  [WEDNESDAY]: '2024-03-27T20:30:00Z',
  [THURSDAY]: '2024-03-28T20:30:00Z',
  [MONDAY]: '2024-04-01T20:30:00Z',
};

/** Bars of some symbols up to a session: the latest close is the number, and those before are 5. */
function provider(session: string, closes: Readonly<Record<string, number>>) {
  return bulkProvider(
    Object.fromEntries(
      Object.entries(closes).map(([symbol, close]) => [symbol, barsEndingAt(session, [...Array(25).fill(5), close])]),
    ),
  );
}

async function anAccount({ database }: TestDatabase): Promise<string> {
  return (await createAccount(identityOf(database), { email: 'a@example.com', verified: true })).id;
}

forEachDatabase('a session is evaluated once its close is final, and once only', OPTIONS, async (fixture) => {
  const { database } = fixture;
  const alpaca = provider(WEDNESDAY, { LOW: 5, HIGH: 20 });
  const scene = runScene(fixture, [alpaca]);
  const filter = await makeFilter(database, await anAccount(fixture));
  scene.at('2024-03-27T20:29:59Z');
  await runDue(scene.context);
  // The session before is due, and the provider has its bars.
  assert.equal(await latestSession(database), TUESDAY);
  assert.deepEqual(await scene.metrics(TUESDAY), ['HIGH', 'LOW']);
  scene.at(EVENING[WEDNESDAY] as string);
  await runDue(scene.context);
  assert.equal(await latestSession(database), WEDNESDAY);
  assert.deepEqual(await scene.matches(filter.id, WEDNESDAY), ['HIGH!']);
  const { state, symbols, missing, providers } = (await scene.run(WEDNESDAY)) ?? assert.fail();
  assert.deepEqual(
    { state, symbols, missing, providers },
    { state: 'completed', symbols: 2, missing: [], providers: ['alpaca'] },
  );
  const asked = alpaca.asked.length;
  await runDue(scene.context);
  await runDue(scene.context);
  assert.equal(alpaca.asked.length, asked);
  assert.deepEqual(scene.followed, [TUESDAY, WEDNESDAY]);
});

forEachDatabase(
  'what matched in the run before is not new; a filter changed since is asked anew',
  OPTIONS,
  async (fixture) => {
    const { database } = fixture;
    const alpaca = provider(WEDNESDAY, { A: 20, B: 20, C: 5 });
    const scene = runScene(fixture, [alpaca]);
    const accountId = await anAccount(fixture);
    const [kept, changed] = [
      await makeFilter(database, accountId),
      await makeFilter(database, accountId, { name: 'Changed' }),
    ];
    scene.at(EVENING[WEDNESDAY] as string);
    await runDue(scene.context);
    const later = await makeFilter(database, accountId, { name: 'Later' });
    await updateFilter({ ...scene.context, cursorKey: async () => Buffer.alloc(32) }, accountId, changed.id, {
      all: [{ field: 'close', op: 'lt', value: 10 }],
    });
    // Neither changes what a session that is over has matched.
    await runDue(scene.context);
    assert.deepEqual(await scene.matches(later.id, WEDNESDAY), []);
    assert.deepEqual(await scene.matches(changed.id, WEDNESDAY), ['A!', 'B!']);
    const thursday = Date.parse(THURSDAY);
    for (const [symbol, close] of [
      ['A', 20],
      ['B', 5],
      ['C', 20],
    ] as const)
      alpaca.bars.get(symbol)?.push(barOf(thursday, close));
    scene.at(EVENING[THURSDAY] as string);
    await runDue(scene.context);
    assert.deepEqual(await scene.matches(kept.id, THURSDAY), ['A', 'C!']);
    assert.deepEqual(await scene.matches(changed.id, THURSDAY), ['B']);
    assert.deepEqual(await scene.matches(later.id, THURSDAY), ['A!', 'C!']);
  },
);

forEachDatabase('a late close is waited for by name, and then left out by name', OPTIONS, async (fixture) => {
  const { database } = fixture;
  const alpaca = provider(WEDNESDAY, { A: 20, B: 20, IDLE: 20 });
  alpaca.bars.get('B')?.pop();
  // Not traded for a week: nobody waits for it.
  alpaca.bars.get('IDLE')?.splice(-6);
  const scene = runScene(fixture, [alpaca]);
  const filter = await makeFilter(database, await anAccount(fixture));
  for (const instant of [EVENING[WEDNESDAY] as string, '2024-03-28T07:59:59Z']) {
    scene.at(instant);
    await runDue(scene.context);
    const { state, missing } = (await scene.run(WEDNESDAY)) ?? assert.fail();
    assert.deepEqual({ state, missing }, { state: 'waiting', missing: ['B'] });
    assert.equal(await latestSession(database), null);
  }
  // What was stored is not read again.
  assert.deepEqual(alpaca.asked, [
    ['A', 'B', 'IDLE'],
    ['B', 'IDLE'],
  ]);
  scene.at('2024-03-28T08:00:00Z');
  await runDue(scene.context);
  const { state, missing, symbols } = (await scene.run(WEDNESDAY)) ?? assert.fail();
  assert.deepEqual({ state, missing, symbols }, { state: 'completed', missing: ['B'], symbols: 1 });
  assert.deepEqual(await scene.matches(filter.id, WEDNESDAY), ['A!']);
});

forEachDatabase('a close that comes within the time is in the run', OPTIONS, async (fixture) => {
  const alpaca = provider(WEDNESDAY, { A: 20, B: 20 });
  const late = alpaca.bars.get('B')?.pop() ?? assert.fail();
  const scene = runScene(fixture, [alpaca]);
  const filter = await makeFilter(fixture.database, await anAccount(fixture));
  scene.at(EVENING[WEDNESDAY] as string);
  await runDue(scene.context);
  assert.deepEqual(scene.followed, []);
  alpaca.bars.get('B')?.push(late);
  await runDue(scene.context);
  assert.deepEqual(await scene.matches(filter.id, WEDNESDAY), ['A!', 'B!']);
  assert.deepEqual((await scene.run(WEDNESDAY))?.missing, []);
  assert.deepEqual(scene.followed, [WEDNESDAY]);
});

forEachDatabase(
  'without any close a session waits, and is missed when the next one closes',
  OPTIONS,
  async (fixture) => {
    const alpaca = provider(TUESDAY, { A: 20 });
    const scene = runScene(fixture, [alpaca]);
    const filter = await makeFilter(fixture.database, await anAccount(fixture));
    for (const instant of [EVENING[WEDNESDAY] as string, '2024-03-28T20:29:00Z']) {
      scene.at(instant);
      await runDue(scene.context);
      assert.equal((await scene.run(WEDNESDAY))?.state, 'waiting');
    }
    alpaca.bars.get('A')?.push(barOf(Date.parse(THURSDAY), 30));
    scene.at(EVENING[THURSDAY] as string);
    await runDue(scene.context);
    assert.equal((await scene.run(WEDNESDAY))?.state, 'missed');
    assert.equal((await scene.run(THURSDAY))?.state, 'completed');
    assert.deepEqual(await scene.matches(filter.id, THURSDAY), ['A!']);
    assert.deepEqual(scene.followed, [THURSDAY]);
    // A bar that comes after all changes nothing.
    alpaca.bars.get('A')?.push(barOf(Date.parse(WEDNESDAY), 30));
    await runDue(scene.context);
    assert.equal((await scene.run(WEDNESDAY))?.state, 'missed');
  },
);

forEachDatabase(
  'a provider that is down is waited for, also when it cannot list its symbols',
  OPTIONS,
  async (fixture) => {
    const alpaca = provider(THURSDAY, { A: 20, B: 20 });
    const scene = runScene(fixture, [alpaca]);
    scene.at(EVENING[WEDNESDAY] as string);
    await runDue(scene.context);
    alpaca.fault = 'UNAVAILABLE';
    scene.at(EVENING[THURSDAY] as string);
    await runDue(scene.context);
    const { state, missing } = (await scene.run(THURSDAY)) ?? assert.fail();
    assert.deepEqual({ state, missing }, { state: 'waiting', missing: ['A', 'B'] });
    alpaca.fault = null;
    await runDue(scene.context);
    assert.deepEqual(scene.followed, [WEDNESDAY, THURSDAY]);
  },
);

forEachDatabase(
  'symbols that only a filter names are looked at; weekends and holidays have no run',
  OPTIONS,
  async (fixture) => {
    const alpaca = provider(THURSDAY, { A: 20, OTHER: 20 });
    const listed = { ...alpaca, bulk: { ...alpaca.bulk, symbols: async () => ['A'] } };
    const scene = runScene(fixture, [listed]);
    const universe = ['OTHER', 'NOBODY'];
    const filter = await makeFilter(fixture.database, await anAccount(fixture), { universe });
    scene.at(EVENING[THURSDAY] as string);
    await runDue(scene.context);
    assert.deepEqual(await scene.metrics(THURSDAY), ['A', 'OTHER']);
    assert.deepEqual(await scene.matches(filter.id, THURSDAY), ['OTHER!']);
    for (const instant of ['2024-03-29T21:00:00Z', '2024-03-31T12:00:00Z', '2024-04-01T13:00:00Z']) {
      scene.at(instant);
      await runDue(scene.context);
    }
    assert.deepEqual(scene.followed, [THURSDAY]);
  },
);

forEachDatabase('a deleted filter keeps no results, and is not evaluated', OPTIONS, async (fixture) => {
  const { database } = fixture;
  const alpaca = provider(THURSDAY, { A: 20 });
  const scene = runScene(fixture, [alpaca]);
  const accountId = await anAccount(fixture);
  const filter = await makeFilter(database, accountId);
  scene.at(EVENING[WEDNESDAY] as string);
  await runDue(scene.context);
  await deleteFilter({ database }, accountId, filter.id);
  scene.at(EVENING[THURSDAY] as string);
  await runDue(scene.context);
  for (const session of [WEDNESDAY, THURSDAY]) assert.deepEqual(await scene.matches(filter.id, session), []);
  assert.deepEqual(scene.followed, [WEDNESDAY, THURSDAY]);
});

forEachDatabase(
  'sessions that went by while no worker was there are made up for, a week of them',
  OPTIONS,
  async (fixture) => {
    const alpaca = provider('2024-04-12', { A: 20 });
    alpaca.bars.get('A')?.splice(-3, 1);
    const scene = runScene(fixture, [alpaca]);
    const filter = await makeFilter(fixture.database, await anAccount(fixture));
    scene.at(EVENING[MONDAY] as string);
    await runDue(scene.context);
    scene.at('2024-04-12T20:30:00Z');
    await runDue(scene.context);
    await runDue(scene.context);
    const later = ['2024-04-05', '2024-04-08', '2024-04-09', '2024-04-11'].map((session) => `${session} over`);
    assert.deepEqual(scene.followed, [MONDAY, ...later, '2024-04-12']);
    // Nobody has a bar of it, and there are no more than five.
    assert.equal((await scene.run('2024-04-10'))?.state, 'missed');
    assert.equal(await scene.run('2024-04-04'), undefined);
    assert.deepEqual(await scene.matches(filter.id, '2024-04-12'), ['A!']);
  },
);

forEachDatabase('one that was given up is run when somebody asks for it', OPTIONS, async (fixture) => {
  const alpaca = provider(TUESDAY, { A: 5 });
  const scene = runScene(fixture, [alpaca]);
  const filter = await makeFilter(fixture.database, await anAccount(fixture));
  scene.at(EVENING[THURSDAY] as string);
  await runSession(scene.context, WEDNESDAY, { isLast: true });
  assert.equal((await scene.run(WEDNESDAY))?.state, 'missed');
  alpaca.bars.get('A')?.push(barOf(Date.parse(WEDNESDAY), 30));
  assert.equal(await runSession(scene.context, WEDNESDAY, { isLast: true }), 'taken');
  assert.equal(await keepSession(scene.context, WEDNESDAY), 'completed');
  await assert.rejects(keepSession(scene.context, WEDNESDAY), /^Fault: keep: 2024-03-27 is evaluated already/);
  // The latest may be waiting for closes, which is the daily run's to do.
  await assert.rejects(keepSession(scene.context, THURSDAY), /^Fault: keep: the latest session/);
  assert.deepEqual(await scene.matches(filter.id, WEDNESDAY), ['A!']);
});

forEachDatabase('a clock that was set back runs no session again, and none that went by', OPTIONS, async (fixture) => {
  const alpaca = provider(THURSDAY, { A: 20 });
  const scene = runScene(fixture, [alpaca]);
  for (const instant of [EVENING[THURSDAY], EVENING[WEDNESDAY], '2024-03-20T21:00:00Z', EVENING[THURSDAY]]) {
    scene.at(instant as string);
    await runDue(scene.context);
  }
  assert.deepEqual(scene.followed, [THURSDAY]);
  assert.equal(await scene.run(WEDNESDAY), undefined);
});
