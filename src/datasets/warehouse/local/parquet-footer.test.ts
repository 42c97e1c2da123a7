import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { FileMetaData } from 'hyparquet';
import { openWarehouseFolder, type WarehouseFolder } from '../../../../test/support/datasets/warehouse-folder.ts';
import { Fault } from '../../../contract/index.ts';
import type { ColumnKind } from '../engine.ts';
import { summarizeFooter } from './footer-summary.ts';
import { FooterReader } from './parquet-footer.ts';

let folder: WarehouseFolder;
let reader: FooterReader;
before(async () => {
  folder = await openWarehouseFolder();
  reader = new FooterReader();
});
after(async () => {
  await reader.close();
  folder[Symbol.dispose]();
});

/** How many damaged files are read. */
const DAMAGED = Number(process.env.ALMANAC_DAMAGED_FILES ?? 50);
const DAY_MS = 86_400_000;
const JAN_2 = Date.UTC(2024, 0, 2);
const NOON = Date.UTC(2024, 0, 2, 12, 0, 0, 123);

interface TypeCase {
  readonly value: string;
  readonly kind: ColumnKind;
  readonly bounds?: readonly [number | string, number | string];
}

const TYPES: Record<string, TypeCase> = {
  bool: { value: 'true', kind: 'boolean', bounds: [1, 1] },
  i8: { value: '-1::TINYINT', kind: 'integer', bounds: [-1, -1] },
  i16: { value: '1::SMALLINT', kind: 'integer', bounds: [1, 1] },
  i32: { value: '1::INTEGER', kind: 'integer', bounds: [1, 1] },
  i64: { value: '9007199254740993::BIGINT', kind: 'integer', bounds: [2 ** 53, 2 ** 53] },
  huge: { value: '1::HUGEINT', kind: 'number' },
  u8: { value: '255::UTINYINT', kind: 'integer', bounds: [255, 255] },
  u16: { value: '1::USMALLINT', kind: 'integer', bounds: [1, 1] },
  u32: { value: '4294967295::UINTEGER', kind: 'integer', bounds: [2 ** 32 - 1, 2 ** 32 - 1] },
  u64: { value: '18446744073709551615::UBIGINT', kind: 'integer', bounds: [2 ** 64, 2 ** 64] },
  float: { value: '1.5::FLOAT', kind: 'number', bounds: [1.5, 1.5] },
  double: { value: '-1.5::DOUBLE', kind: 'number', bounds: [-1.5, -1.5] },
  dec4: { value: '1.5::DECIMAL(4,1)', kind: 'number', bounds: [1.5, 1.5] },
  dec18: { value: '-2.25::DECIMAL(18,3)', kind: 'number', bounds: [-2.25, -2.25] },
  dec38: { value: '-1.5::DECIMAL(38,10)', kind: 'number', bounds: [-1.5, -1.5] },
  text: { value: "'é'", kind: 'text', bounds: ['Ã©', 'Ã©'] },
  choice: { value: "'a'::ENUM('a', 'b')", kind: 'text', bounds: ['a', 'bÿ'] },
  date: { value: "DATE '2024-01-02'", kind: 'date', bounds: [JAN_2, JAN_2] },
  early: { value: "TIMESTAMP '1969-12-31 23:59:59.999999'", kind: 'datetime', bounds: [-1, 0] },
  micros: { value: "TIMESTAMP '2024-01-02 12:00:00.123456'", kind: 'datetime', bounds: [NOON, NOON + 1] },
  millis: { value: "'2024-01-02 12:00:00.123'::TIMESTAMP_MS", kind: 'datetime', bounds: [NOON, NOON] },
  nanos: { value: "'2024-01-02 12:00:00.123999999'::TIMESTAMP_NS", kind: 'datetime', bounds: [NOON, NOON + 1] },
  zone: { value: "TIMESTAMPTZ '2024-01-02 12:00:00.123Z'", kind: 'timestamp', bounds: [NOON, NOON] },
  time: { value: "TIME '01:02:03'", kind: 'other' },
  timetz: { value: "'01:02:03+01'::TIMETZ", kind: 'other' },
  interval: { value: 'INTERVAL 1 DAY', kind: 'other' },
  uuid: { value: 'uuid()', kind: 'other' },
  blob: { value: "'x'::BLOB", kind: 'other' },
  list: { value: '[1]', kind: 'other' },
  record: { value: "{'a': {'b': 1}, 'c': [2]}", kind: 'other' },
  map: { value: "MAP {'a': 1}", kind: 'other' },
  last: { value: '7::INTEGER', kind: 'integer', bounds: [7, 7] },
};

test('finds the types that DuckDB finds, and the statistics of every kind', async () => {
  const select = Object.entries(TYPES).map(([name, { value }]) => `${value} AS "${name}"`);
  const path = await folder.copy('types.parquet', `SELECT ${select.join(', ')}`);
  const described = await folder.query(`DESCRIBE SELECT * FROM read_parquet('${path}')`);
  const types = new Map(described.map((row) => [row.column_name, row.column_type]));
  const { columns, rows } = await reader.read(folder.file('types.parquet'));
  assert.deepEqual([...rows], [1]);
  assert.deepEqual(
    columns.map(({ name, kind }) => [name, kind]),
    Object.entries(TYPES).map(([name, { kind }]) => [name, kind]),
  );
  for (const { name, kind, type, min, max, nulls, bytes } of columns) {
    if (kind === 'other') {
      assert.equal(bytes.length, 0, name);
      continue;
    }
    assert.equal(type, types.get(name), name);
    const bounds = [min[0], max[0]];
    assert.deepEqual(bounds, TYPES[name]?.bounds ?? [Number.NaN, Number.NaN], name);
    assert.equal(nulls[0], 0, name);
    assert.ok((bytes[0] ?? 0) > 0, name);
  }
});

test('reads JSON as text, because text that is compared with it need not be JSON', async () => {
  await folder.copy('json.parquet', `SELECT '{}'::JSON AS j`);
  const [column] = (await reader.read(folder.file('json.parquet'))).columns;
  assert.deepEqual([column?.kind, column?.type], ['text', 'VARCHAR']);
});

test('has the sizes and NULL counts of DuckDB for every row group', async () => {
  const select = `SELECT CASE WHEN i >= 4096 THEN NULL ELSE i END AS a, 'x' || i AS b, DATE '1970-01-01' + i::INTEGER AS d FROM range(6000) t(i)`;
  const path = await folder.copy('groups.parquet', select, ', ROW_GROUP_SIZE 2048');
  const { columns, rows, footerBytes } = await reader.read(folder.file('groups.parquet'));
  assert.deepEqual([...rows], [2048, 2048, 1904]);
  const stated = await folder.query(
    `SELECT total_compressed_size::DOUBLE AS size FROM parquet_metadata('${path}') ORDER BY column_id, row_group_id`,
  );
  assert.deepEqual(
    columns.flatMap(({ bytes }) => [...bytes]),
    stated.map(({ size }) => size),
  );
  assert.deepEqual([...(columns[0]?.nulls ?? [])], [0, 0, 1904]);
  assert.deepEqual([...(columns[0]?.max ?? [])], [2047, 4095, Number.NaN]);
  assert.deepEqual([...(columns[2]?.min ?? [])], [0, 2048 * DAY_MS, 4096 * DAY_MS]);
  const [metadata] = await folder.query(`SELECT footer_size FROM parquet_file_metadata('${path}')`);
  assert.equal(footerBytes, Number(metadata?.footer_size) + 8);
});

test('columns that DuckDB cannot name are not used', async () => {
  await folder.copy('names.parquet', `SELECT 1 AS "aa", 2 AS "ab", 3 AS "aa_1", 4 AS "b_1", 5 AS "c"`);
  // The writer refuses equal names, so they are made by replacing bytes of the same length.
  const bytes = readFileSync(folder.file('names.parquet').path);
  replaceAll(bytes, 'ab', 'AA');
  replaceAll(bytes, 'b_1', 'b\n1');
  folder.write('same.parquet', bytes);
  const { columns } = await reader.read(folder.file('same.parquet'));
  assert.deepEqual(
    columns.map(({ name, kind }) => `${name} ${kind}`),
    ['aa other', 'AA other', 'aa_1 other', 'b\n1 other', 'c integer'],
  );
});

test('statistics of older writers are used only for types that they ordered correctly', () => {
  const element = (name: string, type: string, converted_type?: string) => ({ name, type, converted_type });
  const columns = [
    [element('signed', 'INT32'), { min: 1, max: 2 }],
    [element('unsigned', 'INT32', 'UINT_32'), { min: 1, max: 2 }],
    [element('text', 'BYTE_ARRAY', 'UTF8'), { min: 'a', max: 'b' }],
    [element('day', 'INT32', 'DATE'), { min: 1, max: 2 }],
    [element('newer', 'INT32'), { min: 1, max: 2, min_value: 0, max_value: 3 }],
    [element('odd', 'DOUBLE'), { min_value: Number.NaN, max_value: Number.POSITIVE_INFINITY }],
  ] as const;
  const chunk = (type: string, statistics: object) => ({ meta_data: { type, statistics, total_compressed_size: 5n } });
  const metadata = {
    schema: [{ name: 'root', num_children: columns.length }, ...columns.map(([schema]) => schema)],
    row_groups: [{ num_rows: 3n, columns: columns.map(([{ type }, statistics]) => chunk(type, statistics)) }],
  } as unknown as FileMetaData;
  const bounds = summarizeFooter(metadata, 1, 100).columns.map(({ name, min, max }) => [name, min[0], max[0]]);
  assert.deepEqual(bounds, [
    ['signed', 1, 2],
    ['unsigned', Number.NaN, Number.NaN],
    ['text', null, null],
    ['day', DAY_MS, 2 * DAY_MS],
    ['newer', 0, 3],
    ['odd', Number.NaN, Number.NaN],
  ]);
});

function replaceAll(bytes: Buffer, one: string, other: string): void {
  for (let at = bytes.indexOf(one); at !== -1; at = bytes.indexOf(one, at + 1)) bytes.write(other, at);
}

const MAGIC = Buffer.from('PAR1');

function withFooter(footer: Uint8Array, length = footer.length): Buffer {
  const tail = Buffer.alloc(4);
  tail.writeUInt32LE(length);
  return Buffer.concat([MAGIC, footer, tail, MAGIC]);
}

const HOSTILE: Record<string, Uint8Array> = {
  empty: Buffer.alloc(0),
  short: MAGIC,
  magic: Buffer.alloc(100, 'x'),
  encrypted: Buffer.concat([Buffer.alloc(50), Buffer.from('PARE')]),
  'no footer': withFooter(Buffer.alloc(0)),
  'long footer': withFooter(Buffer.alloc(10), 1_000),
  'footer beyond the limit': withFooter(Buffer.alloc(10), 0x7fffffff),
  zeros: withFooter(Buffer.alloc(1_000)),
  garbage: withFooter(Buffer.from('not thrift at all, but long enough to be read as one')),
  nesting: withFooter(Buffer.alloc(1_000_000, 0x1c)),
  'nested lists': withFooter(Buffer.concat([Buffer.from([0x29]), Buffer.alloc(1_000_000, 0x19)])),
  'long number': withFooter(Buffer.concat([Buffer.from([0x16]), Buffer.alloc(1_000_000, 0xff)])),
  'long list': withFooter(Buffer.from([0x29, 0xfc, 0xff, 0xff, 0xff, 0xff, 0x07, 0x00])),
  'many values': withFooter(
    Buffer.concat([Buffer.from([0x29, 0xfc, 0xff, 0xff, 0xff, 0x02]), Buffer.alloc(6_500_000)]),
  ),
  'unknown field': withFooter(Buffer.from([0x06, 0xff, 0x01, 0x00, 0x00])),
};

for (const [name, bytes] of Object.entries(HOSTILE)) {
  test(`refuses a file with ${name}`, async () => {
    folder.write('hostile/a.parquet', bytes);
    await assert.rejects(reader.read(folder.file('hostile/a.parquet')), {
      name: 'Fault',
      code: 'UNPROCESSABLE',
      message: /"hostile\/a\.parquet"/,
    });
  });
}

test('refuses more than 10,000 columns', async () => {
  // A schema whose root has 10,001 children, no rows and no row groups.
  const root = [0x48, 1, 0x73, 0x15, 0xa2, 0x9c, 0x01, 0];
  folder.write('wide.parquet', withFooter(Buffer.from([0x15, 2, 0x19, 0x1c, ...root, 0x16, 0, 0x19, 0x0c, 0])));
  await assert.rejects(reader.read(folder.file('wide.parquet')), { code: 'UNPROCESSABLE', message: /10,000 columns/ });
});

test('damaged footers are refused or summarized, and never end the process', async () => {
  const path = await folder.copy(
    'whole.parquet',
    `SELECT i, i / 3 AS x, 'text ' || i AS s, DATE '2024-01-01' + i::INTEGER AS d, [i] AS l, {'a': i} AS r FROM range(5000) t(i)`,
    ', ROW_GROUP_SIZE 2048',
  );
  const whole = readFileSync(path);
  const start = whole.length - 8 - whole.readUInt32LE(whole.length - 8);
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  let refused = 0;
  for (let round = 0; round < DAMAGED; round++) {
    const bytes = Buffer.from(whole);
    for (let change = 0; change <= random(4); change++) bytes[start + random(bytes.length - start)] = random(256);
    folder.write('damaged.parquet', round % 10 === 0 ? bytes.subarray(0, random(bytes.length)) : bytes);
    try {
      const { columns, rows } = await reader.read(folder.file('damaged.parquet'));
      for (const { kind, bytes: sizes } of columns) assert.equal(sizes.length, kind === 'other' ? 0 : rows.length);
    } catch (error) {
      assert.ok(error instanceof Fault && error.code === 'UNPROCESSABLE', String(error));
      refused++;
    }
  }
  assert.ok(refused > DAMAGED / 6 && refused < DAMAGED, `${refused} refused`);
});

const scriptOf = (source: string): URL =>
  new URL(`data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads'; ${source}`)}`);

test('ends a thread that takes too long, and reads the next file in another one', async () => {
  const script = scriptOf(`parentPort.on('message', ({ id, path }) => {
    if (path.endsWith('slow.parquet')) for (;;);
    parentPort.postMessage({ id, summary: { footerBytes: 1, rows: new Float64Array(), columns: [] } });
  });`);
  const own = new FooterReader({ script, timeoutMs: 150 });
  folder.write('slow.parquet', '');
  folder.write('quick.parquet', '');
  const quick = folder.file('quick.parquet');
  await assert.rejects(own.read(folder.file('slow.parquet')), { code: 'UNPROCESSABLE', message: /took too long/ });
  // A busy machine can take longer to start the thread.
  let read = await own.read(quick).catch(() => null);
  while (read === null) read = await own.read(quick).catch(() => null);
  assert.equal(read.footerBytes, 1);
  await own.close();
});

test('a thread that dies fails one file', async () => {
  const script = scriptOf(`parentPort.on('message', ({ id, path }) => {
    if (path.endsWith('dead.parquet')) process.exit(1);
    parentPort.postMessage({ id, summary: { footerBytes: 1, rows: new Float64Array(), columns: [] } });
  });`);
  const own = new FooterReader({ script });
  folder.write('dead.parquet', '');
  folder.write('quick.parquet', '');
  await assert.rejects(own.read(folder.file('dead.parquet')), { code: 'UNPROCESSABLE' });
  assert.equal((await own.read(folder.file('quick.parquet'))).footerBytes, 1);
  await own.close();
});

test('shares concurrent reads, keeps summaries until a file changes, and keeps no more than the limit', async () => {
  const script = scriptOf(`let reads = 0; parentPort.on('message', ({ id }) => {
    const column = { name: 'a', kind: 'integer', type: 'BIGINT', bytes: new Float64Array(98) };
    parentPort.postMessage({ id, summary: { footerBytes: ++reads, rows: new Float64Array(98), columns: [column] } });
  });`);
  const own = new FooterReader({ script, maxChunks: 250 });
  const countReads = async (name: string) => (await own.read(folder.file(name))).footerBytes;
  for (const name of ['one', 'two', 'three']) folder.write(`${name}.parquet`, name);
  assert.deepEqual(await Promise.all([countReads('one.parquet'), countReads('one.parquet')]), [1, 1]);
  assert.equal(await countReads('two.parquet'), 2);
  assert.equal(await countReads('one.parquet'), 1);
  assert.equal(await countReads('three.parquet'), 3, 'which evicts two');
  assert.equal(await countReads('one.parquet'), 1);
  assert.equal(await countReads('two.parquet'), 4);
  folder.write('two.parquet', 'changed');
  assert.equal(await countReads('two.parquet'), 5);
  await own.close();
});

test('a file that was replaced after it was found is not read', async () => {
  await folder.copy('replaced.parquet', 'SELECT 1 AS a');
  const file = folder.file('replaced.parquet');
  await folder.copy('replaced.parquet', 'SELECT 1 AS a, 2 AS b');
  await assert.rejects(reader.read(file), { code: 'UNAVAILABLE', message: /changed/ });
});
