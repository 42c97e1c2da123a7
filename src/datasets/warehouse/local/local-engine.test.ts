import assert from 'node:assert/strict';
import { mkdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { openWarehouseFolder, type WarehouseFolder } from '../../../../test/support/datasets/warehouse-folder.ts';
import type { DuckdbQuery } from '../duckdb/child-messages.ts';
import { createQueryRunner, type QueryRunner } from '../duckdb/query-runner.ts';
import { type FilterValue, MAX_READ_BYTES, type WarehouseQuery } from '../engine.ts';
import { createLocalEngine, type LocalEngine, type LocalEngineOptions } from './local-engine.ts';
import type { LocalTable } from './local-table.ts';

let folder: WarehouseFolder;
let runner: QueryRunner;
let engine: LocalEngine;
/** The queries that were run since a test began. A test can replace how they are run. */
const sent: DuckdbQuery[] = [];
let run: QueryRunner['run'];
const warnings: unknown[] = [];
const log = { warn: (fields: unknown) => void warnings.push(fields) } as LocalEngineOptions['log'];
let now = Date.UTC(2024, 0, 1);
const clock = { now: () => new Date(now) };

before(async () => {
  folder = await openWarehouseFolder();
  const tempFolder = join(folder.root, '.temp');
  mkdirSync(tempFolder);
  runner = createQueryRunner({ tempFolder, log });
  const watched: Pick<QueryRunner, 'run'> = {
    run: (query, signal) => {
      sent.push(query);
      return run(query, signal);
    },
  };
  engine = createLocalEngine({ folder: folder.root, runner: watched, log, clock });
});
beforeEach(() => {
  sent.length = 0;
  run = runner.run;
});
after(async () => {
  await engine.close();
  await runner.close();
  folder[Symbol.dispose]();
});

async function describe(name: string, from = engine): Promise<LocalTable> {
  const table = await from.describe(`local.${name}`);
  assert.ok(table, name);
  return table;
}

interface Wanted extends Partial<Pick<WarehouseQuery, 'from' | 'to' | 'aggregate'>> {
  readonly time: string;
  readonly format?: WarehouseQuery['time']['format'];
  readonly value: string;
  readonly filters?: Readonly<Record<string, readonly FilterValue[]>>;
}

function queryOf(
  table: LocalTable,
  { time, value, filters = {}, format = null, from = null, to = null, aggregate = null }: Wanted,
): WarehouseQuery {
  const columnOf = (name: string) => {
    const column = table.columns.find((known) => known.name === name);
    assert.ok(column, name);
    return column;
  };
  return {
    time: { column: columnOf(time), format },
    value: columnOf(value),
    filters: Object.entries(filters).map(([name, values]) => ({ column: columnOf(name), values })),
    from,
    to,
    aggregate,
    maxRows: 50_000,
  };
}

async function read(name: string, wanted: Wanted, from = engine): Promise<[string, number][]> {
  const table = await describe(name, from);
  const query = queryOf(table, wanted);
  const estimatedBytes = await from.dryRun(table, query, {});
  assert.equal(estimatedBytes, from.estimate(table, query));
  const { times, values } = await from.read(table, query, { estimatedBytes });
  return Array.from(times, (time, i) => [new Date(time / 1000).toISOString().slice(0, 10), values[i] ?? Number.NaN]);
}

test('describes the bundled table and estimates its reads', async () => {
  const alone = createLocalEngine({ folder: null, runner, log, clock });
  const table = await describe('flights', alone);
  const { columns, ranges, files, format, csv, partitions, ...stated } = table;
  assert.deepEqual(stated, {
    name: 'local.flights',
    title: 'flights',
    rows: 3_000_000,
    lastUpdate: null,
    publisher: 'U.S. Bureau of Transportation Statistics, by way of vega-datasets@3.2.1',
    license: {
      name: 'other-open (collected under U.S. DOT regulations; license terms not explicitly specified)',
      url: 'https://www.ecfr.gov/current/title-14/chapter-II/subchapter-A/part-234',
    },
    notes: 'The table has 3,000,000 rows in 1 file.',
  });
  assert.deepEqual(
    columns.map(({ name, kind }) => `${name} ${kind}`),
    ['date datetime', 'delay integer', 'distance integer', 'origin text', 'destination text'],
  );
  assert.deepEqual(ranges.get('date'), { min: Date.UTC(2001, 0, 1, 0, 1), max: Date.UTC(2001, 6, 1) });
  const [file] = files;
  const wanted = { time: 'date', value: 'delay' };
  assert.equal(alone.estimate(table, queryOf(table, wanted)), 4_615_612 + (file?.footerBytes ?? 0));
  const tenDays = { from: Date.UTC(2001, 0, 1), to: Date.UTC(2001, 0, 11) };
  assert.equal(alone.estimate(table, queryOf(table, { ...wanted, ...tenDays })), 421_426 + (file?.footerBytes ?? 0));
  const daily = { function: 'mean', frequency: '1D' } as const;
  const rows = await read('flights', { ...wanted, ...tenDays, aggregate: daily }, alone);
  assert.deepEqual([rows.length, rows[0]?.[0], rows.at(-1)?.[0]], [10, '2001-01-01', '2001-01-10']);
  assert.deepEqual(
    (await alone.list()).map(({ name }) => name),
    ['local.flights'],
  );
  assert.equal(await alone.describe('local.other'), null);
  await alone.close();
});

test('reads Parquet files with partitions, and only those that are left', async () => {
  for (const [day, place] of [
    ['2024-01-01', 'a'],
    ['2024-01-02', 'a'],
    ['2024-01-02', 'b%20c'],
  ] as const) {
    await folder.copy(
      `parts/day=${day}/place=${place}/f.parquet`,
      `SELECT day('${day}'::DATE)::DOUBLE AS v, 'old' AS place`,
    );
  }
  const table = await describe('parts');
  assert.deepEqual(
    table.columns.map(({ name, type }) => `${name} ${type}`),
    ['v DOUBLE', 'day DATE', 'place VARCHAR'],
  );
  assert.deepEqual(await read('parts', { time: 'day', value: 'v', filters: { place: ['a'] } }), [
    ['2024-01-01', 1],
    ['2024-01-02', 2],
  ]);
  assert.deepEqual(await read('parts', { time: 'day', value: 'v', filters: { place: ['b c'] } }), [['2024-01-02', 2]]);
  assert.deepEqual(await read('parts', { time: 'day', value: 'v', filters: { place: ['old'] } }), []);
  sent.length = 0;
  const daily = { function: 'sum', frequency: '1D' } as const;
  await read('parts', { time: 'day', value: 'v', to: Date.UTC(2024, 0, 2), aggregate: daily });
  assert.deepEqual([sent[0]?.files.length, sent[0]?.threads], [1, 1], 'sums of doubles use one thread');
  await read('parts', { time: 'day', value: 'v', filters: { place: ['nowhere'] } });
  assert.equal(sent.length, 1, 'a read without files needs no query');
});

test('reads CSV files in which integers become decimals below the head', async () => {
  const rows = Array.from(
    { length: 15_000 },
    (_, i) => `${new Date(i * 86_400_000).toISOString().slice(0, 10)};${i};7;\n`,
  );
  const last = ['2100-01-01;0.5;7;x\n', '2100-01-02;;7.4;\n', '2100-01-03;3;7;y\n'];
  folder.write('daily_sales.csv', `day;n;code;note\n${rows.join('')}${last.join('')}`);
  const table = await describe('daily_sales');
  assert.deepEqual(
    [table.title, table.rows, table.notes],
    ['daily sales', null, 'The table has 1 file in the format CSV.'],
  );
  assert.deepEqual(
    table.columns.map(({ name, kind }) => `${name} ${kind}`),
    ['day date', 'n integer', 'code integer', 'note text'],
  );
  assert.deepEqual(table.license, { name: 'of the operator', url: null });
  const from = Date.UTC(2100, 0, 1);
  assert.deepEqual(await read('daily_sales', { time: 'day', value: 'n', from }), [
    ['2100-01-01', 0.5],
    ['2100-01-03', 3],
  ]);
  assert.deepEqual(await read('daily_sales', { time: 'day', value: 'n', from, filters: { code: [7] } }), [
    ['2100-01-01', 0.5],
    ['2100-01-03', 3],
  ]);
  const decade = { function: 'count', frequency: '1YE' } as const;
  assert.deepEqual(await read('daily_sales', { time: 'day', value: 'note', from, aggregate: decade }), [
    ['2100-01-01', 2],
  ]);
});

test('a file of the operator takes precedence over the bundled table', async () => {
  folder.write('flights.csv', 'day,n\n2024-01-01,1\n');
  assert.equal((await describe('flights')).format, 'csv');
  rmSync(join(folder.root, 'flights.csv'));
  assert.equal((await describe('flights')).rows, 3_000_000);
});

test('files that disagree are named', async () => {
  await folder.copy('differ/a.parquet', 'SELECT 1 AS x, 2 AS y');
  await folder.copy('differ/b.parquet', 'SELECT 2.5 AS y, 1 AS x');
  await assert.rejects(engine.describe('differ'), {
    code: 'UNPROCESSABLE',
    message: /differ\/b\.parquet.*"y" is DECIMAL\(2,1\), not INTEGER/,
  });
  await folder.copy('differ/b.parquet', 'SELECT 1 AS x');
  await assert.rejects(engine.describe('differ'), { message: /differ\/b\.parquet.*no column "y"/ });
  await folder.copy('differ/b.parquet', 'SELECT 3 AS z, 2 AS y, 1 AS x');
  await assert.rejects(engine.describe('differ'), { message: /differ\/b\.parquet.*"z"/ });
  await folder.copy('differ/b.parquet', 'SELECT 2 AS y, 1 AS x');
  assert.equal((await describe('differ')).rows, 2);
  folder.write('texts/a.csv', 'day,n,m\n2024-01-01,1,\n');
  folder.write('texts/b.csv', 'day,n,m\n2024-01-02,1.5,x\n');
  assert.deepEqual(
    (await describe('texts')).columns.map(({ kind }) => kind),
    ['date', 'number', 'text'],
  );
  folder.write('texts/b.csv', 'day,n,m\n2024-01-02,true,x\n');
  await assert.rejects(engine.describe('texts'), { message: /texts\/b\.csv.*"n" is BOOLEAN, not BIGINT/ });
  folder.write('texts/b.csv', 'n,day,m\n');
  await assert.rejects(engine.describe('texts'), { message: /texts\/b\.csv.*first line differs/ });
});

test('a table that changed after it was described is described again', async () => {
  const wanted = { time: 't', value: 'v' } as const;
  const write = (value: string) => folder.copy('moving.parquet', `SELECT DATE '2024-01-01' AS t, ${value} AS v`);
  await write('1');
  const table = await describe('moving');
  const query = queryOf(table, wanted);
  const estimatedBytes = await engine.dryRun(table, query, {});
  await write('2');
  assert.deepEqual([...(await engine.read(table, query, { estimatedBytes })).values], [2]);
  assert.equal(sent.length, 1, 'the changed file was not read with the old metadata');
  await write("'text'");
  await assert.rejects(engine.read(table, query, { estimatedBytes }), { code: 'UNAVAILABLE', message: /changed/ });
  rmSync(join(folder.root, 'moving.parquet'));
  await assert.rejects(engine.read(table, query, { estimatedBytes }), { code: 'NOT_FOUND' });
});

test('rows of a file that changes during the read are not returned', async () => {
  await folder.copy('during.parquet', `SELECT DATE '2024-01-01' AS t, 1 AS v`);
  run = async () => {
    utimesSync(join(folder.root, 'during.parquet'), sent.length, sent.length);
    return { times: Float64Array.of(0), values: Float64Array.of(sent.length) };
  };
  const table = await describe('during');
  const query = queryOf(table, { time: 't', value: 'v' });
  await assert.rejects(engine.read(table, query, { estimatedBytes: MAX_READ_BYTES }), { code: 'UNAVAILABLE' });
  assert.equal(sent.length, 2);
});

test('lists what can be read, and logs the others once per change', async () => {
  folder.write('broken.parquet', 'not Parquet');
  mkdirSync(join(folder.root, 'nothing'), { recursive: true });
  warnings.length = 0;
  const names = (await engine.list()).map(({ name }) => name);
  assert.ok(names.includes('local.flights') && names.includes('local.parts'), names.join());
  assert.ok(!names.includes('local.broken') && !names.includes('local.nothing'));
  assert.deepEqual(names, names.toSorted());
  const count = () => warnings.filter((fields) => JSON.stringify(fields).includes('broken')).length;
  assert.equal(count(), 1);
  await engine.list();
  assert.equal(count(), 1);
  await folder.copy('broken.parquet', 'SELECT 1 AS a');
  assert.ok((await engine.list()).some(({ name }) => name === 'local.broken'));
  folder.write('broken.parquet', 'broken again');
  await engine.list();
  assert.equal(count(), 2);
});

test('the version changes with the files, after some seconds', async () => {
  const first = await engine.version();
  folder.write('added.csv', 'a\n1\n');
  assert.equal(await engine.version(), first);
  now += 5_000;
  const second = await engine.version();
  assert.notEqual(second, first);
  now += 5_000;
  assert.equal(await engine.version(), second);
  folder.write('parts/day=2024-01-01/place=a/g.parquet', 'x');
  now += 5_000;
  assert.notEqual(await engine.version(), second);
});

test('a folder that does not exist is a fault without its path', async () => {
  const lost = createLocalEngine({ folder: join(folder.root, 'lost'), runner, log, clock });
  await assert.rejects(lost.describe('x'), (error) => error instanceof Error && !error.message.includes(folder.root));
  mkdirSync(join(folder.root, 'lost'));
  assert.equal(await lost.describe('x'), null);
  await lost.close();
});
