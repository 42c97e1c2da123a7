import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { openDatabase } from '../database/index.ts';
import { openQueue } from './open-queue.ts';
import type { QueueDefinition } from './queue.ts';

async function storedQueue(database: Parameters<typeof openQueue>[0], name: string) {
  const { rows } = await sql<Record<string, unknown>>`
    select retry_limit, retry_delay, heartbeat_seconds, expire_seconds, dead_letter, notify, policy from queue.queue where name = ${name}`.execute(
    database.query(),
  );
  return rows[0];
}

forEachDatabase(
  'creates the queue in a new database and applies changed declarations at the next start',
  {},
  async ({ database }, context) => {
    const open = async (queues: readonly QueueDefinition[]) => {
      const started = performance.now();
      const queue = await openQueue(database, { queues, supervise: true });
      const opened = performance.now();
      await queue.stop();
      return `open ${(opened - started).toFixed(0)} ms, stop ${(performance.now() - opened).toFixed(0)} ms`;
    };
    context.diagnostic(`fresh: ${await open([{ name: 'dead' }, { name: 'jobs', deadLetter: 'dead' }])}`);
    const defaults = {
      retry_limit: 2,
      retry_delay: 0,
      heartbeat_seconds: 30,
      expire_seconds: 900,
      notify: true,
      policy: 'standard',
    };
    assert.deepEqual(await storedQueue(database, 'jobs'), { ...defaults, dead_letter: 'dead' });
    const changed = { name: 'jobs', retryLimit: 5, retryDelaySeconds: 3, heartbeatSeconds: 10 };
    context.diagnostic(`changed: ${await open([changed])}`);
    assert.deepEqual(await storedQueue(database, 'jobs'), {
      ...defaults,
      retry_limit: 5,
      retry_delay: 3,
      heartbeat_seconds: 10,
      dead_letter: null,
    });
    context.diagnostic(`nothing to do: ${await open([changed])}`);
    await assert.rejects(open([{ name: 'jobs', policy: 'short' }]), /jobs exists with the policy standard/);
  },
);

forEachDatabase(
  'passes jobs of a process that only enqueues to a worker of another process',
  { queue: true, only: 'postgres' },
  async ({ database, location }) => {
    const errors: unknown[] = [];
    const log = { info: () => undefined, warn: () => undefined, error: (details: object) => errors.push(details) };
    const queues = [{ name: 'jobs' }];
    const api = await openQueue(database, { queues, supervise: false, log });
    const names = async () =>
      (await sql<{ name: string }>`select name from queue.queue order by name`.execute(database.query())).rows.map(
        (row) => row.name,
      );
    assert.deepEqual(await names(), ['jobs']); // a supervisor has a queue of its own, for cron
    const workerDatabase = await openDatabase(location);
    const worker = await openQueue(workerDatabase, { queues, supervise: true, log });
    assert.deepEqual(await names(), ['__pgboss__send-it', 'jobs']);
    const handled = Promise.withResolvers<unknown>();
    await worker.work('jobs', { pollSeconds: 30 }, async ({ data }) => handled.resolve(data));
    await sleep(200);
    await api.enqueue(database, 'jobs', { from: 'api' });
    assert.deepEqual(await handled.promise, { from: 'api' });
    await Promise.all([api.stop(), worker.stop()]);
    await workerDatabase.close();
    assert.deepEqual(errors, []);
  },
);

forEachDatabase(
  'logs the loss of the server and continues when it is back',
  { queue: true, only: 'postgres' },
  async ({ database }) => {
    const messages: string[] = [];
    const note = (_details: object, message: string) => messages.push(message);
    const queue = await openQueue(database, {
      queues: [{ name: 'jobs' }],
      supervise: true,
      log: { info: note, warn: note, error: note },
    });
    const handled = Promise.withResolvers<void>();
    await queue.work('jobs', { pollSeconds: 0.5 }, async () => handled.resolve());
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(
      database.query(),
    );
    await sleep(100);
    await queue.enqueue(database, 'jobs', {});
    await handled.promise;
    await queue.stop();
    assert.ok(messages.includes('queue error'), messages.join());
  },
);
