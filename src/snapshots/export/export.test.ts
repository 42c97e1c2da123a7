import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { HOUR_MS } from '../../calendar/index.ts';
import type { Database } from '../../platform/index.ts';
import type { SeriesTable } from '../series-source.ts';
import { csvCell, renderCsv, renderJson } from './render-rows.ts';
import { createRendering } from './rendering.ts';
import { createSnapshotExports, exportFileName } from './snapshot-exports.ts';

const TABLE: SeriesTable = {
  timestamps: Float64Array.of(-86_400_000, 0, 34_200_005),
  columns: { close: Float64Array.of(-1.5, Number.NaN, 1e21), volume: Float64Array.of(0, 5, 5e-7) },
};
const HEADINGS = { close: 'close', volume: '=volume' };

test('renders rows as JSON and as CSV', () => {
  assert.deepEqual(JSON.parse(`[${[...renderJson(TABLE, HEADINGS)].join('')}]`), [
    { timestamp: '1969-12-31T00:00:00.000Z', close: -1.5, '=volume': 0 },
    { timestamp: '1970-01-01T00:00:00.000Z', close: null, '=volume': 5 },
    { timestamp: '1970-01-01T09:30:00.005Z', close: 1e21, '=volume': 5e-7 },
  ]);
  assert.equal(
    [...renderCsv(TABLE, HEADINGS)].join(''),
    "timestamp,close,'=volume\r\n1969-12-31T00:00:00.000Z,-1.5,0\r\n1970-01-01T00:00:00.000Z,,5\r\n1970-01-01T09:30:00.005Z,1e+21,5e-7\r\n",
  );
  assert.throws(() => [...renderCsv(TABLE, { open: 'open' })], /no column open/);
});

test('renders the same JSON and instants as JSON.stringify', () => {
  const headings = { value: 'value' };
  const rows = fc.uniqueArray(fc.integer({ min: -5e12, max: 7e12 }), { maxLength: 40 });
  fc.assert(
    fc.property(rows, (times) => {
      const timestamps = Float64Array.from(times.toSorted((a, b) => a - b));
      const table = { timestamps, columns: { value: timestamps.map((time) => time / 7) } };
      const plain = Array.from(timestamps, (time) => ({ timestamp: new Date(time).toISOString(), value: time / 7 }));
      assert.equal(`[${[...renderJson(table, headings)].join('')}]`, JSON.stringify(plain));
      const lines = plain.map(({ timestamp, value }) => `${timestamp},${value}\r\n`);
      assert.equal([...renderCsv(table, headings)].join(''), ['timestamp,value\r\n', ...lines].join(''));
    }),
    { seed: 1 },
  );
});

test('escapes formulas and leaves numbers unchanged', () => {
  for (const formula of ['=1+1', '+cmd', '-cmd', '@SUM(A1)', '\tx', '-1+1', '=-1', '+-1', '\n=1', '＝1', '＠x'])
    assert.match(csvCell(formula), /^"?'/);
  for (const number of ['-1.5', '+2', '-.5', '-1e-7', '0', '12']) assert.equal(csvCell(number), number);
  assert.equal(csvCell('a "b", c\r\nd'), '"a ""b"", c\r\nd"');
  assert.equal(csvCell('=a,b'), `"'=a,b"`);
});

test('escapes formulas after blanks and at the separators of other spreadsheets', () => {
  const cases: Record<string, string> = {
    ' =2+2': "' =2+2",
    '\u00a0=2+2': "'\u00a0=2+2",
    '\u200b=2+2': "'\u200b=2+2",
    'x;=1+1': "x;'=1+1",
    'x; =1+1': "x;' =1+1",
    'x\t@SUM(A1)': "x\t'@SUM(A1)",
    'x|-cmd': "x|'-cmd",
    'x;;+1;=2': "x;;'+1;'=2",
    'x;"=1+1"': `"x;'""=1+1"""`,
    'x\n=1+1': `"x\n'=1+1"`,
    ';=1': ";'=1",
  };
  for (const [text, cell] of Object.entries(cases)) assert.equal(csvCell(text), cell, text);
  for (const plain of ['a; b', 'a - b', 'x=1', 'a|b', ' 12', "it's", '2026-01-01; 5'])
    assert.equal(csvCell(plain), plain);
  // Splits cells in all ways: no part starts a formula.
  const texts = fc.array(fc.constantFrom(';', '|', '\t', '\r', '\n', ' ', '"', '=', '-', '+', '@', 'a', '1', ','), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(texts, (characters) => {
      const text = characters.join('');
      const [part] = csvCell(text)
        .split(/[;|\t\r\n]/)
        .filter((piece) => /^["\s]*[=+\-@]/.test(piece));
      assert.ok(part === undefined || part === text, `${JSON.stringify(text)} starts a formula: ${part}`);
    }),
    { seed: 1 },
  );
});

test('makes a safe file name from any text', () => {
  assert.equal(exportFileName(['^GSPC', '1D', 'split'], 'csv'), 'GSPC-1D-split.csv');
  assert.equal(exportFileName(['../../etc/passwd'], 'csv'), 'etc-passwd.csv');
  assert.equal(exportFileName(['"\r\nX: y', 'é'], 'csv'), 'X-y.csv');
  assert.equal(exportFileName(['…'], 'csv'), 'series.csv');
  assert.ok(exportFileName(['x'.repeat(500)], 'csv').length <= 104);
});

test('renders once for any number of readers and then returns all bytes in one buffer', async () => {
  let rendered = 0;
  function* parts(): Generator<Buffer> {
    for (let i = 0; i < 5; i++) {
      rendered++;
      yield Buffer.from(`part ${i} ü\n`);
    }
  }
  const rendering = createRendering(parts());
  assert.equal(rendering.complete(), null);
  const read = async (): Promise<string> => {
    const chunks: Buffer[] = [];
    for await (const chunk of rendering.chunks()) {
      chunks.push(chunk);
      if (rendering.complete()) await Promise.resolve();
    }
    return Buffer.concat(chunks).toString();
  };
  const [one, two] = await Promise.all([read(), read()]);
  assert.equal(one, 'part 0 ü\npart 1 ü\npart 2 ü\npart 3 ü\npart 4 ü\n');
  assert.equal(two, one);
  assert.equal(await read(), one);
  assert.equal(rendering.complete()?.toString(), one);
  assert.equal(rendering.bytes, Buffer.byteLength(one));
  assert.equal(rendered, 5);
});

test('a reader that stops early does not affect other readers', async () => {
  const rendering = createRendering(['a', 'b', 'c'].map((text) => Buffer.from(text)).values());
  for await (const _ of rendering.chunks()) break;
  const chunks: string[] = [];
  for await (const chunk of rendering.chunks()) chunks.push(chunk.toString());
  assert.deepEqual(chunks, ['a', 'b', 'c']);
});

test('exports a snapshot again after an hour, so that its use is recorded', () => {
  let now = 0;
  const exports = createSnapshotExports({ clock: { now: () => new Date(now) }, database: {} as Database });
  const snapshot = { id: 'snap_1', sha256: '', rows: 3, about: {}, table: TABLE };
  const first = exports.add(snapshot);
  now = HOUR_MS - 1;
  assert.equal(exports.add(snapshot), first);
  now = HOUR_MS;
  assert.notEqual(exports.add(snapshot), first);
});

test('a failed rendering stays failed and is never complete', async () => {
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
  assert.equal(rendering.complete(), null);
  assert.equal(rendering.hasFailed, true);
});

test('keeps only a few renderings of one snapshot', async () => {
  const clock = { now: () => new Date(0) };
  const exports = createSnapshotExports({ clock, database: {} as Database });
  const rows = 5_000;
  const table = {
    timestamps: Float64Array.from({ length: rows }, (_, i) => i),
    columns: { a: new Float64Array(rows) },
  };
  const exported = exports.add({ id: 'snap_1', sha256: '', rows, about: {}, table });
  const first = exported.json({ next_cursor: 0 }, 'rows', { a: 'a' });
  assert.equal(exported.json({ next_cursor: 0 }, 'rows', { a: 'a' }), first);
  for (let i = 1; i < 10; i++) exported.json({ next_cursor: i }, 'rows', { a: 'a' });
  assert.notEqual(exported.json({ next_cursor: 0 }, 'rows', { a: 'a' }), first, 'the first is rendered again');
});
