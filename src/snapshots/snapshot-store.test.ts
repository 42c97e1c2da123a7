import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { forEachDatabase } from '../../test/support/platform/database.ts';
import { DAY_MS } from '../calendar/index.ts';
import type { Database } from '../platform/index.ts';
import {
  freeze,
  holdSnapshot,
  readSnapshot,
  releaseSnapshots,
  removeUnusedSnapshots,
  type SnapshotContent,
  snapshotMigrations,
  soleColumn,
} from './index.ts';

const START = Date.UTC(2026, 0, 1);

function content(close: number, rows = 3): SnapshotContent {
  return {
    about: { symbol: 'TEST', nested: { list: ['a', null, 1.5] } },
    table: {
      timestamps: Float64Array.from({ length: rows }, (_, i) => i * DAY_MS),
      columns: {
        close: Float64Array.from({ length: rows }, (_, i) => close + i),
        volume: new Float64Array(rows).fill(Number.NaN),
      },
    },
  };
}

function at(database: Database, day: number) {
  return { database, clock: { now: () => new Date(START + day * DAY_MS) } };
}

const OPTIONS = { migrations: [snapshotMigrations] };

forEachDatabase('reads a snapshot as it was frozen, and stores equal content once', OPTIONS, async ({ database }) => {
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

forEachDatabase('stores an empty and a long series, compressed', OPTIONS, async ({ database }) => {
  const context = at(database, 0);
  const empty = await freeze(context, content(1, 0));
  assert.equal((await readSnapshot(context, empty.id))?.rows, 0);
  const long = await freeze(context, content(1, 50_000));
  assert.deepEqual((await readSnapshot(context, long.id))?.table, content(1, 50_000).table);
  const { rows } = await sql<{ packed: number; size: number }>`
    SELECT octet_length(packed) AS packed, size FROM snapshot WHERE id = ${long.id}`.execute(database.query());
  assert.ok((rows[0]?.packed ?? 0) < 0.3 * (rows[0]?.size ?? 0), `${rows[0]?.packed} of ${rows[0]?.size} bytes`);
});

forEachDatabase('twenty concurrent requests freeze one snapshot', OPTIONS, async ({ database }) => {
  const frozen = await Promise.all(Array.from({ length: 20 }, () => freeze(at(database, 0), content(7))));
  assert.equal(new Set(frozen.map(({ id }) => id)).size, 1);
});

forEachDatabase('removes unused snapshots after a day and keeps used and held ones', OPTIONS, async ({ database }) => {
  const [unused, used, held] = await Promise.all([1, 2, 3].map((close) => freeze(at(database, 0), content(close))));
  assert.ok(unused && used && held);
  await database.transaction(async (tx) => {
    assert.equal(await holdSnapshot(tx, held.id, 'ef_1'), true);
    assert.equal(await holdSnapshot(tx, held.id, 'ef_1'), true, 'a holder can hold a snapshot twice');
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
  'a concurrent hold and removal end with a held snapshot or a refused hold',
  { ...OPTIONS, only: 'postgres' },
  async ({ database }) => {
    for (let round = 0; round < 20; round++) {
      const { id } = await freeze(at(database, 0), content(round));
      const [held] = await Promise.all([
        database.transaction((tx) => holdSnapshot(tx, id, `ef_${round}`)),
        removeUnusedSnapshots(at(database, 2)),
      ]);
      const exists = (await readSnapshot(at(database, 2), id)) !== null;
      assert.equal(exists, held);
    }
  },
);

forEachDatabase('refuses to read a snapshot whose bytes were changed', OPTIONS, async ({ database }) => {
  const context = at(database, 0);
  const { id } = await freeze(context, content(1));
  await sql`UPDATE snapshot SET header = replace(header, 'TEST', 'TOST') WHERE id = ${id}`.execute(database.query());
  await assert.rejects(readSnapshot(context, id), /was changed after it was stored/);
});

forEachDatabase(
  'removes any number of old snapshots, and newer ones above the size limit',
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
    assert.equal(await removeUnusedSnapshots(at(database, 5.1), { maxBytes: 1 }), 3);
    assert.equal(await readSnapshot(at(database, 5.1), kept[0]?.id ?? ''), null);
    assert.ok(await readSnapshot(at(database, 5.1), held.id));
  },
);

test('reads the sole column of a table and refuses any other number of columns', () => {
  const timestamps = Float64Array.of(0);
  const close = Float64Array.of(1);
  assert.equal(soleColumn({ timestamps, columns: { close } }), close);
  assert.throws(() => soleColumn({ timestamps, columns: {} }), /has 0 columns instead of one/);
  assert.throws(() => soleColumn({ timestamps, columns: { close, open: close } }), /has 2 columns instead of one/);
});
