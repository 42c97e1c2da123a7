import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Database } from '../../platform/index.ts';
import type { SeriesTable } from '../series-table.ts';
import { csvCell } from './csv-cell.ts';
import { fileName } from './file-name.ts';
import { keepRecent } from './keep-recent.ts';
import { renderCsv, renderJson } from './render-rows.ts';
import { createRendering } from './rendering.ts';
import { createSnapshotExports } from './snapshot-exports.ts';

const TABLE: SeriesTable = {
  timestamps: Float64Array.of(-86_400_000, 0, 34_200_005),
  columns: { close: Float64Array.of(-1.5, Number.NaN, 1e21), volume: Float64Array.of(0, 5, 5e-7) },
};
const HEADS = { close: 'close', volume: '=volume' };

test('rows as JSON and as CSV', () => {
  assert.deepEqual(JSON.parse(`[${[...renderJson(TABLE, HEADS)].join('')}]`), [
    { timestamp: '1969-12-31T00:00:00.000Z', close: -1.5, '=volume': 0 },
    { timestamp: '1970-01-01T00:00:00.000Z', close: null, '=volume': 5 },
    { timestamp: '1970-01-01T09:30:00.005Z', close: 1e21, '=volume': 5e-7 },
  ]);
  assert.equal(
    [...renderCsv(TABLE, HEADS)].join(''),
    "timestamp,close,'=volume\r\n1969-12-31T00:00:00.000Z,-1.5,0\r\n1970-01-01T00:00:00.000Z,,5\r\n1970-01-01T09:30:00.005Z,1e+21,5e-7\r\n",
  );
  assert.throws(() => [...renderCsv(TABLE, { open: 'open' })], /no column open/);
});

test('rendered rows are what JSON.stringify makes of them, instants included', () => {
  const heads = { value: 'value' };
  const rows = fc.uniqueArray(fc.integer({ min: -5e12, max: 7e12 }), { maxLength: 40 });
  fc.assert(
    fc.property(rows, (times) => {
      const timestamps = Float64Array.from(times.toSorted((a, b) => a - b));
      const table = { timestamps, columns: { value: timestamps.map((time) => time / 7) } };
      const plain = Array.from(timestamps, (time) => ({ timestamp: new Date(time).toISOString(), value: time / 7 }));
      assert.equal(`[${[...renderJson(table, heads)].join('')}]`, JSON.stringify(plain));
      const lines = plain.map(({ timestamp, value }) => `${timestamp},${value}\r\n`);
      assert.equal([...renderCsv(table, heads)].join(''), ['timestamp,value\r\n', ...lines].join(''));
    }),
  );
});

test('a cell cannot become a formula, and a number stays a number', () => {
  for (const formula of ['=1+1', '+cmd', '-cmd', '@SUM(A1)', '\tx', '-1+1', '=-1', '+-1', '\n=1', '＝1', '＠x'])
    assert.match(csvCell(formula), /^"?'/);
  for (const number of ['-1.5', '+2', '-.5', '-1e-7', '0', '12']) assert.equal(csvCell(number), number);
  assert.equal(csvCell('a "b", c\r\nd'), '"a ""b"", c\r\nd"');
  assert.equal(csvCell('=a,b'), `"'=a,b"`);
});

test('a file name is safe whatever it is made of', () => {
  assert.equal(fileName(['^GSPC', '1D', 'split'], 'csv'), 'GSPC-1D-split.csv');
  assert.equal(fileName(['../../etc/passwd'], 'csv'), 'etc-passwd.csv');
  assert.equal(fileName(['"\r\nX: y', 'é'], 'csv'), 'X-y.csv');
  assert.equal(fileName(['…'], 'csv'), 'series.csv');
  assert.ok(fileName(['x'.repeat(500)], 'csv').length <= 104);
});

test('a rendering is written once however many read it, and then is there in one piece', async () => {
  let written = 0;
  function* parts(): Generator<Buffer> {
    for (let i = 0; i < 5; i++) {
      written++;
      yield Buffer.from(`part ${i} ü\n`);
    }
  }
  const rendering = createRendering(parts());
  assert.equal(rendering.whole(), null);
  const read = async (): Promise<string> => {
    const chunks: Buffer[] = [];
    for await (const chunk of rendering.chunks()) {
      chunks.push(chunk);
      if (rendering.whole()) await Promise.resolve();
    }
    return Buffer.concat(chunks).toString();
  };
  const [one, two] = await Promise.all([read(), read()]);
  assert.equal(one, 'part 0 ü\npart 1 ü\npart 2 ü\npart 3 ü\npart 4 ü\n');
  assert.equal(two, one);
  assert.equal(await read(), one);
  assert.equal(rendering.whole()?.toString(), one);
  assert.equal(rendering.bytes, Buffer.byteLength(one));
  assert.equal(written, 5);
});

test('a reader that leaves in the middle does not keep others from the rest', async () => {
  const rendering = createRendering(['a', 'b', 'c'].map((text) => Buffer.from(text)).values());
  for await (const _ of rendering.chunks()) break;
  const chunks: string[] = [];
  for await (const chunk of rendering.chunks()) chunks.push(chunk.toString());
  assert.deepEqual(chunks, ['a', 'b', 'c']);
});

test('what was used last is kept, within its bytes and its time', () => {
  const recent = keepRecent<string>({ bytes: 10, milliseconds: 100 }, (text) => text.length);
  recent.set('a', '1234', 0);
  recent.set('b', '1234', 0);
  recent.get('a', 1);
  recent.set('c', '1234', 2);
  assert.deepEqual([recent.get('a', 3), recent.get('b', 3), recent.get('c', 3)], ['1234', undefined, '1234']);
  assert.equal(recent.get('a', 100), undefined);
  recent.set('huge', '12345678901234567890', 101);
  assert.equal(recent.get('huge', 102), '12345678901234567890');
  assert.equal(recent.size, 1);
});

test('a rendering that broke off stays broken, and is not taken for a whole one', async () => {
  const rendering = createRendering(
    (function* () {
      yield Buffer.from('half');
      throw new Error('no memory');
    })(),
  );
  const read = async () => {
    for await (const _ of rendering.chunks());
  };
  await assert.rejects(read(), /no memory/);
  await assert.rejects(read(), /no memory/);
  assert.equal(rendering.whole(), null);
  assert.equal(rendering.hasFailed, true);
});

test('one snapshot in many spellings takes no more room than a few', async () => {
  const clock = { now: () => new Date(0) };
  const exports = createSnapshotExports({ clock, database: {} as Database });
  const rows = 5_000;
  const table = {
    timestamps: Float64Array.from({ length: rows }, (_, i) => i),
    columns: { a: new Float64Array(rows) },
  };
  const exported = exports.keep({ id: 'snap_1', sha256: '', rows, about: {}, table });
  const first = exported.json({ next_cursor: 0 }, 'rows', { a: 'a' });
  assert.equal(exported.json({ next_cursor: 0 }, 'rows', { a: 'a' }), first);
  for (let i = 1; i < 10; i++) exported.json({ next_cursor: i }, 'rows', { a: 'a' });
  assert.notEqual(exported.json({ next_cursor: 0 }, 'rows', { a: 'a' }), first, 'the first is written anew');
});

test('what has grown since it was kept makes room, too', () => {
  const recent = keepRecent<{ size: number }>({ bytes: 10, milliseconds: 100 }, ({ size }) => size);
  const growing = { size: 1 };
  recent.set('a', { size: 5 }, 0);
  recent.set('b', growing, 0);
  growing.size = 9;
  recent.get('b', 1);
  assert.equal(recent.size, 1);
});
