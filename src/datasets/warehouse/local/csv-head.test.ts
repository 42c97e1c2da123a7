import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { findCellKind } from './cell-kinds.ts';
import { HEAD_BYTES, readCsvHead } from './csv-head.ts';

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'almanac-heads-'));
});
after(() => rmSync(folder, { recursive: true }));

function readHead(content: string | Uint8Array) {
  const path = join(folder, 'f.csv');
  writeFileSync(path, content);
  const { size, mtimeNs, ino } = statSync(path, { bigint: true });
  return readCsvHead({
    path,
    name: 't/f.csv',
    size: Number(size),
    modifiedNs: mtimeNs,
    inode: ino,
    partitions: new Map(),
  });
}

const KINDS = {
  integer: ['0', '-5', '+12', '999999999999999'],
  number: ['1.5', '.5', '1.', '-2e3', '1E+05', '1234567890123456789'],
  boolean: ['true', 'FALSE'],
  date: ['2024-02-29', '1999-12-31'],
  datetime: ['2024-01-31T23:59', '2024-01-31 00:00:00', '2024-01-31T00:00:00.123456789'],
  timestamp: [
    '2024-01-31T23:59:00Z',
    '2024-01-31 00:00:00.5+01',
    '2024-01-31T00:00:00-0330',
    '2024-01-31T00:00:00+05:45',
  ],
  text: [
    '007',
    '1,5',
    '1e999',
    'NaN',
    '0x1',
    '2023-02-29',
    '2024-1-1',
    '2024-01-31T24:00',
    '2024-01-31T10:00Z',
    'a',
    '-',
    '1 000',
  ],
};

for (const [kind, cells] of Object.entries(KINDS)) {
  test(`recognizes cells with the kind ${kind}`, () => {
    for (const cell of cells) assert.equal(findCellKind(cell), kind, cell);
  });
}

test('finds the names and kinds of columns; empty cells have no kind', async () => {
  const head = await readHead(
    '\uFEFFday , n,x,"the, name",none,mix\n2024-01-01,1,1,a,,1\n2024-01-02,,2.5,"b\nc",,true\n2024-01-03, 3 , ,,,\n',
  );
  assert.deepEqual(head, {
    delimiter: ',',
    header: ['day', 'n', 'x', 'the, name', 'none', 'mix'],
    kinds: ['date', 'integer', 'number', 'text', null, 'text'],
  });
});

for (const delimiter of [',', ';', '\t', '|']) {
  test(`detects the delimiter ${JSON.stringify(delimiter)}`, async () => {
    const lines = [
      ['a', 'b'],
      ['2024-01-01', '1.5'],
      ['2024-01-02', '2.5'],
    ].map((cells) => cells.join(delimiter));
    const head = await readHead(`${lines.join('\r\n')}\r\n`);
    assert.deepEqual([head.delimiter, head.kinds], [delimiter, ['date', 'number']]);
  });
}

test('reads only the head of a long file, which may end in the middle of a row and of a character', async () => {
  for (let shift = 0; shift < 3; shift++) {
    const row = `1,${'€'.repeat(100)}\n`;
    const text = `a,b${'x'.repeat(shift)}\n${row.repeat(2_000)}not a number,z\n`;
    assert.ok(Buffer.byteLength(text) > HEAD_BYTES);
    const { kinds } = await readHead(text);
    assert.deepEqual(kinds, ['integer', 'text']);
  }
  assert.deepEqual((await readHead('a,b\n')).kinds, [null, null], 'a file without rows');
  assert.deepEqual((await readHead('a\n1\n2')).kinds, ['integer'], 'no line break at the end');
});

const INVALID: readonly (readonly [content: string | Uint8Array, message: RegExp])[] = [
  ['', /"t\/f\.csv".* it is empty/],
  ['\na,b\n1,2\n', /its first line is empty/],
  ['a,b\n1\n1,2,3\n', /its lines do not have the same number of cells/],
  [`a,b\n1,"${'x'.repeat(HEAD_BYTES)}"\n`, /have no complete row/],
  ['a,,c\n1,2,3\n', /column 2 has no name/],
  ['a,b,A\n1,2,3\n', /columns 1 and 3 are both named "A"/],
  ['2024-01-01,1\n2024-01-02,2\n', /first line must contain the names/],
  ['a,b\n1,2\n3\n4,5\n6,7\n', /on line 3, there is 1 cell/],
  ['a,b\n1,"2\n', /on line 2, the quote/],
  [`${'n'.repeat(301)},b\n1,2\n`, /column 1 has more than 300 characters/],
  [`"${'n'.repeat(HEAD_BYTES)}`, /first line has more than 262144 bytes/],
  [`a${',a'.repeat(10_000)}\n`, /more than 10000 columns/],
  [Buffer.from('a,b\n1,é\n', 'latin1'), /not text in UTF-8/],
  [Buffer.from('\uFEFFa,b\n1,2\n', 'utf16le'), /not text in UTF-8/],
  [Buffer.from('a,b\n1,2\n', 'utf16le'), /not text in UTF-8/],
];

for (const [content, message] of INVALID) {
  test(`refuses ${JSON.stringify(String(content).slice(0, 40))}`, () =>
    assert.rejects(readHead(content), { name: 'Fault', code: 'UNPROCESSABLE', message }));
}
