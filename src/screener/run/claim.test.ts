import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { barsEndingAt, bulkProvider } from '../../../test/support/market/bulk-provider.ts';
import { forEachDatabase, type TestDatabase } from '../../../test/support/platform/database.ts';
import { makeFilter } from '../../../test/support/screener/screener.ts';
import { runScene } from '../../../test/support/screener/screener-runs.ts';
import { identityOf, MIGRATIONS } from '../../compose/index.ts';
import { createAccount } from '../../identity/index.ts';
import { type Database, openDatabase, systemClock } from '../../platform/index.ts';
import { ClaimLostError, claimRun, holdClaim, renewClaim } from './claim.ts';
import { completeRun, waitForCloses } from './end-run.ts';
import { keepClaim } from './keep-claim.ts';
import { runDue } from './run-due.ts';
import { runSession } from './run-session.ts';

const OPTIONS = { migrations: MIGRATIONS };
const SESSION = '2024-03-27';
const NOTHING = { missing: [], providers: [] };

const bars = () => bulkProvider({ A: barsEndingAt(SESSION, [5, 20]), B: barsEndingAt(SESSION, [20, 20]) });

async function aFilter({ database }: Pick<TestDatabase, 'database'>) {
  const { id } = await createAccount(identityOf(database), { email: 'a@example.com', verified: true });
  return makeFilter(database, id);
}

/** As if the worker that holds the claim had been killed some minutes ago. */
function letExpire(database: Database) {
  return sql`UPDATE screener_run SET claimed_until = clock_timestamp() - interval '1 second'`.execute(database.query());
}

forEachDatabase(
  'a session is claimed by one; an expired claim can be taken, and its holder does nothing more',
  OPTIONS,
  async ({ database }) => {
    const first = (await claimRun(database, systemClock, SESSION)) ?? assert.fail();
    assert.equal(await claimRun(database, systemClock, SESSION), null);
    await renewClaim(database, first);
    await letExpire(database);
    const second = (await claimRun(database, systemClock, SESSION)) ?? assert.fail();
    const lost: (() => Promise<unknown>)[] = [
      () => renewClaim(database, first),
      () => database.transaction((tx) => holdClaim(tx, first)),
      () => waitForCloses(database, systemClock, first, NOTHING),
      () => database.transaction((tx) => completeRun(tx, systemClock, first, NOTHING)),
    ];
    for (const attempt of lost) await assert.rejects(attempt, ClaimLostError);
    await database.transaction((tx) => completeRun(tx, systemClock, second, NOTHING));
    await letExpire(database).catch(() => {});
    assert.equal(await claimRun(database, systemClock, SESSION), null);
  },
);

forEachDatabase('work whose claim is lost is told so', OPTIONS, async ({ database }) => {
  const claim = (await claimRun(database, systemClock, SESSION)) ?? assert.fail();
  await letExpire(database);
  await claimRun(database, systemClock, SESSION);
  const work = keepClaim(
    database,
    claim,
    undefined,
    async (held) => {
      await delay(10_000, undefined, { signal: held }).catch(() => {});
      held.throwIfAborted();
    },
    20,
  );
  await assert.rejects(work, ClaimLostError);
});

forEachDatabase(
  'a run that fails at its end leaves nothing that follows it; the next attempt ends it, once',
  OPTIONS,
  async (fixture) => {
    const filter = await aFilter(fixture);
    const crash = new Error('no more disk');
    const scene = runScene(fixture, [bars()]);
    // Between the results and the end of the run: what follows is part of the same transaction, and is gone with it.
    const failing = { ...scene.context, onRunCompleted: async () => Promise.reject(crash) };
    await assert.rejects(runSession(failing, SESSION, { isLast: false }), crash);
    assert.equal((await scene.run(SESSION))?.state, 'waiting');
    assert.equal(await runSession(scene.context, SESSION, { isLast: false }), 'completed');
    assert.equal(await runSession(scene.context, SESSION, { isLast: false }), 'taken');
    assert.deepEqual(scene.followed, [SESSION]);
    assert.deepEqual(await scene.matches(filter.id, SESSION), ['A!', 'B!']);
  },
);

forEachDatabase(
  'a worker that sleeps through the loss of its run stores nothing when it wakes',
  OPTIONS,
  async (fixture) => {
    const { database } = fixture;
    const filter = await aFilter(fixture);
    const provider = bars();
    const sleeping = runScene(fixture, [provider]);
    const awake = runScene(fixture, [provider]);
    let overtaken = false;
    const { fetchDays } = provider.bulk;
    const overtake: typeof fetchDays = async (query, token, http) => {
      const page = await fetchDays(query, token, http);
      if (overtaken) return page;
      overtaken = true;
      await letExpire(database);
      assert.equal(await runSession(awake.context, SESSION, { isLast: false }), 'completed');
      // What it would add is not what the run was made with.
      provider.bars.set('A', barsEndingAt(SESSION, [5, 1]));
      return fetchDays(query, token, http);
    };
    Object.assign(provider.bulk, { fetchDays: overtake });
    await assert.rejects(runSession(sleeping.context, SESSION, { isLast: false }), ClaimLostError);
    assert.deepEqual(await awake.matches(filter.id, SESSION), ['A!', 'B!']);
    assert.deepEqual([sleeping.followed, awake.followed], [[], [SESSION]]);
  },
);

forEachDatabase('an aborted run is given back to whoever comes next', OPTIONS, async (fixture) => {
  const scene = runScene(fixture, [bars()]);
  const reason = new Error('the service stops');
  const aborted = runSession(scene.context, SESSION, { isLast: false, signal: AbortSignal.abort(reason) });
  await assert.rejects(aborted, reason);
  assert.equal((await scene.run(SESSION))?.state, 'waiting');
  assert.equal(await runSession(scene.context, SESSION, { isLast: false }), 'completed');
});

forEachDatabase(
  'two workers that look at the same moment make one run',
  { ...OPTIONS, only: 'postgres' },
  async (fixture) => {
    const filter = await aFilter(fixture);
    const other = await openDatabase(fixture.location);
    fixture.cleanup(() => other.close());
    const scenes = [fixture.database, other, fixture.database, other].map((database) =>
      runScene({ database }, [bars()]),
    );
    await Promise.all(scenes.map(({ context }) => runDue(context)));
    assert.deepEqual(
      scenes.flatMap(({ followed }) => followed),
      [SESSION],
    );
    assert.deepEqual(await scenes[0]?.matches(filter.id, SESSION), ['A!', 'B!']);
  },
);
