import assert from 'node:assert/strict';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { openApi } from '../../../test/support/api/api.ts';
import { listenOnLoopback, send } from '../../../test/support/api/http.ts';
import { countUses } from '../../../test/support/platform/counted-database.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { EventStream, parseLastEventId } from '../../api/event-stream.ts';
import { OpenStreams } from '../../api/open-streams.ts';
import { MIGRATIONS } from '../../compose/index.ts';
import { type Database, openDatabase } from '../../platform/index.ts';
import type { SnapshotTables } from '../../snapshots/tables.ts';
import { type NewEvent, recordEvent } from '../forecast-state.ts';
import { forecastMigrations } from '../migrations/index.ts';
import type { ForecastTables } from '../tables.ts';
import { type ForecastEvent, readEventsAfter } from './read-events.ts';
import { watchEvents } from './watch-events.ts';

const MIGRATED = { migrations: [...new Set([...MIGRATIONS, forecastMigrations])] };
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
    .query<ForecastTables>()
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

forEachDatabase('numbers events without gaps', MIGRATED, async ({ database }) => {
  const id = await makeForecast(database);
  const other = await makeForecast(database, 'ef_2');
  assert.equal(await record(database, id, 'queued', { position: 1 }), 1);
  await assert.rejects(
    database.transaction(async (tx) => {
      await recordEvent(tx, { forecastId: id, kind: 'progress', data: {}, now: NOW });
      throw new Error('rolled back');
    }),
  );
  const numbers = await Promise.all(Array.from({ length: 20 }, () => record(database, id, 'progress')));
  assert.deepEqual(
    numbers.sort((a, b) => a - b),
    Array.from({ length: 20 }, (_, i) => i + 2),
  );
  assert.equal(await record(database, other, 'queued'), 1);
  const read = (after: number) => readEventsAfter(database, [{ forecastId: id, after, isLatest: false }]);
  const [all] = await read(0);
  assert.deepEqual(all?.events[0], { id: 1, kind: 'queued', data: { position: 1 }, createdAt: NOW });
  const [latest] = await read(18);
  assert.deepEqual(
    latest?.events.map((event) => event.id),
    [19, 20, 21],
  );
  await assert.rejects(record(database, 'ef_none', 'queued'), /No forecast ef_none/);
});

forEachDatabase('a watcher gets past and new events and ends after the last one', MIGRATED, async (fixture) => {
  const { database } = fixture;
  const id = await makeForecast(database);
  for (let i = 0; i < 450; i++) await record(database, id, 'progress');
  const seen = collect(watchEvents({ database }, id, 0, never(), FAST));
  await sleep(50);
  await record(database, id, 'progress');
  await sleep(50);
  await record(database, id, 'completed');
  const expected = [...Array.from({ length: 451 }, (_, i) => `${i + 1} progress`), '452 completed'];
  assert.deepEqual(await seen, expected);
  assert.deepEqual(await collect(watchEvents({ database }, id, 400, never(), FAST)), expected.slice(400));
});

forEachDatabase('a watcher that has the last event ends after one statement', MIGRATED, async ({ database }) => {
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

forEachDatabase('a number beyond the latest event counts as the latest', MIGRATED, async ({ database }) => {
  const id = await makeForecast(database);
  await record(database, id, 'queued');
  const seen = collect(watchEvents({ database }, id, 1_000, never(), FAST));
  await sleep(50);
  await record(database, id, 'failed');
  assert.deepEqual(await seen, ['2 failed']);
});

forEachDatabase('a watcher ends when the forecast is removed or does not exist', MIGRATED, async ({ database }) => {
  assert.deepEqual(await collect(watchEvents({ database }, 'ef_none', 0, never(), FAST)), []);
  const id = await makeForecast(database);
  await record(database, id, 'queued');
  const seen = collect(watchEvents({ database }, id, 0, never(), FAST));
  await sleep(50);
  await database.query<ForecastTables>().deleteFrom('forecast').where('id', '=', id).execute();
  assert.deepEqual(await seen, ['1 queued']);
});

forEachDatabase('a watcher whose signal aborts sends no more statements', MIGRATED, async ({ database }) => {
  const id = await makeForecast(database);
  const counted = countUses(database);
  const controller = new AbortController();
  const seen = collect(watchEvents(counted, id, 0, controller.signal, FAST));
  while (counted.uses() < 2) await sleep(10);
  controller.abort();
  assert.deepEqual(await seen, []);
  const statements = counted.uses();
  await sleep(100);
  assert.equal(counted.uses(), statements);
  assert.deepEqual(await collect(watchEvents(counted, id, 0, controller.signal, FAST)), []);
  assert.equal(counted.uses(), statements);
});

forEachDatabase(
  'watchers of one forecast share polls, and one that leaves does not stop the others',
  MIGRATED,
  async (f) => {
    const id = await makeForecast(f.database);
    const counted = countUses(f.database);
    const leaving = new AbortController();
    const left = collect(watchEvents(counted, id, 0, leaving.signal, { pollMs: 100 }));
    const watching = Array.from({ length: 30 }, () => collect(watchEvents(counted, id, 0, never(), { pollMs: 100 })));
    await sleep(50);
    leaving.abort();
    assert.deepEqual(await left, []);
    await sleep(500);
    assert.ok(counted.uses() <= 8, `31 watchers took ${counted.uses()} statements`);
    await record(f.database, id, 'completed');
    for (const seen of watching) assert.deepEqual(await seen, ['1 completed']);
  },
);

forEachDatabase('watchers of many forecasts share the statements', MIGRATED, async ({ database }) => {
  const ids: string[] = [];
  for (let i = 0; i < 150; i++) ids.push(await makeForecast(database, `ef_${i}`));
  const counted = countUses(database);
  const watching = ids.map((id) => collect(watchEvents(counted, id, 0, never(), { pollMs: 40 })));
  while (counted.uses() < 2) await sleep(1);
  await database.transaction(async (tx) => {
    for (const id of ids) await recordEvent(tx, { forecastId: id, kind: 'queued', data: {}, now: NOW });
    for (const id of ids) await recordEvent(tx, { forecastId: id, kind: 'failed', data: {}, now: NOW });
  });
  for (const seen of watching) assert.deepEqual(await seen, ['1 queued', '2 failed']);
  // Two for those that began, and one in each interval, of which there are few.
  assert.ok(counted.uses() < 50, `150 watchers took ${counted.uses()} statements`);
});

forEachDatabase('a failing database ends every watcher with its error', MIGRATED, async ({ database }) => {
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
  'a watcher gets events that another process records',
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
  'a stream resumes without loss or repetition and stops polling when the client disconnects',
  MIGRATED,
  async (f) => {
    const id = await makeForecast(f.database);
    const counted = countUses(f.database);
    const { app } = await openApi(f.database, {}, (routes) => {
      const streams = new OpenStreams(routes);
      routes.get('/events', async (incoming, reply) => {
        const after = parseLastEventId((incoming.headers['last-event-id'] as string | undefined) ?? null);
        return new EventStream((signal) => watchEvents(counted, id, after, signal, FAST)).send(reply, streams);
      });
    });
    f.cleanup(() => app.close());
    const port = await listenOnLoopback(app);
    for (let i = 0; i < 5; i++) await record(f.database, id, 'progress', { step: i });

    const first = await takeEvents(port, 3);
    assert.deepEqual(first, [1, 2, 3]);
    await sleep(50);
    const statements = counted.uses();
    await sleep(100);
    assert.equal(counted.uses(), statements, 'no watcher is left');

    await record(f.database, id, 'completed');
    const rest = await send(port, { path: '/events', headers: { 'last-event-id': '3' } });
    assert.deepEqual(idsOf(String(rest.body)), [4, 5, 6]);
    const nothing = await send(port, { path: '/events', headers: { 'last-event-id': '6' } });
    assert.deepEqual(idsOf(String(nothing.body)), []);
  },
);

/** Reads some events of an open stream and disconnects. */
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
