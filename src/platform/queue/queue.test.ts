import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { forEachDatabase, type TestDatabase } from '../../../test/support/platform/database.ts';
import { type Database, type Executor, TransactionMisuseError } from '../database/index.ts';
import { openQueue } from './open-queue.ts';
import type { Queue, QueueDefinition } from './queue.ts';

const jobs: QueueDefinition = { name: 'jobs', retryLimit: 1 };

async function openTestQueue(
  fixture: TestDatabase,
  { supervise = false, queues = [jobs] }: { supervise?: boolean; queues?: readonly QueueDefinition[] } = {},
): Promise<Queue> {
  const fail = (details: object, message: string) => assert.fail(`${message}: ${JSON.stringify(details)}`);
  const log = { info: () => undefined, warn: fail, error: fail };
  const queue = await openQueue(fixture.database, { queues, supervise, log });
  fixture.cleanup(() => queue.stop());
  return queue;
}

const states = async (executor: Executor) =>
  (
    await sql<{ state: string }>`select state::text from queue.job where name = 'jobs' order by created_on`.execute(
      executor.query(),
    )
  ).rows.map((row) => row.state);

/** Waits until the queue receives notifications; without them a worker would find jobs at the next poll. */
async function isListening(database: Database): Promise<boolean> {
  const listening =
    database.kind === 'pglite'
      ? sql`select pg_listening_channels()`
      : sql`select 1 from pg_stat_activity where datname = current_database() and query like 'LISTEN %'`;
  return (await listening.execute(database.query())).rows.length === 1;
}

/** Waits for a promise of a handler, with a generous limit for slow machines. */
async function soon<T>(promise: Promise<T>): Promise<T> {
  const timer = new AbortController();
  const late = sleep(20_000, undefined, { signal: timer.signal }).then(() => assert.fail('not within 20 seconds'));
  try {
    return await Promise.race([promise, late]);
  } finally {
    timer.abort();
    late.catch(() => undefined);
  }
}

forEachDatabase(
  'commits a job together with the rows of its transaction or not at all',
  { queue: true },
  async (fixture) => {
    const { database } = fixture;
    const queue = await openTestQueue(fixture);
    await sql`create table rows (id int8)`.execute(database.query());
    const addBoth = (tx: Executor) =>
      Promise.all([sql`insert into rows values (1)`.execute(tx.query()), queue.enqueue(tx, 'jobs', { n: 1 })]);
    const count = async () =>
      (await sql<{ n: number }>`select count(*) as n from rows`.execute(database.query())).rows[0]?.n;

    await assert.rejects(
      database.transaction(async (tx) => {
        await addBoth(tx);
        assert.deepEqual(await states(tx), ['created']);
        throw new Error('no');
      }),
      /no/,
    );
    assert.deepEqual([await count(), await states(database)], [0, []]);

    await database.transaction(addBoth);
    assert.deepEqual([await count(), await states(database)], [1, ['created']]);
  },
);

forEachDatabase(
  'throws immediately when the queue is used inside a transaction but does not get that transaction',
  { queue: true },
  async (fixture) => {
    const { database } = fixture;
    const queue = await openTestQueue(fixture);
    const misuses: (() => Promise<unknown>)[] = [
      () => queue.enqueue(database, 'jobs', {}),
      () => queue.cancel(database, 'jobs', crypto.randomUUID()),
      () => queue.complete(database, 'jobs', { id: crypto.randomUUID(), attempt: 0 }),
      () => queue.schedule('jobs', '* * * * *'),
      () => queue.unschedule('jobs'),
      () => queue.work('jobs', {}, async () => undefined),
      () => openQueue(database, { queues: [], supervise: false }),
    ];
    for (const misuse of misuses)
      await assert.rejects(database.transaction(misuse), TransactionMisuseError, String(misuse));
  },
);

forEachDatabase('wakes a worker for a committed job', { queue: true }, async (fixture, context) => {
  const queue = await openTestQueue(fixture);
  const handled = Promise.withResolvers<{ data: unknown; attempt: number; at: number }>();
  await queue.work<{ greeting: string }>('jobs', { pollSeconds: 30 }, async ({ data, attempt }) => {
    handled.resolve({ data, attempt, at: performance.now() });
  });
  await sleep(200); // let the worker find nothing and go to sleep
  assert.equal(await isListening(fixture.database), true);
  await fixture.database.transaction((tx) => queue.enqueue(tx, 'jobs', { greeting: 'hello' }));
  const committed = performance.now();
  const { data, attempt, at } = await soon(handled.promise);
  context.diagnostic(`woken ${(at - committed).toFixed(1)} ms after the commit`);
  assert.deepEqual([data, attempt], [{ greeting: 'hello' }, 0]);
});

forEachDatabase(
  'handles jobs that were enqueued together without waiting for a poll',
  { queue: true },
  async (fixture, context) => {
    const queue = await openTestQueue(fixture);
    const done = Promise.withResolvers<void>();
    const seen: unknown[] = [];
    let together = 0;
    let most = 0;
    await queue.work('jobs', { pollSeconds: 30, concurrency: 2 }, async ({ data }) => {
      together += 1;
      most = Math.max(most, together);
      await sleep(20);
      together -= 1;
      seen.push(data.n);
      if (seen.length === 8) done.resolve();
    });
    await sleep(200);
    const started = performance.now();
    await fixture.database.transaction(async (tx) => {
      for (let n = 0; n < 8; n += 1) await queue.enqueue(tx, 'jobs', { n });
    });
    await soon(done.promise);
    context.diagnostic(`8 jobs of 20 ms on 2 workers: ${(performance.now() - started).toFixed(0)} ms`);
    assert.deepEqual(seen.toSorted(), [0, 1, 2, 3, 4, 5, 6, 7]);
    assert.equal(most, 2);
  },
);

forEachDatabase('retries a job whose handler throws, then fails it permanently', { queue: true }, async (fixture) => {
  const queue = await openTestQueue(fixture);
  const attempts: number[] = [];
  const second = Promise.withResolvers<void>();
  await queue.work('jobs', { pollSeconds: 0.5 }, async ({ attempt }) => {
    attempts.push(attempt);
    if (attempt === 1) second.resolve();
    throw new Error(`attempt ${attempt}`);
  });
  await queue.enqueue(fixture.database, 'jobs', {});
  await soon(second.promise);
  while ((await states(fixture.database))[0] !== 'failed') await sleep(20);
  assert.deepEqual(attempts, [0, 1]);
});

forEachDatabase('ignores the completion of an older attempt', { queue: true }, async (fixture) => {
  const { database } = fixture;
  const queue = await openTestQueue(fixture);
  const finish = Promise.withResolvers<void>();
  const second = Promise.withResolvers<{ id: string; attempt: number }>();
  await queue.work('jobs', { pollSeconds: 0.5 }, async ({ id, attempt }) => {
    if (attempt === 0) throw new Error('the first attempt fails');
    second.resolve({ id, attempt });
    await finish.promise;
  });
  await queue.enqueue(database, 'jobs', {});
  const { id, attempt } = await soon(second.promise);
  assert.equal(attempt, 1);
  assert.equal(await database.transaction((tx) => queue.complete(tx, 'jobs', { id, attempt: 0 })), false);
  assert.deepEqual(await states(database), ['active']);
  assert.equal(await database.transaction((tx) => queue.complete(tx, 'jobs', { id, attempt: 1 })), true);
  assert.deepEqual(await states(database), ['completed']);
  assert.equal(await database.transaction((tx) => queue.complete(tx, 'jobs', { id, attempt: 1 })), false);
  finish.resolve(); // the handler returns: its own completion finds the job completed already
  await queue.stop();
  assert.deepEqual(await states(database), ['completed']);
});

forEachDatabase(
  'cancels a job with its transaction and ignores a later completion',
  { queue: true },
  async (fixture) => {
    const { database } = fixture;
    const queue = await openTestQueue(fixture);
    const id = (await queue.enqueue(database, 'jobs', {})) as string;
    await assert.rejects(
      database.transaction(async (tx) => {
        assert.equal(await queue.cancel(tx, 'jobs', id), true);
        throw new Error('no');
      }),
      /no/,
    );
    assert.deepEqual(await states(database), ['created']);

    const started = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    await queue.work('jobs', {}, async () => {
      started.resolve();
      await finish.promise;
    });
    await soon(started.promise);
    assert.equal(await database.transaction((tx) => queue.cancel(tx, 'jobs', id)), true);
    finish.resolve();
    await queue.stop();
    assert.deepEqual(await states(database), ['cancelled']);
    assert.equal(await queue.cancel(database, 'jobs', id), false);
  },
);

forEachDatabase('refuses a second waiting job by policy', { queue: true }, async (fixture) => {
  const queue = await openTestQueue(fixture, { queues: [{ name: 'jobs', policy: 'short' }] });
  assert.ok(await queue.enqueue(fixture.database, 'jobs', {}, { singletonKey: 'daily' }));
  assert.equal(await queue.enqueue(fixture.database, 'jobs', {}, { singletonKey: 'daily' }), null);
  assert.ok(await queue.enqueue(fixture.database, 'jobs', {}, { singletonKey: 'weekly' }));
});

forEachDatabase('registers, changes and removes a schedule', { queue: true }, async (fixture) => {
  const queue = await openTestQueue(fixture, { supervise: true });
  const schedules = async () =>
    (await sql`select name, cron, timezone, data from queue.schedule`.execute(fixture.database.query())).rows;
  await queue.schedule('jobs', '0 6 * * *', { kind: 'daily' });
  await queue.schedule('jobs', '30 6 * * *', { kind: 'daily' }, { timeZone: 'America/New_York' });
  assert.deepEqual(await schedules(), [
    { name: 'jobs', cron: '30 6 * * *', timezone: 'America/New_York', data: { kind: 'daily' } },
  ]);
  await queue.unschedule('jobs');
  assert.deepEqual(await schedules(), []);
  await assert.rejects(queue.schedule('jobs', 'not cron'));
});
