import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import type { Database } from '../database/index.ts';
import { openQueue } from './open-queue.ts';
import type { ActiveJob, QueueLog } from './queue.ts';

const options = { queues: [{ name: 'jobs', retryLimit: 0 }], supervise: true };

async function jobRow(database: Database) {
  const { rows } = await sql<{
    state: string;
    retry_count: number;
  }>`select state::text, retry_count from queue.job where name = 'jobs'`.execute(database.query());
  return rows[0];
}

/** Opens a queue with one job in a handler. */
async function withActiveJob(database: Database, handler: (job: ActiveJob) => Promise<void>, log?: QueueLog) {
  const queue = await openQueue(database, { ...options, log });
  const started = Promise.withResolvers<void>();
  await queue.work('jobs', {}, async (job) => {
    started.resolve();
    await handler(job);
  });
  await queue.enqueue(database, 'jobs', {});
  await started.promise;
  return queue;
}

forEachDatabase('waits for the active handler and starts no other job', { queue: true }, async ({ database }) => {
  let handled = 0;
  const queue = await withActiveJob(database, async ({ signal }) => {
    await sleep(300);
    assert.equal(signal.aborted, false);
    handled += 1;
  });
  await queue.enqueue(database, 'jobs', {});
  await Promise.all([queue.stop({ timeoutMs: 20_000 }), queue.stop()]);
  assert.equal(handled, 1);
  const { rows } =
    await sql`select state::text, count(*) as n from queue.job where name = 'jobs' group by 1 order by 1`.execute(
      database.query(),
    );
  assert.deepEqual(rows, [
    { state: 'completed', n: 1 },
    { state: 'created', n: 1 },
  ]);
  await assert.rejects(
    queue.work('jobs', {}, async () => undefined),
    /stopping/,
  );
});

forEachDatabase(
  'aborts the handler at the deadline and returns its job to the queue, even after its last attempt',
  { queue: true },
  async ({ database }) => {
    let reason: unknown;
    const queue = await withActiveJob(database, async ({ signal }) => {
      await once(signal, 'abort');
      reason = signal.reason;
      throw new Error('interrupted');
    });
    await queue.stop({ timeoutMs: 50 });
    assert.match(String(reason), /stopping/);
    assert.deepEqual(await jobRow(database), { state: 'created', retry_count: 0 });

    const again = Promise.withResolvers<number>();
    const next = await openQueue(database, options);
    await next.work('jobs', {}, async ({ attempt }) => again.resolve(attempt));
    assert.equal(
      await again.promise,
      1,
      'the interrupted attempt stays counted, so that it cannot complete the next one',
    );
    await next.stop();
    assert.deepEqual(await jobRow(database), { state: 'completed', retry_count: 1 });
  },
);

forEachDatabase(
  'logs what it waits for, and returns the job before the deadline when told to hurry',
  { queue: true },
  async ({ database }) => {
    const logged: unknown[] = [];
    const note = (details: object, message: string) => logged.push([message, details]);
    const queue = await withActiveJob(
      database,
      async ({ signal }) => {
        await once(signal, 'abort');
        throw new Error('interrupted');
      },
      { info: note, warn: note, error: note },
    );
    const hurry = new AbortController();
    const stopped = queue.stop({ timeoutMs: 600_000, hurry: hurry.signal });
    assert.deepEqual(logged, [['waiting at most 600 s for 1 running job', { queues: ['jobs'] }]]);
    hurry.abort();
    await stopped;
    assert.deepEqual(await jobRow(database), { state: 'created', retry_count: 0 });
    assert.equal(logged.length, 1);
  },
);

forEachDatabase(
  'takes the job from a handler that ignores the signal and ignores its late return',
  { queue: true },
  async ({ database }) => {
    const finish = Promise.withResolvers<void>();
    const queue = await withActiveJob(database, () => finish.promise);
    await queue.stop({ timeoutMs: 50 });
    assert.deepEqual(await jobRow(database), { state: 'created', retry_count: 0 });
    finish.resolve();
    await sleep(100);
    assert.deepEqual(await jobRow(database), { state: 'created', retry_count: 0 });
  },
);

forEachDatabase(
  'completes the job of a handler that ends at the deadline without an error',
  { queue: true },
  async ({ database }) => {
    const queue = await withActiveJob(database, async ({ signal }) => {
      await once(signal, 'abort');
    });
    await queue.stop({ timeoutMs: 50 });
    assert.equal((await jobRow(database))?.state, 'completed');
  },
);
