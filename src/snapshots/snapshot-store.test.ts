import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { forEachDatabase } from '../../test/support/platform/database.ts';
import type { Database } from '../platform/index.ts';
import {
  freeze,
  holdSnapshot,
  readSnapshot,
  releaseSnapshots,
  removeUnusedSnapshots,
  type SnapshotContent,
  snapshotMigrations,
} from './index.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);

function content(close: number, rows = 3): SnapshotContent {
  return {
    about: { symbol: 'TEST', nested: { list: ['a', null, 1.5] } },
    table: {
      timestamps: Float64Array.from({ length: rows }, (_, i) => i * DAY),
      columns: {
        close: Float64Array.from({ length: rows }, (_, i) => close + i),
        volume: new Float64Array(rows).fill(Number.NaN),
      },
    },
  };
}

function at(database: Database, day: number) {
  return { database, clock: { now: () => new Date(START + day * DAY) } };
}

const OPTIONS = { migrations: [snapshotMigrations] };

forEachDatabase('a snapshot is read as it was frozen, and equal ones are one', OPTIONS, async ({ database }) => {
  const context = at(database, 0);
  const one = await freeze(context, content(1));
  assert.match(one.id, /^snap_[0-9A-Z]{26}$/);
  assert.equal((await freeze(context, content(1))).id, one.id);
  assert.notEqual((await freeze(context, content(2))).id, one.id);
  const read = await readSnapshot(context, one.id);
  assert.deepEqual(read, one);
  assert.deepEqual(read?.table, content(1).table);
  assert.equal(await readSnapshot(context, 'snap_00000000000000000000000000'), null);
});

forEachDatabase('an empty and a long series survive, compressed', OPTIONS, async ({ database }) => {
  const context = at(database, 0);
  const empty = await freeze(context, content(1, 0));
  assert.equal((await readSnapshot(context, empty.id))?.rows, 0);
  const long = await freeze(context, content(1, 50_000));
  assert.deepEqual((await readSnapshot(context, long.id))?.table, content(1, 50_000).table);
  const { rows } = await sql<{ packed: number; size: number }>`
    SELECT octet_length(packed) AS packed, size FROM snapshot WHERE id = ${long.id}`.execute(database.query());
  assert.ok((rows[0]?.packed ?? 0) < 0.3 * (rows[0]?.size ?? 0), `${rows[0]?.packed} of ${rows[0]?.size} bytes`);
});

forEachDatabase('frozen by twenty at once, it is one', OPTIONS, async ({ database }) => {
  const frozen = await Promise.all(Array.from({ length: 20 }, () => freeze(at(database, 0), content(7))));
  assert.equal(new Set(frozen.map(({ id }) => id)).size, 1);
});

forEachDatabase('unused ones go after a day, used and held ones stay', OPTIONS, async ({ database }) => {
  const [unused, used, held] = await Promise.all([1, 2, 3].map((close) => freeze(at(database, 0), content(close))));
  assert.ok(unused && used && held);
  await database.transaction(async (tx) => {
    assert.equal(await holdSnapshot(tx, held.id, 'ef_1'), true);
    assert.equal(await holdSnapshot(tx, held.id, 'ef_1'), true, 'holding twice is holding once');
    assert.equal(await holdSnapshot(tx, 'snap_gone', 'ef_1'), false);
  });
  assert.equal(await removeUnusedSnapshots(at(database, 0.9)), 0);
  await readSnapshot(at(database, 0.9), used.id);
  assert.equal(await removeUnusedSnapshots(at(database, 1.2)), 1);
  assert.equal(await readSnapshot(at(database, 1.2), unused.id), null);
  assert.ok(await readSnapshot(at(database, 1.2), used.id));
  assert.equal(await removeUnusedSnapshots(at(database, 3)), 1);
  assert.ok(await readSnapshot(at(database, 0), held.id));
  await database.transaction((tx) => releaseSnapshots(tx, ['ef_1']));
  assert.equal(await removeUnusedSnapshots(at(database, 5)), 1);
});

forEachDatabase(
  'holding against removing: either it is held and stays, or the holder is told that it is gone',
  { ...OPTIONS, only: 'postgres' },
  async ({ database }) => {
    for (let round = 0; round < 20; round++) {
      const { id } = await freeze(at(database, 0), content(round));
      const [held] = await Promise.all([
        database.transaction((tx) => holdSnapshot(tx, id, `ef_${round}`)),
        removeUnusedSnapshots(at(database, 2)),
      ]);
      const there = (await readSnapshot(at(database, 2), id)) !== null;
      assert.equal(there, held);
    }
  },
);

forEachDatabase('a snapshot whose bytes were changed is not handed out', OPTIONS, async ({ database }) => {
  const context = at(database, 0);
  const { id } = await freeze(context, content(1));
  await sql`UPDATE snapshot SET header = replace(header, 'TEST', 'TOST') WHERE id = ${id}`.execute(database.query());
  await assert.rejects(readSnapshot(context, id), /not what it was/);
});

forEachDatabase(
  'any number of old ones goes, and beyond the room there is newer ones too',
  OPTIONS,
  async ({ database }) => {
    await sql`
    INSERT INTO snapshot SELECT 'snap_' || i, 'x' || i, '{}', 0, 0, ''::bytea, ${new Date(START)}, ${new Date(START)}
    FROM generate_series(1, 1200) AS i`.execute(database.query());
    const held = await freeze(at(database, 0), content(1));
    await database.transaction((tx) => holdSnapshot(tx, held.id, 'ef_1'));
    assert.equal(await removeUnusedSnapshots(at(database, 3)), 1200);
    const kept = await Promise.all([1, 2, 3].map((day) => freeze(at(database, 5), content(day + 10, 2000))));
    assert.equal(await removeUnusedSnapshots(at(database, 5.1)), 0);
    assert.equal(await removeUnusedSnapshots(at(database, 5.1), { mostBytes: 1 }), 3);
    assert.equal(await readSnapshot(at(database, 5.1), kept[0]?.id ?? ''), null);
    assert.ok(await readSnapshot(at(database, 5.1), held.id));
  },
);
