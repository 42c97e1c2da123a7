import assert from 'node:assert/strict';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { openApi } from '../../../test/support/api/api.ts';
import { listenOnLoopback, send } from '../../../test/support/api/http.ts';
import { countUses } from '../../../test/support/platform/counted-database.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { EventStream, lastEventNumber, OpenStreams } from '../../api/event-stream.ts';
import { MIGRATIONS } from '../../compose/index.ts';
import { type Database, openDatabase } from '../../platform/index.ts';
import type { SnapshotTables } from '../../snapshots/tables.ts';
import { jobMigrations } from '../migrations/index.ts';
import type { JobTables } from '../tables.ts';
import { type ForecastEvent, readEvents } from './read-events.ts';
import { type NewEvent, recordEvent } from './record-event.ts';
import { watchEvents } from './watch-events.ts';

const MIGRATED = { migrations: [...new Set([...MIGRATIONS, jobMigrations])] };
const NOW = new Date('2026-11-05T12:00:00Z');
const FAST = { pollMs: 10 };

async function makeForecast(database: Database, id = 'ef_1'): Promise<string> {
  await database
    .query<SnapshotTables>()
    .insertInto('snapshot')
    .values({
      id: 'sn_1',
      sha256: '0',
      header: '{}',
      rows: 0,
      size: 0,
      packed: new Uint8Array(),
      created_at: NOW,
      last_used_at: NOW,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await database
    .query<JobTables>()
    .insertInto('forecast')
    .values({
      id,
      slug: id,
      owner: 'gs_1',
      payer: 'gs_1',
      guest_id: 'gs_1',
      visibility: 'private',
      status: 'queued',
      request: {},
      settings: {} as never,
      snapshot_id: 'sn_1',
      checkpoints: {},
      credits: 1,
      job_id: 'job',
      created_at: NOW,
    } as never)
    .execute();
  return id;
}

function record(database: Database, forecastId: string, kind: NewEvent['kind'], data: object = {}): Promise<number> {
  return database.transaction((tx) => recordEvent(tx, { forecastId, kind, data, now: NOW }));
}

async function collect(events: AsyncIterable<ForecastEvent>): Promise<string[]> {
  const seen: string[] = [];
  for await (const { id, kind } of events) seen.push(`${id} ${kind}`);
  return seen;
}

const never = () => new AbortController().signal;

forEachDatabase('events are numbered without holes', MIGRATED, async ({ database }) => {
  const id = await makeForecast(database);
  const other = await makeForecast(database, 'ef_2');
  assert.equal(await record(database, id, 'queued', { place: 1 }), 1);
  await assert.rejects(
    database.transaction(async (tx) => {
      await recordEvent(tx, { forecastId: id, kind: 'progress', data: {}, now: NOW });
      throw new Error('rolled back');
    }),
  );
  const numbers = await Promise.all(Array.from({ length: 20 }, () => record(database, id, 'progress')));
  assert.deepEqual(
    numbers.sort((a, b) => a - b),
    Array.from({ length: 20 }, (_, place) => place + 2),
  );
  assert.equal(await record(database, other, 'queued'), 1);
  assert.deepEqual(await readEvents(database, id, 0, 1), [
    { id: 1, kind: 'queued', data: { place: 1 }, createdAt: NOW },
  ]);
  assert.deepEqual(
    (await readEvents(database, id, 18, 100)).map((event) => event.id),
    [19, 20, 21],
  );
  await assert.rejects(record(database, 'ef_none', 'queued'), /no forecast ef_none/);
});

forEachDatabase('a watcher sees what was and what comes, and ends with the last event', MIGRATED, async (fixture) => {
  const { database } = fixture;
  const id = await makeForecast(database);
  for (let made = 0; made < 450; made++) await record(database, id, 'progress');
  const seen = collect(watchEvents({ database }, id, 0, never(), FAST));
  await sleep(50);
  await record(database, id, 'progress');
  await sleep(50);
  await record(database, id, 'completed');
  const expected = [...Array.from({ length: 451 }, (_, place) => `${place + 1} progress`), '452 completed'];
  assert.deepEqual(await seen, expected);
  assert.deepEqual(await collect(watchEvents({ database }, id, 400, never(), FAST)), expected.slice(400));
});

forEachDatabase('a watcher that knows the last event ends at once', MIGRATED, async ({ database }) => {
  for (const kind of ['completed', 'failed'] as const) {
    const id = await makeForecast(database, `ef_${kind}`);
    await record(database, id, 'queued');
    await record(database, id, kind);
    const counted = countUses(database);
    for (const after of [2, 3, 2 ** 31 - 1]) {
      assert.deepEqual(await collect(watchEvents(counted, id, after, never(), { pollMs: 60_000 })), []);
    }
    assert.equal(counted.uses(), 3);
  }
});

forEachDatabase('a number that was never given counts as the latest', MIGRATED, async ({ database }) => {
  const id = await makeForecast(database);
  await record(database, id, 'queued');
  const seen = collect(watchEvents({ database }, id, 1_000, never(), FAST));
  await sleep(50);
  await record(database, id, 'failed');
  assert.deepEqual(await seen, ['2 failed']);
});

forEachDatabase('a watcher ends when the forecast goes, or never was', MIGRATED, async ({ database }) => {
  assert.deepEqual(await collect(watchEvents({ database }, 'ef_none', 0, never(), FAST)), []);
  const id = await makeForecast(database);
  await record(database, id, 'queued');
  const seen = collect(watchEvents({ database }, id, 0, never(), FAST));
  await sleep(50);
  await database.query<JobTables>().deleteFrom('forecast').where('id', '=', id).execute();
  assert.deepEqual(await seen, ['1 queued']);
});

forEachDatabase('a watcher whose signal aborts asks nothing more', MIGRATED, async ({ database }) => {
  const id = await makeForecast(database);
  const counted = countUses(database);
  const controller = new AbortController();
  const seen = collect(watchEvents(counted, id, 0, controller.signal, FAST));
  await sleep(100);
  controller.abort();
  assert.deepEqual(await seen, []);
  const asked = counted.uses();
  assert.ok(asked > 1);
  await sleep(100);
  assert.equal(counted.uses(), asked);
  assert.deepEqual(await collect(watchEvents(counted, id, 0, controller.signal, FAST)), []);
  assert.equal(counted.uses(), asked);
});

forEachDatabase('watchers of one forecast share their polls; one that leaves takes none along', MIGRATED, async (f) => {
  const id = await makeForecast(f.database);
  const counted = countUses(f.database);
  const impatient = new AbortController();
  const left = collect(watchEvents(counted, id, 0, impatient.signal, { pollMs: 100 }));
  const watching = Array.from({ length: 30 }, () => collect(watchEvents(counted, id, 0, never(), { pollMs: 100 })));
  await sleep(50);
  impatient.abort();
  assert.deepEqual(await left, []);
  await sleep(500);
  assert.ok(counted.uses() <= 8, `31 watchers took ${counted.uses()} statements`);
  await record(f.database, id, 'completed');
  for (const seen of watching) assert.deepEqual(await seen, ['1 completed']);
});

forEachDatabase('a database that fails ends every watcher with its error', MIGRATED, async ({ database }) => {
  const id = await makeForecast(database);
  let broken = false;
  const query: Database['query'] = () => {
    if (broken) throw new Error('gone');
    return database.query();
  };
  const failing = { database: { ...database, query } };
  const watching = [1, 2].map(() => collect(watchEvents(failing, id, 0, never(), FAST)));
  await sleep(30);
  broken = true;
  await Promise.all(watching.map((seen) => assert.rejects(seen, /gone/)));
});

forEachDatabase(
  'events that another process records are seen',
  { ...MIGRATED, only: 'postgres' },
  async ({ database, location, cleanup }) => {
    const id = await makeForecast(database);
    const worker = await openDatabase(location);
    cleanup(() => worker.close());
    const seen = collect(watchEvents({ database }, id, 0, never(), FAST));
    for (const kind of ['queued', 'progress', 'progress', 'completed'] as const) {
      await record(worker, id, kind);
      await sleep(15);
    }
    assert.deepEqual(await seen, ['1 queued', '2 progress', '3 progress', '4 completed']);
  },
);

forEachDatabase(
  'over HTTP: resumed without loss or repeat, and quiet once the client has gone',
  MIGRATED,
  async (f) => {
    const id = await makeForecast(f.database);
    const counted = countUses(f.database);
    const { app } = await openApi(f.database, {}, (routes) => {
      const streams = new OpenStreams(routes);
      routes.get('/events', async (incoming, reply) => {
        const after = lastEventNumber((incoming.headers['last-event-id'] as string | undefined) ?? null);
        return new EventStream((signal) => watchEvents(counted, id, after, signal, FAST)).send(reply, streams);
      });
    });
    f.cleanup(() => app.close());
    const port = await listenOnLoopback(app);
    for (let made = 0; made < 5; made++) await record(f.database, id, 'progress', { made });

    const first = await takeEvents(port, 3);
    assert.deepEqual(first, [1, 2, 3]);
    await sleep(50);
    const asked = counted.uses();
    await sleep(100);
    assert.equal(counted.uses(), asked, 'nobody watches any more');

    await record(f.database, id, 'completed');
    const rest = await send(port, { path: '/events', headers: { 'last-event-id': '3' } });
    assert.deepEqual(idsOf(String(rest.body)), [4, 5, 6]);
    const nothing = await send(port, { path: '/events', headers: { 'last-event-id': '6' } });
    assert.deepEqual(idsOf(String(nothing.body)), []);
  },
);

/** Reads some events of a stream that goes on, and leaves. */
function takeEvents(port: number, wanted: number): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path: '/events', agent: false });
    let text = '';
    outgoing.on('error', reject).on('response', (response) => {
      response
        .on('error', () => {})
        .on('data', (chunk) => {
          text += chunk;
          if (idsOf(text).length < wanted) return;
          response.destroy();
          resolve(idsOf(text).slice(0, wanted));
        });
    });
    outgoing.end();
  });
}

function idsOf(text: string): number[] {
  return [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
}
