import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import {
  createSetClock,
  handOver,
  MINUTE_MS,
  openVbaseStamper,
  readProofs,
  VBASE_MIGRATIONS,
} from '../../../test/support/provenance/vbase-scene.ts';
import { sha3, startVbaseServer } from '../../../test/support/provenance/vbase-server.ts';
import { checkStamps } from '../../../test/support/provenance/vbase-storm.ts';
import { createLog, type Database } from '../../platform/index.ts';
import { claimProofs, markRefused, markSent, markUnclear, releaseProofs } from './claims.ts';
import { stampProofs } from './stamp-proofs.ts';
import { createVbaseClient } from './vbase-client.ts';

const ROUND = { takesNew: true, signal: new AbortController().signal };

forEachDatabase('two stampers at once stamp every proof once', VBASE_MIGRATIONS, async ({ database }) => {
  const clock = createSetClock();
  await using server = await startVbaseServer(clock);
  server.isIdempotent = false;
  const names = Array.from({ length: 40 }, (_, place) => `shared-${place}`);
  const cids = await handOver(database, clock, names);
  const stampers = [1, 2, 3].map(() => openVbaseStamper(database, clock, server, { maxProofs: 10 }));
  const rounds = await Promise.all(
    stampers.map(async (stamper, place) => {
      await sleep(place);
      return [await stamper.runRound({ ...ROUND, takesNew: place !== 2 }), await stamper.runRound(ROUND)];
    }),
  );
  const stamped = rounds.flat().reduce((sum, round) => sum + round.stamped, 0);
  await openVbaseStamper(database, clock, server).runRound(ROUND);
  await checkStamps(database, server, cids);
  assert.ok(stamped >= 40 && server.collections.length === 1, `${stamped} in the first rounds`);
});

forEachDatabase('a round changes only proofs whose claim it still holds', VBASE_MIGRATIONS, async ({ database }) => {
  const clock = createSetClock();
  const [cid = ''] = await handOver(database, clock, ['held']);
  const claimFor = (ms: number) => {
    const until = new Date(clock.now().getTime() + ms);
    const options = { limit: 10, perDay: 10, now: clock.now(), until, takesNew: true };
    return claimProofs(database, options).then((claimed) => ({ claimed, until }));
  };
  const first = await claimFor(MINUTE_MS);
  assert.deepEqual(first.claimed, [{ contentCid: cid, sentAt: null, attempts: 0 }]);
  assert.deepEqual((await claimFor(MINUTE_MS)).claimed, []);
  clock.advance(MINUTE_MS);
  const second = await claimFor(5 * MINUTE_MS);
  assert.equal(second.claimed.length, 1);
  const late = { claim: first.until, now: clock.now(), until: clock.now(), retryAt: clock.now() };
  assert.equal((await markSent(database, [cid], late)).size, 0);
  await markUnclear(database, [cid], late);
  await markRefused(database, cid, late);
  await releaseProofs(database, [cid], late);
  const [row] = await readProofs(database, [cid]);
  assert.deepEqual([row?.status, row?.sent_at, row?.attempts, row?.retry_at], ['pending', null, 0, second.until]);
  assert.equal((await markSent(database, [cid], { ...late, claim: second.until })).size, 1);
});

forEachDatabase('a round that has lost its claims sends nothing', VBASE_MIGRATIONS, async ({ database }) => {
  const clock = createSetClock();
  await using server = await startVbaseServer(clock);
  await handOver(database, clock, ['lost 1', 'lost 2']);
  const claim = async () => {
    const until = new Date(clock.now().getTime() + MINUTE_MS);
    const options = { limit: 10, perDay: 10, now: clock.now(), until, takesNew: true };
    return { claimed: await claimProofs(database, options), until };
  };
  const first = await claim();
  clock.advance(MINUTE_MS);
  const second = await claim();
  assert.deepEqual([first.claimed.length, second.claimed.length], [2, 2]);
  const requestMs = 30_000;
  const client = createVbaseClient({ clock, key: server.key, url: server.url, requestMs });
  const parts = { database, clock, log: createLog('silent'), client, setCid: sha3('almanac'), requestMs, settleMs: 1 };
  const result = await stampProofs(parts, first.claimed, first.until, ROUND.signal);
  assert.deepEqual([result.sent, result.stamped, result.refused, server.requests], [0, 0, 0, []]);
});

const POSTGRES = { ...VBASE_MIGRATIONS, only: 'postgres' } as const;

forEachDatabase('a proof that another round claims meanwhile is not claimed again', POSTGRES, async ({ database }) => {
  const clock = createSetClock();
  const [cid = ''] = await handOver(database, clock, ['contested']);
  for (const takesNew of [true, false]) {
    const now = clock.now();
    const until = new Date(now.getTime() + MINUTE_MS);
    const [updated, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const other = database.transaction(async (tx) => {
      await sql`UPDATE proof SET retry_at = ${until}, claimed_at = ${now} WHERE content_cid = ${cid}`.execute(
        tx.query(),
      );
      updated.resolve();
      await ended.promise;
    });
    await updated.promise;
    const claiming = claimProofs(database, {
      limit: 10,
      perDay: 10,
      now,
      until: new Date(until.getTime() + 1),
      takesNew,
    });
    while (!(await isWaitingForLock(database))) await sleep(5);
    ended.resolve();
    await other;
    assert.deepEqual(await claiming, []);
    clock.advance(MINUTE_MS);
  }
});

async function isWaitingForLock(database: Database): Promise<boolean> {
  const { rows } = await sql`
    SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%UPDATE proof SET%'`.execute(
    database.query(),
  );
  return rows.length > 0;
}

forEachDatabase('the daily limit holds back proofs until the next day', VBASE_MIGRATIONS, async ({ database }) => {
  const clock = createSetClock();
  await using server = await startVbaseServer(clock);
  const cids = await handOver(database, clock, ['one', 'two', 'three', 'four', 'five']);
  const stamper = openVbaseStamper(database, clock, server, { perDay: 3 });
  assert.deepEqual(await stamper.runRound(ROUND), {
    sent: 3,
    stamped: 3,
    waitCode: 'DAILY_LIMIT',
    isUnfinished: false,
  });
  assert.equal((await stamper.runRound(ROUND)).waitCode, 'DAILY_LIMIT');
  const codes = (await readProofs(database, cids)).map(({ error_code }) => error_code);
  assert.deepEqual(codes.sort(), ['DAILY_LIMIT', 'DAILY_LIMIT', null, null, null]);
  clock.advance(24 * 60 * MINUTE_MS);
  assert.equal((await stamper.runRound(ROUND)).waitCode, null);
  await checkStamps(database, server, cids);
});

forEachDatabase('a round without new proofs continues only what was begun', VBASE_MIGRATIONS, async ({ database }) => {
  const clock = createSetClock();
  await using server = await startVbaseServer(clock);
  const begun = await handOver(database, clock, ['begun']);
  server.fail = (name) => (name === 'POST /stamps' ? 'accepted_500' : null);
  const stamper = openVbaseStamper(database, clock, server);
  await stamper.runRound(ROUND);
  server.fail = () => null;
  const fresh = await handOver(database, clock, ['fresh']);
  clock.advance(10 * MINUTE_MS);
  assert.deepEqual(await stamper.runRound({ ...ROUND, takesNew: false }), {
    sent: 0,
    stamped: 1,
    waitCode: null,
    isUnfinished: false,
  });
  await checkStamps(database, server, begun);
  assert.equal((await readProofs(database, fresh))[0]?.claimed_at, null);
});

forEachDatabase('a stamp that the database has lost is found again', VBASE_MIGRATIONS, async ({ database }) => {
  const clock = createSetClock();
  await using server = await startVbaseServer(clock);
  server.isIdempotent = false;
  server.accountName = 'Weather desk';
  const [cid = '', other = ''] = await handOver(database, clock, ['restored', 'stamped elsewhere']);
  const stamp = { objectCid: cid, transactionHash: sha3('transaction'), at: Date.parse('2026-03-01T00:00:00Z') };
  const own = { ...stamp, setCid: sha3('almanac') };
  const elsewhere = { ...stamp, setCid: sha3('other') };
  server.stamps.push(elsewhere, { ...own, at: own.at + 1_000 }, own, { ...elsewhere, objectCid: other });
  assert.equal((await openVbaseStamper(database, clock, server).runRound(ROUND)).stamped, 2);
  assert.deepEqual(
    server.stamps.slice(4).map(({ objectCid }) => objectCid),
    [other],
  );
  const [row] = await readProofs(database, [cid]);
  assert.deepEqual([row?.stamped_at?.getTime(), row?.user_address, row?.user_label], [own.at, null, 'Weather desk']);
});

forEachDatabase('a stamp without a valid receipt is not made again', VBASE_MIGRATIONS, async ({ database }) => {
  const clock = createSetClock();
  await using server = await startVbaseServer(clock);
  server.isIdempotent = false;
  const [cid = ''] = await handOver(database, clock, ['unreadable']);
  server.stamps.push({ objectCid: cid, setCid: sha3('almanac'), transactionHash: sha3('transaction'), at: 0 });
  server.formatTime = () => 'yesterday';
  const stamper = openVbaseStamper(database, clock, server);
  assert.equal((await stamper.runRound(ROUND)).waitCode, 'STAMPER_REJECTED');
  assert.equal(server.stamps.length, 1);
  const [row] = await readProofs(database, [cid]);
  assert.deepEqual([row?.status, row?.error_code, row?.attempts], ['pending', 'STAMPER_REJECTED', 1]);
});

forEachDatabase('the start stops if the key or the collection is wrong', VBASE_MIGRATIONS, async ({ database }) => {
  const clock = createSetClock();
  await using server = await startVbaseServer(clock);
  const check = (options = {}) => openVbaseStamper(database, clock, server, options).check(ROUND.signal);
  assert.equal(await check(), true);
  assert.equal(await check({ url: `${server.url}/api/v1/` }), true);
  await assert.rejects(check({ key: 'wrong' }), { name: 'ConfigError', message: /ALMANAC_VBASE_KEY/ });
  server.collections.push({ name: 'almanac', cid: sha3('ALMANAC'), description: '' });
  await assert.rejects(check(), { name: 'ConfigError', message: /ALMANAC_VBASE_COLLECTION/ });
  const [cid = ''] = await handOver(database, clock, ['other set']);
  const round = await openVbaseStamper(database, clock, server).runRound(ROUND);
  assert.deepEqual([round.waitCode, server.stamps.length], ['STAMPER_REJECTED', 0]);
  assert.equal((await readProofs(database, [cid]))[0]?.error_code, 'STAMPER_REJECTED');
  // Names that differ only in case are the same for the service.
  server.collections.splice(0, 1, { name: 'Almanac', cid: sha3('Almanac'), description: '' });
  assert.equal((await openVbaseStamper(database, clock, server).runRound(ROUND)).waitCode, 'STAMPER_REJECTED');
  server.fail = () => ({ status: 500 });
  assert.equal(await check(), false);
});
