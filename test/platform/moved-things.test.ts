import assert from 'node:assert/strict';
import { after, before, beforeEach } from 'node:test';
import { sql } from 'kysely';
import { MIGRATIONS } from '../../src/compose/index.ts';
import {
  countPlaces,
  type Database,
  type MovableThings,
  type MoveTarget,
  moveThings,
  type ObjectStorage,
  removeUnusedObjects,
  systemClock,
  type ThingKey,
} from '../../src/platform/index.ts';
import {
  freeze,
  MOVABLE_SNAPSHOTS,
  readSnapshot,
  removeUnusedSnapshots,
  type Snapshot,
} from '../../src/snapshots/index.ts';
import { deleteCsvFile, exportCsvFile, MOVABLE_CHUNKS } from '../../src/workspaces/index.ts';
import { forEachDatabase } from '../support/platform/database.ts';
import { type ObjectServer, openTestObjects, startObjectServer } from '../support/platform/object-server.ts';
import { createSeededRandom } from '../support/platform/seeded-random.ts';
import { csvContext, makeCsvFile, openCsvScene } from '../support/workspaces/csv-files.ts';

const OPTIONS = { migrations: MIGRATIONS };
const KINDS: readonly MovableThings[] = [MOVABLE_SNAPSHOTS, MOVABLE_CHUNKS];

let server: ObjectServer;
before(async () => {
  server = await startObjectServer();
});
after(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  server.disturb = () => false;
});

const contextOf = (database: Database, objects: ObjectStorage | null = null) => ({
  database: { ...database, objects },
  clock: systemClock,
  log: { warn: () => undefined },
});

function freezeRows(database: Database, seed: number, rows: number): Promise<Snapshot> {
  const random = createSeededRandom(seed);
  const column = () => Float64Array.from({ length: rows }, () => random() * 2 ** 40);
  const table = {
    timestamps: Float64Array.from({ length: rows }, (_, i) => i),
    columns: { a: column(), b: column(), c: column() },
  };
  return freeze(contextOf(database), { about: { seed }, table });
}

/** Moves everything. Returns what was moved. */
async function moveAll(database: Database, objects: ObjectStorage | null, target: MoveTarget) {
  let moved = 0;
  const damaged: string[] = [];
  for (const things of KINDS) {
    let after: ThingKey | null = null;
    do {
      const step = await moveThings(contextOf(database, objects), things, target, after);
      moved += step.moved;
      damaged.push(...step.damaged);
      after = step.next;
    } while (after !== null);
  }
  return { moved, damaged };
}

async function countThings(database: Database): Promise<{ database: number; s3: number }> {
  const counts = await Promise.all(KINDS.map((things) => countPlaces(database, things)));
  return {
    database: counts.reduce((sum, places) => sum + places.database.things, 0),
    s3: counts.reduce((sum, places) => sum + places.s3.things, 0),
  };
}

const removedLater = (database: Database, objects: ObjectStorage) =>
  removeUnusedObjects({
    ...contextOf(database, objects),
    clock: { now: () => new Date(Date.now() + 2 * 3_600_000) },
  });

async function readText(chunks: AsyncIterable<Buffer>): Promise<string> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all).toString();
}

forEachDatabase('moves snapshots and files to objects and back, and repeats nothing', OPTIONS, async ({ database }) => {
  const objects = openTestObjects(server);
  const { owner, workspace } = await openCsvScene(database);
  const random = createSeededRandom(1);
  const text = `a,b\r\n${Array.from({ length: 40_000 }, (_, i) => `${i},${random()}\r\n`).join('')}`;
  const snapshots = [await freezeRows(database, 1, 100), await freezeRows(database, 2, 50_000)];
  const id = await makeCsvFile(database, workspace.id, owner.accountId, text);
  const readAll = async (storage: ObjectStorage | null) => {
    const context = contextOf(database, storage);
    for (const snapshot of snapshots) assert.deepEqual(await readSnapshot(context, snapshot.id), snapshot);
    const { chunks } = await exportCsvFile({ ...csvContext(database), ...context }, owner, {
      workspace: workspace.id,
      id,
    });
    assert.equal(await readText(chunks()), text);
  };
  const keysBefore = server.keys();
  const bytesBefore = await sql`SELECT * FROM snapshot ORDER BY id`.execute(database.query());
  const total = (await countThings(database)).database;
  assert.deepEqual(await moveAll(database, objects, 's3'), { moved: total, damaged: [] });
  assert.deepEqual(await countThings(database), { database: 0, s3: total });
  await readAll(objects);
  assert.deepEqual(await moveAll(database, objects, 's3'), { moved: 0, damaged: [] });
  assert.deepEqual(await moveAll(database, objects, 'database'), { moved: total, damaged: [] });
  assert.deepEqual(await countThings(database), { database: total, s3: 0 });
  assert.deepEqual(await moveAll(database, objects, 'database'), { moved: 0, damaged: [] });
  const bytesAfter = await sql`SELECT * FROM snapshot ORDER BY id`.execute(database.query());
  assert.deepEqual(bytesAfter.rows, bytesBefore.rows);
  await removedLater(database, objects);
  assert.deepEqual(server.keys(), keysBefore);
  await readAll(null);
});

forEachDatabase('stores an uploaded file as objects, which disappear with it', OPTIONS, async ({ database }) => {
  const objects = openTestObjects(server);
  const { owner, workspace } = await openCsvScene(database);
  const keysBefore = server.keys();
  const text = `a,b\r\n${'1,2\r\n'.repeat(400_000)}`;
  const withObjects = { ...database, objects };
  const id = await makeCsvFile(withObjects, workspace.id, owner.accountId, text);
  const keys = server.keys().filter((key) => !keysBefore.includes(key));
  assert.ok(keys.length > 1 && keys.every((key) => key.startsWith('tests/uploads/')), keys.join());
  const { chunks } = await exportCsvFile(csvContext(withObjects), owner, { workspace: workspace.id, id });
  assert.equal(await readText(chunks()), text);
  server.disturb = (_request, response) => response.writeHead(503).end();
  await assert.rejects(readText(chunks()), { code: 'UNAVAILABLE' });
  await assert.rejects(makeCsvFile(withObjects, workspace.id, owner.accountId, text), { code: 'UNAVAILABLE' });
  const { rows } = await sql`SELECT id FROM csv_file`.execute(database.query());
  assert.deepEqual(rows, [{ id }], 'the upload that failed leaves no file');
  server.disturb = () => false;
  await deleteCsvFile(csvContext(withObjects), owner, { workspace: workspace.id, id });
  await removedLater(database, objects);
  assert.deepEqual(server.keys(), keysBefore);
});

forEachDatabase(
  'keeps the old bytes of things that are damaged on the way or before it',
  OPTIONS,
  async ({ database }) => {
    const objects = openTestObjects(server);
    const sound = await freezeRows(database, 1, 10);
    const damaged = await freezeRows(database, 2, 10);
    await sql`UPDATE snapshot SET packed = set_byte(packed, 20, 255 - get_byte(packed, 20)) WHERE id = ${damaged.id}`.execute(
      database.query(),
    );
    assert.deepEqual(await moveAll(database, objects, 's3'), { moved: 1, damaged: [damaged.id] });
    assert.ok(await readSnapshot(contextOf(database, objects), sound.id));
    assert.deepEqual(await countThings(database), { database: 1, s3: 1 });

    // A storage that returns other bytes than it got.
    const third = await freezeRows(database, 3, 10);
    server.disturb = async ({ method }, response, answer) => {
      if (method !== 'GET') return false;
      const { status, body } = await answer();
      return response.writeHead(status).end(Buffer.from(body).fill(0, 0, 4));
    };
    assert.deepEqual((await moveAll(database, objects, 's3')).damaged, [damaged.id, third.id]);
    assert.deepEqual((await moveAll(database, objects, 'database')).damaged, [sound.id]);
    server.disturb = () => false;
    assert.deepEqual(await readSnapshot(contextOf(database), third.id), third);
    assert.deepEqual(await readSnapshot(contextOf(database, objects), sound.id), sound);
  },
);

forEachDatabase('names a thing whose object is lost', OPTIONS, async ({ database }) => {
  const objects = openTestObjects(server);
  const { id } = await freezeRows(database, 1, 10);
  await moveAll(database, objects, 's3');
  const { rows } = await sql<{ object: string }>`SELECT object FROM stored_part`.execute(database.query());
  await objects.delete(rows[0]?.object ?? '');
  await assert.rejects(readSnapshot(contextOf(database, objects), id), /is missing in the object storage/);
  assert.deepEqual(await moveAll(database, objects, 'database'), { moved: 0, damaged: [id] });
});

forEachDatabase('continues a move after the storage was silent', OPTIONS, async ({ database }) => {
  const objects = openTestObjects(server);
  for (let seed = 0; seed < 5; seed++) await freezeRows(database, seed, 10);
  let puts = 0;
  server.disturb = ({ method }, response) => method === 'PUT' && ++puts > 2 && response.writeHead(503).end();
  await assert.rejects(moveAll(database, objects, 's3'), { code: 'UNAVAILABLE' });
  assert.deepEqual(await countThings(database), { database: 3, s3: 2 });
  server.disturb = () => false;
  assert.deepEqual(await moveAll(database, objects, 's3'), { moved: 3, damaged: [] });
});

forEachDatabase('refuses to move without a storage', OPTIONS, async ({ database }) => {
  await assert.rejects(moveAll(database, null, 's3'), /must set ALMANAC_S3_ENDPOINT/);
});

forEachDatabase(
  'two moves, readers and removals at the same time lose nothing',
  { ...OPTIONS, only: 'postgres' },
  async ({ database }) => {
    const objects = openTestObjects(server);
    const context = contextOf(database, objects);
    const snapshots: Snapshot[] = [];
    for (let seed = 0; seed < 12; seed++) snapshots.push(await freezeRows(database, seed, seed === 0 ? 50_000 : 20));
    let isMoving = true;
    const read = async () => {
      for (let i = 0; isMoving; i = (i + 7) % snapshots.length) {
        const snapshot = snapshots[i] as Snapshot;
        assert.equal((await readSnapshot(context, snapshot.id))?.sha256, snapshot.sha256);
      }
    };
    const readers = [read(), read()];
    for (const target of ['s3', 'database'] as const) {
      const moves = await Promise.all([moveAll(database, objects, target), moveAll(database, objects, target)]);
      assert.deepEqual(
        moves.flatMap(({ damaged }) => damaged),
        [],
      );
      const counts = await countThings(database);
      assert.equal(counts[target], snapshots.length, `all are in ${target}`);
    }
    isMoving = false;
    await Promise.all(readers);
    const later = { ...context, clock: { now: () => new Date(Date.now() + 72 * 3_600_000) } };
    await Promise.all([moveAll(database, objects, 's3'), removeUnusedSnapshots(later)]);
    const { rows } = await sql`
      SELECT thing FROM stored_part WHERE NOT EXISTS (SELECT FROM snapshot WHERE id = thing)`.execute(database.query());
    assert.deepEqual(rows, []);
    await removedLater(database, objects);
    const kept = await sql<{ key: string }>`SELECT key FROM stored_object WHERE state = 'used'`.execute(
      database.query(),
    );
    const stored = server.keys();
    assert.deepEqual(
      kept.rows.filter(({ key }) => !stored.includes(key)),
      [],
    );
  },
);
