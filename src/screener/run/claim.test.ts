import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { barsEndingAt, bulkProvider } from '../../../test/support/market/bulk-provider.ts';
import { forEachDatabase, type TestDatabase } from '../../../test/support/platform/database.ts';
import { makeFilter } from '../../../test/support/screener/filters.ts';
import { openRunScene } from '../../../test/support/screener/run-scene.ts';
import { createIdentityContext, MIGRATIONS } from '../../compose/index.ts';
import { createAccount } from '../../identity/index.ts';
import { type Database, openDatabase, systemClock } from '../../platform/index.ts';
import { ClaimLostError, claimRun, lockClaim, renewClaim, withRenewedClaim } from './claim.ts';
import { completeRun, postponeRun } from './end-run.ts';
import { runDueSessions } from './run-due.ts';
import { runSession } from './run-session.ts';

const OPTIONS = { migrations: MIGRATIONS };
const SESSION = '2024-03-27';
const EMPTY_REPORT = { missing: [], providers: [] };

const createProvider = () => bulkProvider({ A: barsEndingAt(SESSION, [5, 20]), B: barsEndingAt(SESSION, [20, 20]) });

async function makeOwnFilter({ database }: Pick<TestDatabase, 'database'>) {
  const { id } = await createAccount(createIdentityContext({ database, clock: systemClock }), {
    email: 'a@example.com',
    verified: true,
  });
  return makeFilter(database, id);
}

/** Expires the claim, as after a worker was killed. */
function expireClaim(database: Database) {
  return sql`UPDATE screener_run SET claimed_until = clock_timestamp() - interval '1 second'`.execute(database.query());
}

forEachDatabase(
  'gives a session to one worker, and lets another take over an expired claim',
  OPTIONS,
  async ({ database }) => {
    const first = (await claimRun(database, systemClock, SESSION)) ?? assert.fail();
    assert.equal(await claimRun(database, systemClock, SESSION), null);
    await renewClaim(database, first);
    await expireClaim(database);
    const second = (await claimRun(database, systemClock, SESSION)) ?? assert.fail();
    const lost: (() => Promise<unknown>)[] = [
      () => renewClaim(database, first),
      () => database.transaction((tx) => lockClaim(tx, first)),
      () => postponeRun(database, systemClock, first, EMPTY_REPORT),
      () => database.transaction((tx) => completeRun(tx, systemClock, first, EMPTY_REPORT)),
    ];
    for (const attempt of lost) await assert.rejects(attempt, ClaimLostError);
    await database.transaction((tx) => completeRun(tx, systemClock, second, EMPTY_REPORT));
    await expireClaim(database).catch(() => {});
    assert.equal(await claimRun(database, systemClock, SESSION), null);
  },
);

forEachDatabase('aborts the work whose claim is lost', OPTIONS, async ({ database }) => {
  const claim = (await claimRun(database, systemClock, SESSION)) ?? assert.fail();
  await expireClaim(database);
  await claimRun(database, systemClock, SESSION);
  const work = withRenewedClaim(
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
  'rolls back a run that fails at its end, and completes it once in the next attempt',
  OPTIONS,
  async (fixture) => {
    const filter = await makeOwnFilter(fixture);
    const crash = new Error('the disk is full');
    const scene = openRunScene(fixture, [createProvider()]);
    // The callback runs in the transaction that completes the run and is rolled back with it.
    const failing = { ...scene.context, onRunCompleted: async () => Promise.reject(crash) };
    await assert.rejects(runSession(failing, SESSION, { isPast: false }), crash);
    assert.equal((await scene.readRun(SESSION))?.state, 'waiting');
    assert.equal(await runSession(scene.context, SESSION, { isPast: false }), 'completed');
    assert.equal(await runSession(scene.context, SESSION, { isPast: false }), 'taken');
    assert.deepEqual(scene.completed, [SESSION]);
    assert.deepEqual(await scene.readMatches(filter.id, SESSION), ['A!', 'B!']);
  },
);

forEachDatabase('stores nothing for a suspended worker that has lost its claim', OPTIONS, async (fixture) => {
  const { database } = fixture;
  const filter = await makeOwnFilter(fixture);
  const provider = createProvider();
  const suspended = openRunScene(fixture, [provider]);
  const active = openRunScene(fixture, [provider]);
  let isTakenOver = false;
  const { fetchDays } = provider.bulk;
  const takeOver: typeof fetchDays = async (query, token, http) => {
    const page = await fetchDays(query, token, http);
    if (isTakenOver) return page;
    isTakenOver = true;
    await expireClaim(database);
    assert.equal(await runSession(active.context, SESSION, { isPast: false }), 'completed');
    // The suspended worker would store other numbers.
    provider.bars.set('A', barsEndingAt(SESSION, [5, 1]));
    return fetchDays(query, token, http);
  };
  Object.assign(provider.bulk, { fetchDays: takeOver });
  await assert.rejects(runSession(suspended.context, SESSION, { isPast: false }), ClaimLostError);
  assert.deepEqual(await active.readMatches(filter.id, SESSION), ['A!', 'B!']);
  assert.deepEqual([suspended.completed, active.completed], [[], [SESSION]]);
});

forEachDatabase('releases the claim of an aborted run', OPTIONS, async (fixture) => {
  const scene = openRunScene(fixture, [createProvider()]);
  const reason = new Error('the service stops');
  const aborted = runSession(scene.context, SESSION, { isPast: false, signal: AbortSignal.abort(reason) });
  await assert.rejects(aborted, reason);
  assert.equal((await scene.readRun(SESSION))?.state, 'waiting');
  assert.equal(await runSession(scene.context, SESSION, { isPast: false }), 'completed');
});

forEachDatabase('makes one run with concurrent workers', { ...OPTIONS, only: 'postgres' }, async (fixture) => {
  const filter = await makeOwnFilter(fixture);
  const other = await openDatabase(fixture.location);
  fixture.cleanup(() => other.close());
  const scenes = [fixture.database, other, fixture.database, other].map((database) =>
    openRunScene({ database }, [createProvider()]),
  );
  await Promise.all(scenes.map(({ context }) => runDueSessions(context)));
  assert.deepEqual(
    scenes.flatMap(({ completed }) => completed),
    [SESSION],
  );
  assert.deepEqual(await scenes[0]?.readMatches(filter.id, SESSION), ['A!', 'B!']);
});
