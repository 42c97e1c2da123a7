import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createBigqueryScene } from '../../../test/support/datasets/bigquery-scene.ts';
import { openWarehouseFolder } from '../../../test/support/datasets/warehouse-folder.ts';
import { checkSeriesSource } from '../../../test/support/snapshots/series-source-contract.ts';
import type { WarehouseReference } from '../../contract/index.ts';
import { createLog, systemClock } from '../../platform/index.ts';
import { createQueryRunner } from './duckdb/query-runner.ts';
import { createLocalEngine } from './local/local-engine.ts';
import { createWarehouseSource, type WarehouseSourceOptions } from './warehouse-source.ts';

const folder = await openWarehouseFolder();
const tempFolder = mkdtempSync(join(tmpdir(), 'almanac-warehouse-source-'));
const log = createLog('silent');
const runner = createQueryRunner({ tempFolder, log });
const local = createLocalEngine({ folder: folder.root, runner, log, clock: systemClock });
const scene = await createBigqueryScene({
  tables: [
    {
      dataset: 'weather',
      table: 'oslo',
      fields: [
        { name: 'day', type: 'DATE' },
        { name: 'station', type: 'STRING' },
        { name: 'temperature', type: 'FLOAT' },
        { name: 'frosts', type: 'INTEGER' },
      ],
      rows: Array.from({ length: 40 }, (_, day) => [isoDay(day), 'Oslo', day / 4, day % 5]),
    },
  ],
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
}));

checkSeriesSource('partitioned warehouse tables', async () => ({
  source: sourceAt(),
  known: KNOWN.slice(3),
  unknown: [reference('local.region', { time_field: 'year', time_format: 'year', value_field: 'total' })],
  at: (now) => sourceAt({ clock: { now: () => now } }),
}));

const PUBLIC = 'bigquery-public-data.weather.oslo';

checkSeriesSource('public warehouse tables', async () => {
  const bigquery = {
    engine: scene.engine,
    described: { list: async () => [], version: async () => '' },
  };
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
