import assert from 'node:assert/strict';
import { after, before, beforeEach } from 'node:test';
import { sql } from 'kysely';
import { forEachDatabase } from '../../test/support/platform/database.ts';
import { type ObjectServer, openTestObjects, startObjectServer } from '../../test/support/platform/object-server.ts';
import { createSeededRandom } from '../../test/support/platform/seeded-random.ts';
import { DAY_MS } from '../calendar/index.ts';
import { type Database, type ObjectStorage, objectMigrations, removeUnusedObjects } from '../platform/index.ts';
import { freeze, readSnapshot, removeUnusedSnapshots, type SnapshotContent, snapshotMigrations } from './index.ts';

const OPTIONS = { migrations: [objectMigrations, snapshotMigrations] };
const MIB = 1024 ** 2;

let server: ObjectServer;
before(async () => {
  server = await startObjectServer();
});
after(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  server.disturb = () => false;
});

/** Numbers that cannot be compressed. */
function content(seed: number, rows: number): SnapshotContent {
  const random = createSeededRandom(seed);
  const column = () => Float64Array.from({ length: rows }, () => random() * 2 ** 40);
  return {
    about: { seed, rows },
    table: {
      timestamps: Float64Array.from({ length: rows }, (_, i) => i * DAY_MS),
      columns: { open: column(), high: column(), low: column(), close: column(), volume: column() },
    },
  };
}

/** A context at so many hours from now, because the database dates what it drops by its own clock. */
function contextOf(
  database: Database,
  { objects = null, hours = 0 }: { objects?: ObjectStorage | null; hours?: number },
) {
  const clock = { now: () => new Date(Date.now() + hours * 3_600_000) };
  return { database: { ...database, objects }, clock, log: { warn: () => undefined } };
}

async function placesOf(database: Database, id: string) {
  const { rows } = await sql<{
    packed: number | null;
    packed_bytes: number | null;
    parts: number;
    objects: number;
    longest: number | null;
  }>`
    SELECT octet_length(packed) AS packed, packed_bytes,
      (SELECT count(*) FROM stored_part WHERE thing = id)::int AS parts,
      (SELECT count(object) FROM stored_part WHERE thing = id)::int AS objects,
      (SELECT max(octet_length(data)) FROM stored_part WHERE thing = id) AS longest
    FROM snapshot WHERE id = ${id}`.execute(database.query());
  return rows[0];
}

async function listObjects(database: Database): Promise<[string, string][]> {
  const { rows } = await sql<{ key: string; state: string }>`SELECT key, state FROM stored_object ORDER BY key`.execute(
    database.query(),
  );
  return rows.map(({ key, state }) => [key, state]);
}

forEachDatabase(
  'stores a snapshot of more than 1 MiB in parts, and a small one in its row',
  OPTIONS,
  async ({ database }) => {
    const context = contextOf(database, {});
    const small = await freeze(context, content(1, 100));
    assert.equal((await placesOf(database, small.id))?.parts, 0);
    const long = await freeze(context, content(1, 50_000));
    const places = await placesOf(database, long.id);
    assert.equal(places?.packed, null);
    assert.ok((places?.packed_bytes ?? 0) > MIB);
    assert.equal(places?.parts, Math.ceil((places?.packed_bytes ?? 0) / MIB));
    assert.equal(places?.longest, MIB);
    assert.deepEqual(await readSnapshot(context, long.id), long);
    assert.equal((await freeze(context, content(1, 50_000))).id, long.id);
    assert.equal(await removeUnusedSnapshots(contextOf(database, { hours: 72 })), 2);
    const { rows } = await sql`SELECT FROM stored_part`.execute(database.query());
    assert.equal(rows.length, 0);
  },
);

forEachDatabase('refuses a snapshot of which a part was changed', OPTIONS, async ({ database }) => {
  const context = contextOf(database, {});
  const { id } = await freeze(context, content(2, 50_000));
  await sql`UPDATE stored_part SET data = set_byte(data, 5, 255 - get_byte(data, 5)) WHERE thing = ${id} AND position = 1`.execute(
    database.query(),
  );
  await assert.rejects(readSnapshot(context, id), new RegExp(`${id}/1 was changed after it was stored`));
});

forEachDatabase(
  'stores snapshots as objects, and deletes the objects of removed ones',
  OPTIONS,
  async ({ database }) => {
    const objects = openTestObjects(server);
    const context = contextOf(database, { objects });
    const before = server.keys();
    const snapshots = [await freeze(context, content(3, 10)), await freeze(context, content(3, 50_000))];
    const stored = server.keys().filter((key) => !before.includes(key));
    const places = await Promise.all(snapshots.map(({ id }) => placesOf(database, id)));
    assert.deepEqual(
      places.map((place) => [place?.packed, place?.objects === place?.parts]),
      [
        [null, true],
        [null, true],
      ],
    );
    assert.equal(stored.length, (places[0]?.parts ?? 0) + (places[1]?.parts ?? 0));
    assert.match(stored[0] ?? '', /^tests\/snapshots\/[0-9a-f]{64}-[0-9a-f-]{36}$/);
    assert.deepEqual(
      await listObjects(database),
      stored.map((key) => [key, 'used']),
    );
    for (const { id, ...rest } of snapshots) assert.deepEqual(await readSnapshot(context, id), { id, ...rest });
    // Without the setting, the bytes cannot be read, and the fault states why.
    await assert.rejects(readSnapshot(contextOf(database, {}), snapshots[0]?.id ?? ''), {
      code: 'UNAVAILABLE',
      message: /must set ALMANAC_S3_ENDPOINT/,
    });
    // Those of a restored backup belong to another database as well.
    await sql`UPDATE stored_object SET shared = true WHERE key = ${stored[0]}`.execute(database.query());
    assert.equal(await removeUnusedSnapshots(contextOf(database, { hours: 72 })), 2);
    assert.equal(await removeUnusedObjects(context), 0, 'a reader may still need the objects');
    const later = contextOf(database, { objects, hours: 1 });
    server.disturb = ({ method }, response) => method === 'DELETE' && response.writeHead(503).end();
    assert.equal(await removeUnusedObjects(later), 0);
    server.disturb = () => false;
    assert.equal(await removeUnusedObjects(later), stored.length);
    assert.deepEqual(server.keys(), [...before, stored[0]].sort());
    assert.deepEqual(await listObjects(database), []);
  },
);

forEachDatabase('changes nothing if an object cannot be written', OPTIONS, async ({ database }) => {
  const objects = openTestObjects(server);
  const before = server.keys();
  let puts = 0;
  // The second part fails.
  server.disturb = ({ method }, response) => method === 'PUT' && ++puts > 1 && response.writeHead(503).end();
  await assert.rejects(freeze(contextOf(database, { objects }), content(4, 50_000)), { code: 'UNAVAILABLE' });
  const { rows } = await sql`SELECT FROM snapshot`.execute(database.query());
  assert.equal(rows.length, 0);
  server.disturb = () => false;
  const soon = contextOf(database, { objects, hours: 0.5 });
  assert.equal(await removeUnusedObjects(soon), 0, 'a writer may be about to use them');
  assert.equal(await removeUnusedObjects(contextOf(database, { objects, hours: 2 })), 2);
  assert.deepEqual(server.keys(), before);
});

forEachDatabase('a writer whose objects were given up stores nothing', OPTIONS, async ({ database }) => {
  const objects = openTestObjects(server);
  server.disturb = async ({ method }) => {
    // The cleaning comes between the object and the row.
    if (method === 'PUT') await sql`UPDATE stored_object SET state = 'unused'`.execute(database.query());
    return false;
  };
  await assert.rejects(freeze(contextOf(database, { objects }), content(5, 10)), {
    code: 'UNAVAILABLE',
    message: 'Storing took too long, and nothing was stored. Try again.',
  });
  const { rows } = await sql`SELECT FROM snapshot`.execute(database.query());
  assert.equal(rows.length, 0);
});

forEachDatabase(
  'concurrent requests freeze one snapshot, and the objects of the others are deleted',
  OPTIONS,
  async ({ database }) => {
    const objects = openTestObjects(server);
    const context = contextOf(database, { objects });
    const before = server.keys().length;
    const frozen = await Promise.all(Array.from({ length: 8 }, () => freeze(context, content(6, 10))));
    assert.equal(new Set(frozen.map(({ id }) => id)).size, 1);
    await removeUnusedObjects(contextOf(database, { objects, hours: 2 }));
    assert.equal(server.keys().length, before + 1);
    assert.ok(await readSnapshot(context, frozen[0]?.id ?? ''));
  },
);

forEachDatabase('a transaction sends no request', OPTIONS, async ({ database }) => {
  const context = contextOf(database, { objects: openTestObjects(server) });
  server.requests.length = 0;
  const { id } = await database.transaction((tx) => freeze({ ...context, database: tx }, content(7, 50_000)));
  assert.deepEqual(server.requests, []);
  assert.equal((await placesOf(database, id))?.objects, 0);
  assert.ok(await readSnapshot(context, id));
});

forEachDatabase(
  'the database stores new snapshots if the object storage is only read',
  OPTIONS,
  async ({ database }) => {
    const readable = contextOf(database, { objects: openTestObjects(server) });
    const { id } = await freeze(readable, content(8, 10));
    const objects = openTestObjects(server, { environment: { ALMANAC_S3_WRITES: 'off' } });
    const context = contextOf(database, { objects });
    assert.ok(await readSnapshot(context, id));
    const { id: newer } = await freeze(context, content(9, 10));
    assert.notEqual((await placesOf(database, newer))?.packed, null);
  },
);
