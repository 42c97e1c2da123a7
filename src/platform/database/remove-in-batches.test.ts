import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { openTelemetry } from '../../../test/support/platform/telemetry.ts';
import type { Database } from './database.ts';
import { openDatabase } from './open-database.ts';
import { oldRows, type RemovedKind, removeInBatches } from './remove-in-batches.ts';

const NOW = new Date('2026-11-05T12:00:00Z');
const never = new AbortController().signal;

/** Makes a table with rows that are up to `rows` minutes older than ten days, and one that is younger. */
async function makeRows(database: Database, table: string, rows: number): Promise<void> {
  await sql`CREATE TABLE ${sql.table(table)} (id int PRIMARY KEY, at timestamptz NOT NULL)`.execute(database.query());
  await sql`CREATE INDEX ${sql.id(`${table}_by_age`)} ON ${sql.table(table)} (at)`.execute(database.query());
  await sql`
    INSERT INTO ${sql.table(table)} SELECT n, ${NOW}::timestamptz - interval '10 days' - n * interval '1 minute'
    FROM generate_series(1, ${rows}::int) AS n UNION ALL SELECT 0, ${NOW}::timestamptz - interval '10 days'`.execute(
    database.query(),
  );
}

async function idsIn(database: Database, table: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`SELECT id FROM ${sql.table(table)} ORDER BY id`.execute(database.query());
  return rows.map(({ id }) => id);
}

const removalOf = (table: string, kind: RemovedKind, days: number | null = 10) =>
  oldRows({ kind, table, column: 'at', days, now: NOW });

/** Returns the database, which records how many rows of each table are left after each transaction. */
function recording(database: Database, tables: readonly string[], left: number[][]): Pick<Database, 'transaction'> {
  return {
    async transaction(work) {
      const result = await database.transaction(work);
      left.push(await Promise.all(tables.map(async (table) => (await idsIn(database, table)).length)));
      return result;
    },
  };
}

forEachDatabase('removes the oldest rows first, in batches in which kinds take turns', {}, async ({ database }) => {
  await makeRows(database, 'mails', 450);
  await makeRows(database, 'deliveries', 200);
  const left: number[][] = [];
  const context = { database: recording(database, ['mails', 'deliveries'], left), signal: never };
  await using telemetry = await openTelemetry({ ALMANAC_METRICS: '127.0.0.1:0' });
  const removed = await removeInBatches(context, [
    ...removalOf('mails', 'mails'),
    ...removalOf('deliveries', 'deliveries'),
  ]);
  assert.deepEqual(removed, { mails: 450, deliveries: 200 });
  assert.deepEqual(left, [
    [251, 201],
    [251, 1],
    [51, 1],
    [51, 1],
    [1, 1],
  ]);
  assert.deepEqual([await idsIn(database, 'mails'), await idsIn(database, 'deliveries')], [[0], [0]]);
  const text = await telemetry.pageText();
  assert.match(text, /^almanac_old_rows_removed_total\{kind="mails"\} 450$/m);
  assert.match(text, /^almanac_old_rows_removed_total\{kind="deliveries"\} 200$/m);
});

forEachDatabase('ends after the batch that runs, and the next run continues', {}, async ({ database }) => {
  await makeRows(database, 'mails', 450);
  const stopping = new AbortController();
  const until = {
    transaction: async (work: Parameters<Database['transaction']>[0]) => {
      stopping.abort();
      return database.transaction(work);
    },
  } as Pick<Database, 'transaction'>;
  const removal = removalOf('mails', 'mails');
  assert.deepEqual(await removeInBatches({ database: until, signal: stopping.signal }, removal), { mails: 200 });
  const left = await idsIn(database, 'mails');
  assert.deepEqual([left.length, left.at(-1)], [251, 250], 'the oldest are gone');
  assert.deepEqual(await removeInBatches({ database, signal: stopping.signal }, removal), {});
  assert.deepEqual(await removeInBatches({ database, signal: never }, removalOf('mails', 'mails', null)), {});
  assert.deepEqual(await removeInBatches({ database, signal: never }, removal), { mails: 250 });
});

forEachDatabase(
  'two workers remove each row once, and wait for no row that is locked',
  { only: 'postgres' },
  async ({ database, location, cleanup }) => {
    await makeRows(database, 'mails', 1_500);
    const other = await openDatabase(location);
    cleanup(() => other.close());
    await other.transaction(async (tx) => {
      await sql`SELECT FROM mails WHERE id = 1500 FOR UPDATE`.execute(tx.query());
      const removal = removalOf('mails', 'mails');
      const counts = await Promise.all([
        removeInBatches({ database, signal: never }, removal),
        removeInBatches({ database, signal: never }, removal),
      ]);
      const total = counts.reduce((sum, { mails = 0 }) => sum + mails, 0);
      assert.deepEqual(await idsIn(database, 'mails'), [0, 1_500]);
      assert.equal(total, 1_499);
    });
    assert.deepEqual(await removeInBatches({ database, signal: never }, removalOf('mails', 'mails')), { mails: 1 });
  },
);
