import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { emptyPostgres } from '../../../test/support/cli/service.ts';
import { startMutableLink } from '../../../test/support/platform/mutable-link.ts';
import { openQueue } from '../queue/index.ts';
import { isUnavailable } from './errors.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './open-database.ts';

const options = { skip: process.env.TEST_DATABASE_URL === undefined && 'TEST_DATABASE_URL is not set' };

async function openScene() {
  const open = new AsyncDisposableStack();
  const { url } = open.use(await emptyPostgres());
  const link = open.use(await startMutableLink(url));
  return { link, url: link.urlOf(url), [Symbol.asyncDispose]: () => open.disposeAsync() };
}

test('a statement ends as unavailable if its server has vanished, and the next one works', options, async () => {
  await using scene = await openScene();
  const database = await openDatabase({ url: scene.url, poolSize: 1, maxSilenceMs: 300 });
  const answer = () => sql<{ answer: number }>`select 42 as answer`.execute(database.query());
  await answer();
  scene.link.mute();
  await assert.rejects(answer(), (error) => isUnavailable(error) && /has not responded for 0.3 s/.test(String(error)));
  assert.equal((await answer()).rows[0]?.answer, 42);
  await database.close();
});

test('a commit on a connection whose server has vanished ends as unavailable', options, async () => {
  await using scene = await openScene();
  const database = await openDatabase({ url: scene.url, poolSize: 1, maxSilenceMs: 300 });
  const muted = database.transaction(async (tx) => {
    await sql`select 1`.execute(tx.query());
    scene.link.mute();
  });
  await assert.rejects(muted, isUnavailable);
  await database.close();
});

test('a migration may be silent for longer than a statement of a request', options, async () => {
  await using scene = await openScene();
  const database = await openDatabase({ url: scene.url, maxSilenceMs: 300 });
  const slow: Migration = { up: async (db) => void (await sql`select pg_sleep(0.7)`.execute(db)) };
  assert.deepEqual(await migrate(database, [{ domain: 'slow', migrations: { '0001-slow': slow } }]), [
    'slow/0001-slow',
  ]);
  await database.close();
});

test('the queue continues after its server has vanished', options, async () => {
  await using scene = await openScene();
  const database = await openDatabase({ url: scene.url });
  const queue = await openQueue(database, { queues: [{ name: 'jobs' }], supervise: true, maxSilenceMs: 1_500 });
  const handled = Promise.withResolvers<void>();
  await queue.work('jobs', { pollSeconds: 0.5 }, async () => handled.resolve());
  scene.link.mute();
  const other = await openDatabase({ url: scene.url });
  await queue.enqueue(other, 'jobs', {});
  await handled.promise;
  scene.link.closeMuted();
  await queue.stop();
  await Promise.all([database.close(), other.close()]);
});

test('everything closes although the server has just vanished', options, async () => {
  await using scene = await openScene();
  const database = await openDatabase({ url: scene.url });
  const queue = await openQueue(database, { queues: [{ name: 'jobs' }], supervise: true });
  await queue.work('jobs', { pollSeconds: 60 }, async () => undefined);
  await sql`select 1`.execute(database.query());
  scene.link.mute();
  await queue.stop();
  await database.close();
});
