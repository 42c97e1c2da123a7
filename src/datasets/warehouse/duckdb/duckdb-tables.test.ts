import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { type DuckdbDatabase, openDuckdb } from '../../../../test/support/datasets/duckdb-database.ts';
import type { ColumnKind, WarehouseColumn } from '../engine.ts';
import { quoteText } from './duckdb-dialect.ts';
import { csvTable, parquetTable } from './duckdb-tables.ts';

const folder = mkdtempSync(join(tmpdir(), 'almanac-duckdb-tables-'));
let duckdb: DuckdbDatabase;
before(async () => {
  duckdb = await openDuckdb();
});
after(() => {
  duckdb.close();
  rmSync(folder, { recursive: true, force: true });
});

function writeText(name: string, text: string): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const column = (name: string, kind: ColumnKind): WarehouseColumn => ({ name, kind, type: kind.toUpperCase() });
const select = (table: string) => duckdb.query(`SELECT * FROM ${table}`);

/** Returns the one converted cell of a CSV file. */
async function readCell(cell: string, kind: ColumnKind): Promise<unknown> {
  const file = writeText('cell.csv', `x,y\n${cell},\n`);
  const table = csvTable([file], { delimiter: ',', header: ['x', 'y'], columns: [column('x', kind)] });
  const rows = await select(table);
  assert.equal(rows.length, 1);
  return rows[0]?.[0];
}

test('a cell is converted to the kind of its column, and an empty one is NULL', async () => {
  const instant = new Date('2024-01-05T10:00:00Z');
  for (const [cell, kind, expected] of [
    ['007', 'text', '007'],
    ['"a ""b"", c"', 'text', 'a "b", c'],
    [' -12 ', 'integer', -12n],
    ['1.5e3', 'number', 1500],
    ['NaN', 'number', Number.NaN],
    ['true', 'boolean', true],
    ['2024-02-29', 'date', new Date('2024-02-29')],
    ['2024-01-05 10:00:00', 'datetime', instant],
    ['2024-01-05T12:00:00+02:00', 'datetime', instant],
    ['2024-01-05T12:00:00+02:00', 'timestamp', instant],
    ['2024-01-05 10:00:00', 'timestamp', instant],
  ] as const) {
    const read = await readCell(cell, kind);
    assert.deepEqual(typeof expected === 'bigint' ? BigInt(read as number) : read, expected, `${cell} as ${kind}`);
    assert.equal(await readCell('', kind), null);
    assert.equal(await readCell('""', kind), null);
  }
});

test('a cell that would change silently is an error that contains it', async () => {
  for (const [cell, kind] of [
    ['1.5', 'integer'],
    ['1e3', 'integer'],
    ['0x1F', 'integer'],
    ['abc', 'number'],
    ['2024-01-05 10:00:00', 'date'],
    ['epoch', 'date'],
    ['2024-02-30', 'date'],
    ['yesterday', 'datetime'],
    ['maybe', 'boolean'],
  ] as const) {
    await assert.rejects(readCell(cell, kind), (error: Error) => error.message.includes(cell), `${cell} as ${kind}`);
  }
});

test('columns of a CSV file are found by their place in the header', async () => {
  const file = writeText('names.csv', 'Date;date;a"b;"x y"\n1;2;3;"4\n5"\n');
  const table = csvTable([file], {
    delimiter: ';',
    header: ['Date', 'date', 'a"b', 'x y'],
    columns: [column('date', 'integer'), column('a"b', 'integer'), column('x y', 'text')],
  });
  assert.deepEqual(await duckdb.query(`SELECT "x y", "a""b", "date" FROM ${table}`), [['4\n5', 3n, 2n]]);
  assert.throws(() => csvTable([file], { delimiter: ';', header: ['Date'], columns: [column('other', 'text')] }));
});

test('a line with another number of cells is an error', async () => {
  for (const text of ['x,y\n1,2\n3\n', 'x,y\n1,2\n3,4,5\n', 'x,y\n1,2\n"3,4\n']) {
    const file = writeText('lines.csv', text);
    const table = csvTable([file], { delimiter: ',', header: ['x', 'y'], columns: [column('x', 'text')] });
    await assert.rejects(select(table), /CSV Error/, text);
  }
});

test('a path is never a pattern', async () => {
  const names = ['a*.csv', 'ab.csv', 'a?.csv', 'a[b].csv', 'a[!b].csv', "it's.csv", 'a\\b.csv'];
  const files = names.map((name) => writeText(`paths/${name}`, `x\n${name}\n`));
  const table = csvTable(files, { delimiter: ',', header: ['x'], columns: [column('x', 'text')] });
  assert.deepEqual((await select(table)).flat().sort(), names.sort());
});

test('the names of folders give columns with the declared types, and only if the table has partitions', async () => {
  const files = ['year=2023/kind=7', 'year=2024/kind=a%20b'].map((name) => {
    const file = writeText(`env=test/${name}/part.parquet`, '');
    return file;
  });
  for (const file of files) await duckdb.query(`COPY (SELECT 1 AS v) TO ${quoteText(file)}`);
  const hive = [column('year', 'integer'), column('kind', 'text')];
  const parquet = await duckdb.query(`SELECT year, kind, v FROM ${parquetTable(files, hive)} ORDER BY year`);
  assert.deepEqual(
    parquet.map((row) => row.map(String)),
    [
      ['2023', '7', '1'],
      ['2024', 'a b', '1'],
    ],
  );
  assert.deepEqual(await duckdb.query(`SELECT typeof(year), typeof(kind) FROM ${parquetTable(files, hive)} LIMIT 1`), [
    ['BIGINT', 'VARCHAR'],
  ]);
  assert.deepEqual(await select(parquetTable(files)), [[1], [1]]);
  const csv = writeText('year=2022/part.csv', 'x\n5\n');
  const options = { delimiter: ',', header: ['x'], columns: [column('x', 'integer')] };
  assert.deepEqual(
    (await select(csvTable([csv], { ...options, hive: [column('year', 'integer')] }))).flat().map(String),
    ['5', '2022'],
  );
  assert.equal((await select(csvTable([csv], options)))[0]?.length, 1);
  for (const name of ['kind=a?b', 'kind=a\\b']) {
    const file = join(folder, name, 'part.parquet');
    assert.throws(() => parquetTable([file], [column('kind', 'text')]), { code: 'UNPROCESSABLE' });
  }
});
