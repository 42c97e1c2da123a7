// Measures what it costs to store and to read a snapshot whose bytes are in an S3-compatible storage, beside one whose
// bytes are in the database:
//
//   npm run -s bench:objects                             # embedded database
//   scripts/with-postgres.sh npm run -s bench:objects    # PostgreSQL
//
// The storage is s3rver behind a proxy, in another process on this machine, so there is no network: add the time of a
// request to the storage that you use. CPU times are those of the process that stores and reads. Run it on an idle machine.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { objectMigrations, openS3Storage, systemClock } from '../../src/platform/index.ts';
import { freeze, readSnapshot, type SnapshotContent, snapshotMigrations } from '../../src/snapshots/index.ts';
import { openTestDatabase, testedKind } from '../../test/support/platform/database.ts';
import { createSeededRandom } from '../../test/support/platform/seeded-random.ts';
import { loadTestConfig } from '../../test/support/platform/test-config.ts';
import { median, percentile } from '../api/statistics.ts';
import { formatTable } from '../format-table.ts';

const COUNT = 200;
const WARM_UP = 20;

console.log(`${process.arch}, ${availableParallelism()} cores, Node ${process.versions.node}, ${testedKind}`);
const child = fork(new URL('./server.ts', import.meta.url));
const [environment] = (await once(child, 'message')) as [Record<string, string>];
const { objectStorage } = loadTestConfig(environment);
if (objectStorage === null) throw new Error('The storage has no settings.');
const storage = openS3Storage(objectStorage, { log: { warn: console.error } });
await using fixture = await openTestDatabase(testedKind, { migrations: [objectMigrations, snapshotMigrations] });
const rows = [['snapshot', 'bytes in', 'store p50 ms', 'p95', 'CPU ms', 'read p50 ms', 'p95', 'CPU ms']];
for (const [name, length, columns] of [
  ['900 hourly values', 900, 1],
  ['50,000 bars', 50_000, 5],
] as const) {
  const count = length > 10_000 ? COUNT / 10 : COUNT;
  for (const objects of [null, storage]) {
    const context = { database: { ...fixture.database, objects }, clock: systemClock };
    const contents = Array.from({ length: count + WARM_UP }, (_, seed) =>
      makeContent(seed, length, columns, objects !== null),
    );
    const ids: string[] = [];
    const stored = await measure(contents, async (content) => void ids.push((await freeze(context, content)).id));
    const read = await measure(ids, (id) => readSnapshot(context, id));
    rows.push([name, objects === null ? 'the database' : 'objects', ...stored, ...read]);
  }
}
console.log(formatTable(rows));
child.disconnect();

/** Prices as those of an index, of which no two snapshots are equal. */
function makeContent(seed: number, length: number, columns: number, isOther: boolean): SnapshotContent {
  const random = createSeededRandom(seed + 1);
  let price = 100;
  const nextPrice = () => {
    price += random() - 0.5;
    return Math.round(price * 100) / 100;
  };
  const walk = () => Float64Array.from({ length }, () => nextPrice());
  return {
    about: { seed, isOther },
    table: {
      timestamps: Float64Array.from({ length }, (_, i) => i * 3_600_000),
      columns: Object.fromEntries(Array.from({ length: columns }, (_, i) => [`column ${i}`, walk()])),
    },
  };
}

async function measure<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<string[]> {
  for (const item of items.slice(0, WARM_UP)) await work(item);
  const times: number[] = [];
  const before = process.cpuUsage();
  for (const item of items.slice(WARM_UP)) {
    const began = performance.now();
    await work(item);
    times.push(performance.now() - began);
  }
  const { user, system } = process.cpuUsage(before);
  const cpuMs = (user + system) / 1_000 / times.length;
  return [median(times), percentile(Float64Array.from(times).sort(), 0.95), cpuMs].map((value) => value.toFixed(2));
}
