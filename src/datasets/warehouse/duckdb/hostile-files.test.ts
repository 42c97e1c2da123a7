import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openDuckdb } from '../../../../test/support/datasets/duckdb-database.ts';
import { createSeededRandom } from '../../../../test/support/platform/seeded-random.ts';
import { Fault } from '../../../contract/index.ts';
import type { RawRows } from '../engine.ts';
import { quoteText } from './duckdb-dialect.ts';
import { csvTable, parquetTable } from './duckdb-tables.ts';
import { createQueryRunner, type QueryRunnerOptions } from './query-runner.ts';

const folder = mkdtempSync(join(tmpdir(), 'almanac-hostile-files-'));
const tempFolder = join(folder, 'temp');
const log = { warn: () => undefined } as unknown as QueryRunnerOptions['log'];
const runner = createQueryRunner({ tempFolder, log });
after(async () => {
  await runner.close();
  rmSync(folder, { recursive: true, force: true });
});

/** How many changed files are read. */
const CHANGED = Number(process.env.ALMANAC_DAMAGED_FILES ?? 6);
const random = createSeededRandom(5);
const randomBytes = (length: number) => Uint8Array.from({ length }, () => random() * 256);
const column = (name: string, kind: 'text' | 'number') => ({ name, kind, type: kind });

const good = join(folder, 'good.parquet');
const wide = join(folder, 'wide.parquet');
/** The place of the first page of the text column. */
let textOffset: number;
before(async () => {
  const duckdb = await openDuckdb();
  await duckdb.query(`COPY (SELECT r AS t, r / 2 AS v, 'x' AS s FROM range(3000) x(r)) TO ${quoteText(good)}`);
  const [[offset] = []] = await duckdb.query(
    `SELECT coalesce(dictionary_page_offset, data_page_offset) FROM parquet_metadata(${quoteText(good)}) WHERE path_in_schema = 's'`,
  );
  textOffset = Number(offset);
  const columns = Array.from({ length: 10_000 }, (_, i) => `0 AS c${i}`);
  // Without rows it is written in a fifth of the time.
  const select = `SELECT 1 AS t, 2.0 AS v, 'x' AS s, ${columns.join(', ')} WHERE false`;
  await duckdb.query(`COPY (${select}) TO ${quoteText(wide)}`);
  duckdb.close();
});

function write(name: string, content: Uint8Array | string): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

function runOn(file: string, table: string): Promise<RawRows> {
  const sql = `SELECT t, v FROM ${table} WHERE s IN ('x', 'y') ORDER BY 1 DESC LIMIT 10`;
  return runner.run({ sql, parameters: [], files: [file], threads: 2 });
}

const readParquet = (file: string) => runOn(file, parquetTable([file]));
const readCsv = (file: string) =>
  runOn(
    file,
    csvTable([file], {
      delimiter: ',',
      header: ['t', 'v', 's'],
      columns: [column('t', 'number'), column('v', 'number'), column('s', 'text')],
    }),
  );

/** Checks that a file costs its query, with a fault that contains no path. */
async function assertRefused(read: Promise<RawRows>, name: string): Promise<void> {
  await assert.rejects(read, (error) => {
    assert.ok(error instanceof Fault, `${name}: ${error}`);
    assert.equal(error.code, 'UNPROCESSABLE', name);
    assert.doesNotMatch(error.message, /almanac-|\.parquet|\.csv/, name);
    return true;
  });
}

/** Checks that the hostile files of a test cost no other query. */
async function assertWorks(): Promise<void> {
  assert.equal((await readParquet(good)).times.length, 10);
}

test('a file that is not Parquet, or a part of one, costs one query', async () => {
  const bytes = readFileSync(good);
  const withLength = (length: number) => {
    const copy = Buffer.from(bytes);
    copy.writeUInt32LE(length, copy.length - 8);
    return copy;
  };
  const magic = Buffer.from('PAR1');
  for (const [name, content] of [
    ['empty', ''],
    ['text', 'this is not a table'],
    ['random bytes between the magic bytes', Buffer.concat([magic, randomBytes(4000), magic])],
    ['wrong magic', Buffer.concat([bytes.subarray(0, -4), Buffer.from('PAR2')])],
    ['truncated', bytes.subarray(0, bytes.length / 2)],
    ['without its beginning', bytes.subarray(bytes.length / 2)],
    ['a footer of 4 GB', withLength(0xffff_ffff)],
    ['a footer of 2 GB', withLength(0x7fff_ffff)],
    ['a footer that is longer than the file', withLength(bytes.length + 1)],
    ['a footer of 0 bytes', withLength(0)],
  ] as const) {
    await assertRefused(readParquet(write('hostile.parquet', content)), name);
  }
  await assertWorks();
});

test('changed bytes of a file cost at most their query', async () => {
  const bytes = readFileSync(good);
  const footer = bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8);
  for (let i = 0; i < CHANGED; i++) {
    const copy = Buffer.from(bytes);
    // One half of the changes is in the footer, which has the offsets and lengths of all else.
    const from = i % 2 === 0 ? footer : 0;
    for (let j = 0; j < 3; j++) copy[from + Math.floor(random() * (copy.length - from))] = random() * 256;
    const file = write('changed.parquet', copy);
    const [result] = await Promise.allSettled([readParquet(file)]);
    if (result?.status === 'rejected') assert.equal(result.reason.code, 'UNPROCESSABLE', String(result.reason));
  }
  await assertWorks();
});

test('a small file that declares large content costs one query', async () => {
  const bytes = readFileSync(good);
  // The second field of the header of a page is its size when it is decompressed, as a number of variable length.
  const at = textOffset + 3;
  assert.deepEqual([bytes[at - 3], bytes[at - 1]], [0x15, 0x15], 'the first two fields are numbers');
  const length = bytes.subarray(at).findIndex((byte) => byte < 0x80) + 1;
  for (const size of [[0xfe, 0xff, 0xff, 0xff, 0x0f], [0x80, 0x80, 0x80, 0x80, 0x08], [0x01]]) {
    const changed = Buffer.concat([bytes.subarray(0, at), Uint8Array.from(size), bytes.subarray(at + length)]);
    await assertRefused(readParquet(write('bomb.parquet', changed)), `bomb ${size}`);
  }
  await assertWorks();
});

test('10,000 columns cost no more than their query', async () => {
  assert.equal((await readParquet(wide)).times.length, 0);
  await assertWorks();
});

test('a file that is not CSV costs one query, and the fault names a wrong cell', async () => {
  await assertRefused(readCsv(write('line.csv', `t,v,s\n${'x'.repeat(2_500_000)}`)), 'one line');
  await assertRefused(readCsv(write('random.csv', randomBytes(10_000))), 'random bytes');
  await assertRefused(readCsv(write('cells.csv', `t,v,s\n${',1'.repeat(10_000)}\n`)), '10,000 cells');
  const wrong = readCsv(write('wrong.csv', 't,v,s\n1,2,x\n2,abc,x\n'));
  await assert.rejects(wrong, (error: Fault) => error.code === 'UNPROCESSABLE' && error.message.includes('"abc"'));
  await assertWorks();
});

test('nothing is left of the queries', async () => {
  await runner.close();
  assert.deepEqual(readdirSync(tempFolder), []);
});
