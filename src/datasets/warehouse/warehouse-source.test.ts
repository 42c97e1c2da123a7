import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type BigqueryScene, createBigqueryScene } from '../../../test/support/datasets/bigquery-scene.ts';
import type { ServedTable } from '../../../test/support/datasets/bigquery-server.ts';
import { openWarehouseFolder, type WarehouseFolder } from '../../../test/support/datasets/warehouse-folder.ts';
import { checkSeriesSource } from '../../../test/support/snapshots/series-source-contract.ts';
import { AGGREGATE_FUNCTIONS, type WarehouseReference } from '../../contract/index.ts';
import { createLog, systemClock } from '../../platform/index.ts';
import { createQueryRunner, type QueryRunner } from './duckdb/query-runner.ts';
import { createLocalEngine, type LocalEngine } from './local/local-engine.ts';
import { createWarehouseSource, type WarehouseSourceOptions } from './warehouse-source.ts';

const log = createLog('silent');
const tempFolder = mkdtempSync(join(tmpdir(), 'almanac-warehouse-source-'));
let folder: WarehouseFolder;
let runner: QueryRunner;
let local: LocalEngine;
let scene: BigqueryScene;

const OSLO: ServedTable = {
  dataset: 'weather',
  table: 'oslo',
  fields: [
    { name: 'day', type: 'DATE' },
    { name: 'station', type: 'STRING' },
    { name: 'temperature', type: 'FLOAT' },
    { name: 'frosts', type: 'INTEGER' },
  ],
  rows: Array.from({ length: 40 }, (_, day) => [isoDay(day), 'Oslo', day / 4, day % 5]),
};
/** Days with a value, without one and with NaN. The last day has only rows without a value. */
const GAPS: ServedTable = {
  dataset: 'weather',
  table: 'gaps',
  fields: OSLO.fields.filter(({ name }) => name === 'day' || name === 'temperature'),
  rows: [
    ...[1, 'NaN', null, 2].map((value) => [isoDay(0), value]),
    ...['NaN', 5].map((value) => [isoDay(1), value]),
    ...[-3].map((value) => [isoDay(2), value]),
    ...['NaN', null].map((value) => [isoDay(3), value]),
  ],
};

before(async () => {
  [folder, scene] = await Promise.all([openWarehouseFolder(), createBigqueryScene({ tables: [OSLO, GAPS] })]);
  runner = createQueryRunner({ tempFolder, log });
  local = createLocalEngine({ folder: folder.root, runner, log, clock: systemClock });
  // Every value is missing on other days, and together they cover all days.
  await folder.copy(
    'days.parquet',
    `SELECT DATE '2023-12-25' + CAST(i AS INTEGER) AS day, CASE WHEN i % 7 <> 3 THEN i * 1.5 END AS level,
       CASE WHEN i % 7 <> 5 THEN i END AS count FROM range(60) t(i)`,
  );
  await folder.copy(
    'events.parquet',
    `SELECT TIMESTAMP '2024-03-01' + INTERVAL 7 MINUTE * i AS at, i % 11 AS size, chr(CAST(65 + i % 3 AS INTEGER)) AS kind
     FROM range(9000) t(i)`,
    ', ROW_GROUP_SIZE 2048',
  );
  folder.write(
    'readings.csv',
    ['time;sensor;value', ...Array.from({ length: 200 }, (_, i) => `${isoHour(i >> 1)};${'ab'[i % 2]};${i / 8}`)].join(
      '\n',
    ),
  );
  for (const year of [2018, 2019, 2020, 2021, 2022]) {
    await folder.copy(`yearly/year=${year}/part.parquet`, `SELECT 'x' AS region, ${year} * 2 AS total`);
  }
});
after(async () => {
  await runner.close();
  await local.close();
  await scene[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
  rmSync(tempFolder, { recursive: true });
});

function isoDay(day: number): string {
  return new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10);
}

function isoHour(hour: number): string {
  return new Date(Date.UTC(2024, 4, 1, hour)).toISOString();
}

const reference = (table: string, fields: Omit<WarehouseReference, 'type' | 'table'>): WarehouseReference => ({
  type: 'warehouse_table',
  table,
  ...fields,
});

const KNOWN = [
  reference('local.days', { time_field: 'day', value_field: 'level' }),
  reference('local.events', {
    time_field: 'at',
    value_field: 'size',
    filters: [{ field: 'kind', values: ['C', 'A'] }],
    aggregate: { function: 'mean', frequency: '1D' },
  }),
  reference('local.readings', {
    time_field: 'time',
    value_field: 'value',
    filters: [{ field: 'sensor', values: ['b'] }],
    start: '2024-05-01T12:00:00+02:00',
  }),
  reference('local.yearly', { time_field: 'year', time_format: 'year', value_field: 'total' }),
];

const sourceAt = (options: Partial<WarehouseSourceOptions> = {}) =>
  createWarehouseSource({ clock: systemClock, local, bigquery: null, areGuestsAllowed: true, ...options });

// One query runs and two wait, and the suite reads all references at the same time.
checkSeriesSource('local warehouse tables', async () => ({
  source: sourceAt(),
  known: KNOWN.slice(0, 3),
  unknown: [reference('local.nothing', { time_field: 'day', value_field: 'level' })],
  at: (now) => sourceAt({ clock: { now: () => now } }),
  hasMetadataOnly: true,
}));

checkSeriesSource('partitioned warehouse tables', async () => ({
  source: sourceAt(),
  known: KNOWN.slice(3),
  unknown: [reference('local.region', { time_field: 'year', time_format: 'year', value_field: 'total' })],
  at: (now) => sourceAt({ clock: { now: () => now } }),
  hasMetadataOnly: true,
}));

const PUBLIC = 'bigquery-public-data.weather.oslo';

const publicTables = () => ({ engine: scene.engine, described: { list: async () => [], version: async () => '' } });

checkSeriesSource('public warehouse tables', async () => {
  const bigquery = publicTables();
  return {
    source: sourceAt({ bigquery }),
    known: [
      reference(PUBLIC, { time_field: 'day', value_field: 'temperature' }),
      reference(PUBLIC, {
        time_field: 'day',
        value_field: 'frosts',
        aggregate: { function: 'sum', frequency: '1W-MON' },
      }),
    ],
    unknown: [reference('bigquery-public-data.weather.nothing', { time_field: 'day', value_field: 'x' })],
    at: (now) => sourceAt({ bigquery, clock: { now: () => now } }),
    hasMetadataOnly: true,
  };
});

test('reads rows before a cutoff that lie below more rows than one read has', async () => {
  await folder.copy(
    'minutes.parquet',
    `SELECT TIMESTAMP '2024-01-01' + INTERVAL 1 MINUTE * i AS at, i AS n FROM range(53000) t(i)`,
  );
  const minutes = reference('local.minutes', { time_field: 'at', value_field: 'n' });
  const all = await sourceAt().read(minutes, {});
  assert.deepEqual([all.table.timestamps.length, all.hasOlder], [50_000, true]);
  assert.equal(all.table.columns.n?.at(-1), 52_999);
  const cutoff = Date.UTC(2024, 0, 1, 0, 2);
  const early = await sourceAt().read(minutes, { cutoff });
  assert.deepEqual([...(early.table.columns.n ?? [])], [0, 1], 'two rows, whose frequency is known from the others');
  assert.deepEqual([early.cadence.frequency, early.hasOlder], ['1min', false]);
  const days = await sourceAt().readDaysBefore?.(minutes, { days: 36, limit: 2 });
  assert.deepEqual([...(days?.table.columns.n ?? [])], [1158, 1159]);
});

test('reads the oldest rows if only they have a value', async () => {
  await folder.copy(
    'sparse.parquet',
    `SELECT TIMESTAMP '2024-01-01' + INTERVAL 1 MINUTE * i AS at, CASE WHEN i < 100 THEN i END AS n,
       CASE WHEN i < 100 THEN i ELSE 'NaN'::DOUBLE END AS x FROM range(60000) t(i)`,
  );
  for (const value of ['n', 'x']) {
    const { table, hasOlder } = await sourceAt().read(
      reference('local.sparse', { time_field: 'at', value_field: value }),
      {},
    );
    assert.deepEqual(
      [...(table.columns[value] ?? [])],
      Array.from({ length: 100 }, (_, i) => i),
    );
    assert.deepEqual(
      [new Date(table.timestamps[99] ?? 0).toISOString(), hasOlder],
      ['2024-01-01T01:39:00.000Z', false],
    );
  }
});

const COMBINED: Record<(typeof AGGREGATE_FUNCTIONS)[number], readonly number[]> = {
  sum: [3, 5, -3],
  mean: [1.5, 5, -3],
  count: [2, 1, 1],
  last: [2, 5, -3],
};

test('rows without a value and with NaN are left out of every function, and periods with only such rows too', async () => {
  const rows = GAPS.rows.map(([day, value]) => `(DATE '${day}', ${value === null ? 'NULL' : `'${value}'`}::TYPE)`);
  for (const type of ['DOUBLE', 'FLOAT']) {
    const values = rows.join().replaceAll('TYPE', type);
    await folder.copy(`gaps_${type.toLowerCase()}.parquet`, `SELECT * FROM (VALUES ${values}) t(day, temperature)`);
  }
  const source = sourceAt({ bigquery: publicTables() });
  for (const table of ['local.gaps_double', 'local.gaps_float', 'bigquery-public-data.weather.gaps']) {
    for (const name of AGGREGATE_FUNCTIONS) {
      const gaps = reference(table, {
        time_field: 'day',
        value_field: 'temperature',
        aggregate: { function: name, frequency: '1D' },
      });
      const { timestamps, columns } = (await source.read(gaps, {})).table;
      assert.deepEqual([...(columns.temperature ?? [])], COMBINED[name], `${name} of ${table}`);
      assert.deepEqual(
        [...timestamps],
        [0, 1, 2].map((day) => Date.parse(isoDay(day))),
        `${name} of ${table}`,
      );
    }
  }
});

test('refuses a read over the limit before anything is read', async () => {
  const calls: string[] = [];
  const engine = {
    ...local,
    dryRun: async () => 104_857_601,
    read: async () => {
      calls.push('read');
      throw new Error('The read was not refused.');
    },
  };
  await assert.rejects(sourceAt({ local: engine }).read(KNOWN[0] as WarehouseReference, {}), {
    code: 'UNPROCESSABLE',
    message: /^source: this read would take 104,857,601 bytes, and at most 104,857,600 are allowed\. Narrow it with/,
  });
  assert.deepEqual(calls, []);
});
