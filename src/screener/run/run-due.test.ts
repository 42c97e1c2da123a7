import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { barOf, barsEndingAt, bulkProvider } from '../../../test/support/market/bulk-provider.ts';
import { forEachDatabase, type TestDatabase } from '../../../test/support/platform/database.ts';
import { FIXED_KEYS } from '../../../test/support/platform/fixed-keys.ts';
import { makeFilter } from '../../../test/support/screener/filters.ts';
import { openRunScene } from '../../../test/support/screener/run-scene.ts';
import { createIdentityContext, MIGRATIONS } from '../../compose/index.ts';
import { createAccount } from '../../identity/index.ts';
import { openQueue, systemClock } from '../../platform/index.ts';
import { deleteFilter, updateFilter } from '../index.ts';
import { runDueSessions, runPastSession, SCREENER_QUEUE, startScreenerRuns } from './run-due.ts';
import { runSession } from './run-session.ts';
import { latestSession } from './stored-sessions.ts';

const OPTIONS = { migrations: MIGRATIONS };
const [TUESDAY, WEDNESDAY, THURSDAY, MONDAY] = ['2024-03-26', '2024-03-27', '2024-03-28', '2024-04-01'];
const EVENING = {
  [WEDNESDAY]: '2024-03-27T20:30:00Z',
  [THURSDAY]: '2024-03-28T20:30:00Z',
  [MONDAY]: '2024-04-01T20:30:00Z',
};

/** Creates a provider with bars up to a session: closes of 5, and the given close at the last one. */
function createProvider(session: string, closes: Readonly<Record<string, number>>) {
  return bulkProvider(
    Object.fromEntries(
      Object.entries(closes).map(([symbol, close]) => [symbol, barsEndingAt(session, [...Array(25).fill(5), close])]),
    ),
  );
}

async function makeVerifiedAccount({ database }: TestDatabase): Promise<string> {
  return (
    await createAccount(createIdentityContext({ database, clock: systemClock }), {
      email: 'a@example.com',
      verified: true,
    })
  ).id;
}

forEachDatabase('evaluates a session once, when its close is final', OPTIONS, async (fixture) => {
  const { database } = fixture;
  const alpaca = createProvider(WEDNESDAY, { LOW: 5, HIGH: 20 });
  const scene = openRunScene(fixture, [alpaca]);
  const filter = await makeFilter(database, await makeVerifiedAccount(fixture));
  scene.setTime('2024-03-27T20:29:59Z');
  await runDueSessions(scene.context);
  // The previous session is due, and the provider has its bars.
  assert.equal(await latestSession(database), TUESDAY);
  assert.deepEqual(await scene.readSymbols(TUESDAY), ['HIGH', 'LOW']);
  scene.setTime(EVENING[WEDNESDAY] as string);
  await runDueSessions(scene.context);
  assert.equal(await latestSession(database), WEDNESDAY);
  assert.deepEqual(await scene.readMatches(filter.id, WEDNESDAY), ['HIGH!']);
  const { state, symbols, missing, providers } = (await scene.readRun(WEDNESDAY)) ?? assert.fail();
  assert.deepEqual(
    { state, symbols, missing, providers },
    { state: 'completed', symbols: 2, missing: [], providers: ['alpaca'] },
  );
  const requests = alpaca.queries.length;
  await runDueSessions(scene.context);
  await runDueSessions(scene.context);
  assert.equal(alpaca.queries.length, requests);
  assert.deepEqual(scene.completed, [TUESDAY, WEDNESDAY]);
});

forEachDatabase(
  'marks matches as new against the previous run, and evaluates a changed filter with its new conditions',
  OPTIONS,
  async (fixture) => {
    const { database } = fixture;
    const alpaca = createProvider(WEDNESDAY, { A: 20, B: 20, C: 5 });
    const scene = openRunScene(fixture, [alpaca]);
    const accountId = await makeVerifiedAccount(fixture);
    const [unchanged, changed] = [
      await makeFilter(database, accountId),
      await makeFilter(database, accountId, { name: 'Changed' }),
    ];
    scene.setTime(EVENING[WEDNESDAY] as string);
    await runDueSessions(scene.context);
    const later = await makeFilter(database, accountId, { name: 'Later' });
    await updateFilter({ ...scene.context, cursorKey: FIXED_KEYS }, accountId, changed.id, {
      all: [{ field: 'close', op: 'lt', value: 10 }],
    });
    // Neither changes the results of the evaluated session.
    await runDueSessions(scene.context);
    assert.deepEqual(await scene.readMatches(later.id, WEDNESDAY), []);
    assert.deepEqual(await scene.readMatches(changed.id, WEDNESDAY), ['A!', 'B!']);
    const thursday = Date.parse(THURSDAY);
    for (const [symbol, close] of [
      ['A', 20],
      ['B', 5],
      ['C', 20],
    ] as const)
      alpaca.bars.get(symbol)?.push(barOf(thursday, close));
    scene.setTime(EVENING[THURSDAY] as string);
    await runDueSessions(scene.context);
    assert.deepEqual(await scene.readMatches(unchanged.id, THURSDAY), ['A', 'C!']);
    assert.deepEqual(await scene.readMatches(changed.id, THURSDAY), ['B']);
    assert.deepEqual(await scene.readMatches(later.id, THURSDAY), ['A!', 'C!']);
  },
);

forEachDatabase('names a missing close while it waits and after it completes without it', OPTIONS, async (fixture) => {
  const { database } = fixture;
  const alpaca = createProvider(WEDNESDAY, { A: 20, B: 20, IDLE: 20 });
  alpaca.bars.get('B')?.pop();
  // The run does not wait for a symbol that was not traded for a week.
  alpaca.bars.get('IDLE')?.splice(-6);
  const scene = openRunScene(fixture, [alpaca]);
  const filter = await makeFilter(database, await makeVerifiedAccount(fixture));
  for (const instant of [EVENING[WEDNESDAY] as string, '2024-03-28T07:59:59Z']) {
    scene.setTime(instant);
    await runDueSessions(scene.context);
    const { state, missing } = (await scene.readRun(WEDNESDAY)) ?? assert.fail();
    assert.deepEqual({ state, missing }, { state: 'waiting', missing: ['B'] });
    assert.equal(await latestSession(database), null);
  }
  // Stored closes are not read again.
  assert.deepEqual(alpaca.queries, [
    ['A', 'B', 'IDLE'],
    ['B', 'IDLE'],
  ]);
  scene.setTime('2024-03-28T08:00:00Z');
  await runDueSessions(scene.context);
  const { state, missing, symbols } = (await scene.readRun(WEDNESDAY)) ?? assert.fail();
  assert.deepEqual({ state, missing, symbols }, { state: 'completed', missing: ['B'], symbols: 1 });
  assert.deepEqual(await scene.readMatches(filter.id, WEDNESDAY), ['A!']);
});

forEachDatabase('includes a close that arrives within the wait', OPTIONS, async (fixture) => {
  const alpaca = createProvider(WEDNESDAY, { A: 20, B: 20 });
  const late = alpaca.bars.get('B')?.pop() ?? assert.fail();
  const scene = openRunScene(fixture, [alpaca]);
  const filter = await makeFilter(fixture.database, await makeVerifiedAccount(fixture));
  scene.setTime(EVENING[WEDNESDAY] as string);
  await runDueSessions(scene.context);
  assert.deepEqual(scene.completed, []);
  alpaca.bars.get('B')?.push(late);
  await runDueSessions(scene.context);
  assert.deepEqual(await scene.readMatches(filter.id, WEDNESDAY), ['A!', 'B!']);
  assert.deepEqual((await scene.readRun(WEDNESDAY))?.missing, []);
  assert.deepEqual(scene.completed, [WEDNESDAY]);
});

forEachDatabase(
  'waits without any close, and marks the session as missed when the next one closes',
  OPTIONS,
  async (fixture) => {
    const alpaca = createProvider(TUESDAY, { A: 20 });
    const scene = openRunScene(fixture, [alpaca]);
    const filter = await makeFilter(fixture.database, await makeVerifiedAccount(fixture));
    for (const instant of [EVENING[WEDNESDAY] as string, '2024-03-28T20:29:00Z']) {
      scene.setTime(instant);
      await runDueSessions(scene.context);
      assert.equal((await scene.readRun(WEDNESDAY))?.state, 'waiting');
    }
    alpaca.bars.get('A')?.push(barOf(Date.parse(THURSDAY), 30));
    scene.setTime(EVENING[THURSDAY] as string);
    await runDueSessions(scene.context);
    assert.equal((await scene.readRun(WEDNESDAY))?.state, 'missed');
    assert.equal((await scene.readRun(THURSDAY))?.state, 'completed');
    assert.deepEqual(await scene.readMatches(filter.id, THURSDAY), ['A!']);
    assert.deepEqual(scene.completed, [THURSDAY]);
    // A bar that arrives later changes nothing.
    alpaca.bars.get('A')?.push(barOf(Date.parse(WEDNESDAY), 30));
    await runDueSessions(scene.context);
    assert.equal((await scene.readRun(WEDNESDAY))?.state, 'missed');
  },
);

forEachDatabase('waits for a provider that is down, even if it cannot list its symbols', OPTIONS, async (fixture) => {
  const alpaca = createProvider(THURSDAY, { A: 20, B: 20 });
  const scene = openRunScene(fixture, [alpaca]);
  scene.setTime(EVENING[WEDNESDAY] as string);
  await runDueSessions(scene.context);
  alpaca.fault = 'UNAVAILABLE';
  scene.setTime(EVENING[THURSDAY] as string);
  await runDueSessions(scene.context);
  const { state, missing } = (await scene.readRun(THURSDAY)) ?? assert.fail();
  assert.deepEqual({ state, missing }, { state: 'waiting', missing: ['A', 'B'] });
  alpaca.fault = null;
  await runDueSessions(scene.context);
  assert.deepEqual(scene.completed, [WEDNESDAY, THURSDAY]);
});

forEachDatabase(
  'reads symbols that only a filter lists, and runs nothing on weekends and holidays',
  OPTIONS,
  async (fixture) => {
    const alpaca = createProvider(THURSDAY, { A: 20, OTHER: 20 });
    const listed = { ...alpaca, bulk: { ...alpaca.bulk, listSymbols: async () => ['A'] } };
    const scene = openRunScene(fixture, [listed]);
    const universe = ['OTHER', 'MISSING'];
    const filter = await makeFilter(fixture.database, await makeVerifiedAccount(fixture), { universe });
    scene.setTime(EVENING[THURSDAY] as string);
    await runDueSessions(scene.context);
    assert.deepEqual(await scene.readSymbols(THURSDAY), ['A', 'OTHER']);
    assert.deepEqual(await scene.readMatches(filter.id, THURSDAY), ['OTHER!']);
    for (const instant of ['2024-03-29T21:00:00Z', '2024-03-31T12:00:00Z', '2024-04-01T13:00:00Z']) {
      scene.setTime(instant);
      await runDueSessions(scene.context);
    }
    assert.deepEqual(scene.completed, [THURSDAY]);
  },
);

forEachDatabase('removes the results of a deleted filter and does not evaluate it', OPTIONS, async (fixture) => {
  const { database } = fixture;
  const alpaca = createProvider(THURSDAY, { A: 20 });
  const scene = openRunScene(fixture, [alpaca]);
  const accountId = await makeVerifiedAccount(fixture);
  const filter = await makeFilter(database, accountId);
  scene.setTime(EVENING[WEDNESDAY] as string);
  await runDueSessions(scene.context);
  await deleteFilter({ database }, accountId, filter.id);
  scene.setTime(EVENING[THURSDAY] as string);
  await runDueSessions(scene.context);
  for (const session of [WEDNESDAY, THURSDAY]) assert.deepEqual(await scene.readMatches(filter.id, session), []);
  assert.deepEqual(scene.completed, [WEDNESDAY, THURSDAY]);
});

forEachDatabase('makes up for up to a week of sessions that passed without a worker', OPTIONS, async (fixture) => {
  const alpaca = createProvider('2024-04-12', { A: 20 });
  alpaca.bars.get('A')?.splice(-3, 1);
  const scene = openRunScene(fixture, [alpaca]);
  const filter = await makeFilter(fixture.database, await makeVerifiedAccount(fixture));
  scene.setTime(EVENING[MONDAY] as string);
  await runDueSessions(scene.context);
  scene.setTime('2024-04-12T20:30:00Z');
  await runDueSessions(scene.context);
  await runDueSessions(scene.context);
  const later = ['2024-04-05', '2024-04-08', '2024-04-09', '2024-04-11'].map((session) => `${session} past`);
  assert.deepEqual(scene.completed, [MONDAY, ...later, '2024-04-12']);
  // The first has no bar, the second is more than five sessions ago.
  assert.equal((await scene.readRun('2024-04-10'))?.state, 'missed');
  assert.equal(await scene.readRun('2024-04-04'), undefined);
  assert.deepEqual(await scene.readMatches(filter.id, '2024-04-12'), ['A!']);
});

forEachDatabase('runs a missed session on request', OPTIONS, async (fixture) => {
  const alpaca = createProvider(TUESDAY, { A: 5 });
  const scene = openRunScene(fixture, [alpaca]);
  const filter = await makeFilter(fixture.database, await makeVerifiedAccount(fixture));
  scene.setTime(EVENING[THURSDAY] as string);
  await runSession(scene.context, WEDNESDAY, { isPast: true });
  assert.equal((await scene.readRun(WEDNESDAY))?.state, 'missed');
  alpaca.bars.get('A')?.push(barOf(Date.parse(WEDNESDAY), 30));
  assert.equal(await runSession(scene.context, WEDNESDAY, { isPast: true }), 'taken');
  assert.equal(await runPastSession(scene.context, WEDNESDAY), 'completed');
  await assert.rejects(runPastSession(scene.context, WEDNESDAY), /^Fault: keep: 2024-03-27 is already evaluated/);
  // The daily run waits for the closes of the latest session.
  await assert.rejects(
    runPastSession(scene.context, THURSDAY),
    /^Fault: keep: the daily run evaluates the latest session/,
  );
  assert.deepEqual(await scene.readMatches(filter.id, WEDNESDAY), ['A!']);
});

forEachDatabase('runs no earlier session after the clock was set back', OPTIONS, async (fixture) => {
  const alpaca = createProvider(THURSDAY, { A: 20 });
  const scene = openRunScene(fixture, [alpaca]);
  for (const instant of [EVENING[THURSDAY], EVENING[WEDNESDAY], '2024-03-20T21:00:00Z', EVENING[THURSDAY]]) {
    scene.setTime(instant as string);
    await runDueSessions(scene.context);
  }
  assert.deepEqual(scene.completed, [THURSDAY]);
  assert.equal(await scene.readRun(WEDNESDAY), undefined);
});

forEachDatabase('runs due sessions in a job of the queue', { ...OPTIONS, queue: true }, async (fixture) => {
  const { database } = fixture;
  const queue = await openQueue(database, { queues: [SCREENER_QUEUE], supervise: false });
  fixture.cleanup(() => queue.stop());
  const scene = openRunScene(fixture, [createProvider(WEDNESDAY, { A: 20 })]);
  await startScreenerRuns(scene.context, queue);
  await queue.enqueue(database, SCREENER_QUEUE.name, {});
  for (let tries = 0; scene.completed.length === 0 && tries < 200; tries++) await delay(50);
  assert.deepEqual(scene.completed, [WEDNESDAY]);
});
