import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { dailyBars } from '../../../test/support/market/memory-provider.ts';
import { storeProvider, storeScene, timesOf } from '../../../test/support/market/store-provider.ts';
import { countStatements } from '../../../test/support/platform/counted-database.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { type Database, openDatabase } from '../../platform/index.ts';
import { marketMigrations } from '../migrations/index.ts';
import { readStoreStats, removeLeastUsed } from './store-size.ts';

const OPTIONS = { migrations: [marketMigrations] };
const CLOSE = '2024-11-27T21:00:00Z';

function daysScene(database: Database, time = CLOSE) {
  return storeScene(database, storeProvider(dailyBars('2020-01-02', '2024-12-31')), time);
}

forEachDatabase('concurrent reads of a series share one request', OPTIONS, async ({ database }) => {
  const scene = daysScene(database);
  const reads = await Promise.all(Array.from({ length: 10 }, (_, i) => scene.read({ limit: 100 - i })));
  assert.equal(scene.provider.takeRequests(), 1);
  assert.deepEqual(
    reads.map(({ bars }) => bars.timestamps.length),
    Array.from({ length: 10 }, (_, i) => 100 - i),
  );
  // A read that needs more than the request of another one sends its own.
  const symbol = 'LONG';
  const [few, many] = await Promise.all([scene.read({ symbol, limit: 10 }), scene.read({ symbol, limit: 300 })]);
  assert.deepEqual([few.bars.timestamps.length, many.bars.timestamps.length], [10, 300]);
  assert.ok(scene.provider.takeRequests() <= 2);
});

forEachDatabase('concurrent reads share a failure, but not the abort of another caller', OPTIONS, async (fixture) => {
  const { database, statements } = countStatements(fixture.database);
  const scene = daysScene(database);
  scene.provider.fault = 'TIMEOUT';
  scene.provider.onRequest = async () => {
    // The other reads have begun to wait after they have loaded the series.
    while (statements() < 3) await setImmediate();
    for (let i = 0; i < 10; i++) await setImmediate();
  };
  const failed = await Promise.allSettled([scene.read(), scene.read(), scene.read()]);
  assert.deepEqual(
    failed.map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  );
  assert.equal(scene.provider.takeRequests(), 1);
  scene.provider.fault = null;
  const controller = new AbortController();
  const reason = new Error('the caller disconnected');
  scene.provider.onRequest = () => {
    if (scene.provider.requests.length === 2) controller.abort(reason);
  };
  Object.assign(scene.provider, { pageRows: 60 });
  const [aborted, other] = await Promise.allSettled([scene.read({ signal: controller.signal }), scene.read()]);
  assert.deepEqual([aborted.status, other.status], ['rejected', 'fulfilled']);
  assert.equal((aborted as PromiseRejectedResult).reason, reason);
});

forEachDatabase('a caller stops waiting for the request of another one', OPTIONS, async ({ database }) => {
  const scene = daysScene(database);
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  scene.provider.onRequest = () => {
    begun.resolve();
    return gate.promise;
  };
  const first = scene.read();
  await begun.promise;
  const controller = new AbortController();
  const waiting = scene.read({ signal: controller.signal });
  const rejected = assert.rejects(waiting, { message: 'gone' });
  await setImmediate();
  controller.abort(new Error('gone'));
  await rejected;
  gate.resolve();
  assert.equal((await first).bars.timestamps.length, 100);
});

forEachDatabase(
  'processes that write the same series do not lose bars',
  { ...OPTIONS, only: 'postgres' },
  async (fixture) => {
    const other = await openDatabase(fixture.location);
    fixture.cleanup(() => other.close());
    const scenes = [daysScene(fixture.database), daysScene(other)] as const;
    const windows = [{ limit: 30 }, { end: '2023-06-01', limit: 30 }, { limit: 200 }, { end: '2022-01-03', limit: 20 }];
    for (const window of windows) {
      const [one, two] = await Promise.all(scenes.map((scene) => scene.read(window)));
      assert.deepEqual(one, two);
    }
    for (const scene of scenes) {
      for (const window of windows) assert.equal(await scene.countRequests(window), 0);
      assert.deepEqual(scene.logged, []);
    }
  },
);

forEachDatabase('a write of another process during the request is kept', OPTIONS, async ({ database }) => {
  const scene = daysScene(database);
  // A second object for the same database has its own fetches, as another process has.
  const other = daysScene({ ...database });
  await scene.read({ limit: 20 });
  scene.provider.onRequest = async () => {
    scene.provider.onRequest = () => {};
    await other.read({ end: '2023-06-01', limit: 30 });
  };
  assert.equal((await scene.read({ limit: 100 })).bars.timestamps.length, 100);
  scene.provider.takeRequests();
  assert.equal(await scene.countRequests({ end: '2023-06-01', limit: 30 }), 0);
  assert.equal(await scene.countRequests({ limit: 100 }), 0);
});

forEachDatabase('a write of another process just before the own one is kept', OPTIONS, async ({ database }) => {
  const other = daysScene({ ...database });
  let isFirst = true;
  const transaction: Database['transaction'] = async (work) => {
    if (isFirst) await other.read({ end: '2023-06-01', limit: 30 });
    isFirst = false;
    return database.transaction(work);
  };
  await other.read({ limit: 20 });
  const scene = daysScene({ ...database, transaction });
  assert.equal((await scene.read({ limit: 100 })).bars.timestamps.length, 100);
  assert.equal(isFirst, false);
  assert.equal(scene.provider.takeRequests(), 1);
  assert.equal(await scene.countRequests({ end: '2023-06-01', limit: 30 }), 0);
  assert.equal(await scene.countRequests({ limit: 100 }), 0);
});

forEachDatabase('bars that another process has replaced are not compared', OPTIONS, async ({ database }) => {
  const scene = daysScene(database);
  const old = { adjustment: 'split', end: '2021-07-01', limit: 20 } as const;
  const expected = await scene.read(old);
  await scene.read({ adjustment: 'split', limit: 20 });
  // The check needs a chunk that the window does not need, so it is loaded after the request.
  scene.setTime('2024-11-29T15:00:00Z');
  scene.provider.onRequest = async () => {
    scene.provider.onRequest = () => {};
    await sql`UPDATE bar_series SET version = version + 1,
      coverage = jsonb_set(coverage, '{ranges}', jsonb_build_array(coverage->'ranges'->0))`.execute(database.query());
    await sql`DELETE FROM bar_chunk WHERE starts_at >= '2022-01-01'`.execute(database.query());
  };
  assert.deepEqual(await scene.read(old), expected);
  assert.deepEqual(scene.logged, []);
});

forEachDatabase('a series that is removed during a read is read again', OPTIONS, async ({ database }) => {
  const scene = daysScene(database);
  const expected = await scene.read({ limit: 60 });
  scene.provider.onRequest = async () => {
    scene.provider.onRequest = () => {};
    assert.equal(await removeLeastUsed({ database, storeBytes: 0 }), 1);
  };
  const longer = await scene.read({ limit: 100 });
  assert.equal(longer.bars.timestamps.length, 100);
  assert.deepEqual(timesOf(longer).slice(-60), timesOf(expected));
  assert.deepEqual(scene.logged, []);
  scene.provider.takeRequests();
  assert.equal(await scene.countRequests({ limit: 100 }), 0);
});

forEachDatabase('the least recently used series are removed', OPTIONS, async ({ database }) => {
  const scene = daysScene(database);
  const symbols = ['A', 'B', 'C', 'D'];
  for (const [hour, symbol] of symbols.entries()) {
    scene.setTime(`2024-11-28T${10 + 2 * hour}:00:00Z`);
    await scene.read({ symbol });
  }
  const { bytes, series } = await readStoreStats(scene.context);
  assert.equal(series, 4);
  const { rows } = await sql<{
    bytes: number;
  }>`SELECT sum(octet_length(data) + 100)::int AS bytes FROM bar_chunk`.execute(database.query());
  assert.equal(bytes, rows[0]?.bytes);
  scene.setTime('2024-11-28T18:00:00Z');
  await scene.read({ symbol: 'A' });
  assert.equal(await removeLeastUsed({ database, storeBytes: bytes }), 0);
  assert.equal(await removeLeastUsed({ database, storeBytes: bytes / 2 }), 2);
  assert.equal(await scene.countRequests({ symbol: 'A' }), 0);
  assert.equal(await scene.countRequests({ symbol: 'D' }), 0);
  assert.equal(await scene.countRequests({ symbol: 'B' }), 1);
  // The use of a series is recorded once an hour.
  const usedAt = async () =>
    (await sql<{ used_at: Date }>`SELECT used_at FROM bar_series WHERE symbol = 'D'`.execute(database.query())).rows[0]
      ?.used_at;
  const used = await usedAt();
  scene.setTime('2024-11-28T18:30:00Z');
  await scene.read({ symbol: 'D' });
  assert.deepEqual(await usedAt(), used);
});

forEachDatabase('a store that is too small for a series serves it all the same', OPTIONS, async ({ database }) => {
  const scene = daysScene(database);
  scene.context.storeBytes = 100;
  assert.equal((await scene.read({ limit: 50 })).bars.timestamps.length, 50);
  assert.equal((await scene.read({ limit: 500 })).bars.timestamps.length, 500);
  assert.deepEqual(await readStoreStats(scene.context), { bytes: 0, series: 0 });
});
