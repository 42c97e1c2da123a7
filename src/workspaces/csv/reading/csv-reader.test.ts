import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../../../contract/index.ts';
import { type CsvOutline, CsvReader, type DeclaredCsv } from './csv-reader.ts';
import type { SkippedLine } from './skipped-lines.ts';

interface Table extends CsvOutline {
  readonly lines: readonly number[];
  readonly cells: readonly (readonly string[])[];
}

const UNDECLARED: DeclaredCsv = { encoding: null, header: null, delimiter: null, dates: null };
const declared = (properties: Partial<DeclaredCsv>) => ({ declared: { ...UNDECLARED, ...properties } });

/** Reads a file that arrives in pieces of this many bytes. */
function readTable(file: Buffer | string, { declared: properties = UNDECLARED, piece = 1e9 } = {}): Table {
  const bytes = Buffer.from(file as string);
  const cells: string[][] = [];
  const lines: number[] = [];
  const reader = new CsvReader(properties, (row, line) => {
    cells.push(row);
    lines.push(line);
  });
  for (let at = 0; at < bytes.length; at += piece) reader.push(bytes.subarray(at, at + piece));
  return { ...reader.end(), cells, lines };
}

function readRefused(file: Buffer | string, options: Parameters<typeof readTable>[1] = {}): string {
  try {
    readTable(file, options);
  } catch (error) {
    assert.ok(error instanceof Fault && error.code === 'INVALID_REQUEST', String(error));
    return error.message;
  }
  return 'no fault';
}

function utf16(text: string, order: 'le' | 'be', mark = true): Buffer {
  const units = Buffer.from(`${mark ? '\ufeff' : ''}${text}`, 'utf16le');
  return order === 'le' ? units : units.swap16();
}

test('reads the rows, their lines and the properties of a file', () => {
  assert.deepEqual(readTable('date,value\n2024-01-01,1\n2024-01-02,2\n'), {
    encoding: 'utf-8',
    delimiter: ',',
    hasHeader: true,
    names: ['date', 'value'],
    rows: 2,
    skipped: [],
    lines: [2, 3],
    cells: [
      ['2024-01-01', '1'],
      ['2024-01-02', '2'],
    ],
  });
});

test('reads quotes, line breaks in cells, blank lines and all three line ends', () => {
  const { cells, lines } = readTable('a,b\r\n"x, ""y""","1\r\n2\n3"\r\r\n\n"",\n" z ",w');
  assert.deepEqual(cells, [
    ['x, "y"', '1\r\n2\n3'],
    ['', ''],
    [' z ', 'w'],
  ]);
  assert.deepEqual(lines, [2, 7, 8]);
  assert.deepEqual(readTable('a\r""\r\r1').lines, [2, 4]);
});

test('reads the same table whatever the pieces in which a file arrives', () => {
  const texts = ['a;b\r\n"é ""1""\r\n\r2";€\r\n\r\n"";\u{1f600}\r\n', 'naïve,b\n1,"2\r3"\r\n4,5\r'];
  for (const text of texts) {
    for (const bytes of [Buffer.from(text), utf16(text, 'le'), utf16(text, 'be')]) {
      const whole = readTable(bytes);
      for (const piece of [1, 2, 3, 5, 7]) assert.deepEqual(readTable(bytes, { piece }), whole, `${piece}`);
    }
  }
});

test('detects encodings by the byte order mark, UTF-8 and windows-1252', () => {
  const text = 'name,value\n“Zoë” €,1\n';
  const windows = Buffer.from(
    [...text].map((char) => ({ '“': 0x93, '”': 0x94, '€': 0x80 })[char] ?? char.charCodeAt(0)),
  );
  const cases = [
    [Buffer.from(text), 'utf-8'],
    [Buffer.from(`\ufeff${text}`), 'utf-8'],
    [utf16(text, 'le'), 'utf-16le'],
    [utf16(text, 'be'), 'utf-16be'],
    [windows, 'windows-1252'],
  ] as const;
  for (const [bytes, encoding] of cases) {
    const table = readTable(bytes);
    assert.equal(table.encoding, encoding);
    assert.deepEqual([table.names, table.cells], [['name', 'value'], [['“Zoë” €', '1']]]);
  }
  const unmarked = declared({ encoding: 'utf-16le' });
  assert.equal(readTable(utf16(text, 'le', false), unmarked).cells[0]?.[0], '“Zoë” €');
  const late = Buffer.concat([Buffer.from(`a\n${'x\n'.repeat(200_000)}caf`), Buffer.of(0xe9)]);
  assert.deepEqual(
    [readTable(late, { piece: 1000 }).encoding, readTable(late).cells.at(-1)],
    ['windows-1252', ['café']],
    'the first byte that is not ASCII decides, wherever it comes',
  );
});

test('names the line of bytes that are not text', () => {
  const cases: [Buffer, RegExp][] = [
    [Buffer.concat([Buffer.from('a,b\né,1\nx,'), Buffer.of(0xe9)]), /^line 3: the byte 0xE9 is not UTF-8/],
    [Buffer.concat([Buffer.from('a,b\nx,'), Buffer.of(0x81)]), /^line 2: the byte 0x81 is neither UTF-8 nor windows/],
    [Buffer.from('a,b\n1,2\n3,\0'), /^line 3: there is a control character \(U\+0000\)/],
    [utf16('a,b\n1,2\n', 'le', false), /^line 1: there is a control character \(U\+0000\)/],
    [Buffer.from('PK\x03\x04rubbish'), /^line 1: there is a control character \(U\+0003\)\. Is this a text file/],
    [Buffer.concat([utf16('a\n1\n', 'le'), Buffer.of(0x41)]), /^line 3: the last character of the file is incomplete/],
    [Buffer.concat([utf16('a\n', 'le'), Buffer.of(0x00, 0xd8, 0x41, 0x00)]), /^line 2: half a character/],
  ];
  for (const [bytes, message] of cases) {
    assert.match(readRefused(bytes), message);
    assert.match(readRefused(bytes, { piece: 1 }), message);
  }
  const strict = declared({ encoding: 'utf-8' });
  assert.match(readRefused(Buffer.of(0x61, 0x0a, 0xe9, 0x0a), strict), /^line 2: the byte 0xE9 is not UTF-8/);
});

test('detects the delimiter', () => {
  const cases: [string, string, number][] = [
    ['a,b\n1,2\n', ',', 2],
    ['a;b\n1,5;2,5\n', ';', 2],
    ['Datum;Wert, EUR\n2024;1,5\n2025;2,5\n', ';', 2],
    ['a\tb\tc\n1\t2,2\t3\n', '\t', 3],
    ['a|b\n1|"x|y"\n', '|', 2],
    ['a\n1\n2\n', ',', 1],
    ['"a;b",c\n"1;2",3\n', ',', 2],
    ['one,two;three\na,b;c\n', ',', 2],
    ['one,two;three\n1,2;3\n', ';', 2],
    ['Revenue; EUR\n1\n2\n', ',', 1],
    ['Revenue; EUR\n1\n', ',', 1],
    ['Revenue, EUR\n1\n2\n', ';', 1],
    ['price|usd\n1\n2\n', ',', 1],
    ['Wert\n1,5\n2,25\n', ';', 1],
    ['text\nHello, world\nfoo\nbar, baz, qux\n', ';', 1],
  ];
  for (const [text, delimiter, columns] of cases) {
    const table = readTable(text);
    assert.deepEqual([table.delimiter, table.names.length], [delimiter, columns], text);
  }
  // There may be a title above the table, which one column of sentences would hide.
  assert.match(readRefused('sentence\nA text, with a comma; and more\n'), /^line 2: there are 2 cells, but the first/);
  assert.match(readRefused('a;b\n1;2;\n3;4;\n'), /^line 2: there are 3 cells, but the first line has 2/);
});

const TABLE = '01.01.2024;1.234,5\n01.02.2024;2.345,5\n01.03.2024;99,5\n';

test('skips titles above a header, and the units below it', () => {
  const cases: [string, SkippedLine['kind'][], string[]][] = [
    [`Datum;Umsatz\n${TABLE}`, [], ['Datum', 'Umsatz']],
    [`Report of 2024\nDatum;Umsatz\n${TABLE}`, ['title'], ['Datum', 'Umsatz']],
    [`Report, of 2024\n\nMade on 01.02.2024, by A\nDatum;Umsatz\n${TABLE}`, ['title', 'title'], ['Datum', 'Umsatz']],
    [`Report;\n;\nDatum;Umsatz\n${TABLE}`, ['title'], ['Datum', 'Umsatz']],
    [`Datum;Umsatz\nTag;EUR\n${TABLE}`, ['units'], ['Datum', 'Umsatz']],
    [`Report\nDatum;Umsatz\n;in EUR\n${TABLE}`, ['title', 'units'], ['Datum', 'Umsatz']],
    [`Datum;\n${TABLE}`, [], ['Datum', 'column_2']],
    ['name;city\nAnn;Bonn\nBob;Rome\n', [], ['name', 'city']],
  ];
  for (const [text, kinds, names] of cases) {
    for (const piece of [1, 1e9]) {
      const table = readTable(text, { piece });
      assert.deepEqual(
        [table.skipped.map(({ kind }) => kind), table.names, table.delimiter],
        [kinds, names, ';'],
        text,
      );
    }
  }
  const { skipped, lines } = readTable(`Report\n\nDatum;Umsatz\n${TABLE}`);
  assert.deepEqual([skipped, lines], [[{ line: 1, kind: 'title', text: 'Report' }], [4, 5, 6]]);
  for (const text of [
    `Datum;Umsatz\n${TABLE.replaceAll('\n', ';x\n')}`,
    `Title\n${TABLE}`,
    `Datum;Umsatz\n01.01.\n${TABLE}`,
  ])
    assert.match(readRefused(text), /^line \d+: there (?:is|are) \d cells?, but the first line has/, text);
});

test('takes the delimiter from the uploader, or from a first line such as spreadsheets write', () => {
  const { names, cells, delimiter } = readTable('a,b;c\n1,2;3\n', declared({ delimiter: ',' }));
  assert.deepEqual([delimiter, names, cells], [',', ['a', 'b;c'], [['1', '2;3']]]);
  assert.equal(readTable('a,b\n1,2\n', declared({ delimiter: '\t' })).names[0], 'a,b');
  for (const first of ['sep=;\r\n', 'SEP=;\n', '"sep=;"\r', '\ufeffsep=;\n']) {
    for (const piece of [1, 1e9]) {
      const table = readTable(`${first}a;b\n1,5;x\n`, { piece });
      assert.deepEqual([table.delimiter, table.names, table.lines], [';', ['a', 'b'], [3]], first);
    }
  }
  const both = readTable('sep=;\na,b\n1,2\n', declared({ delimiter: ',' }));
  assert.deepEqual([both.names, both.lines], [['a', 'b'], [3]], 'the declared delimiter takes precedence');
  assert.deepEqual(readTable('sep=tab\n1\n').names, ['sep=tab'], 'an ordinary name');
  assert.equal(readRefused('sep=;\na;b\n1\n'), 'line 3: there is 1 cell, but the first line has 2.');
  assert.equal(readRefused('sep=;\n'), 'line 1: the file is empty.');
  assert.equal(
    readRefused('sep=:\na:b\n'),
    'line 1: sep= names ":", which is not a supported delimiter. Use , ; tab or |.',
  );
});

test('names the right charset when the bytes are in the other order', () => {
  const text = 'day,value\r\n2024-01-01,1\r\n';
  const cases = [
    [utf16(text, 'le', false), 'utf-16be', /^line 1: the bytes are in the other order .*charset=utf-16le\.$/],
    [utf16(text, 'be', false), 'utf-16le', /^line 1: the bytes are in the other order .*charset=utf-16be\.$/],
  ] as const;
  for (const [bytes, encoding, message] of cases)
    for (const piece of [1, 7, 1e9]) assert.match(readRefused(bytes, { ...declared({ encoding }), piece }), message);
  assert.equal(readTable(utf16('一,\u0a00\n1,2\n', 'be'), {}).names[0], '一', 'a byte order mark is always right');
});

test('detects a header, or takes it as declared', () => {
  assert.deepEqual(readTable('2024-01-01,1\n2024-01-02,2\n').names, ['column_1', 'column_2']);
  assert.equal(readTable('2024-01-01,1\n2024-01-02,2\n').rows, 2);
  assert.deepEqual(readTable('country,2001,2002\nUS,1,2\n').names, ['country', '2001', '2002']);
  assert.deepEqual(readTable(' a ,,c\n1,2,3\n').names, ['a', 'column_2', 'c']);
  const absent = declared({ header: 'absent' });
  const present = declared({ header: 'present' });
  assert.deepEqual(readTable('AAPL,1\nMSFT,2\n', absent).lines, [1, 2]);
  assert.deepEqual(readTable('2001,2002\n1,2\n', present).names, ['2001', '2002']);
});

test('names the line of text that is not a table', () => {
  const cases: [string, RegExp][] = [
    ['', /^line 1: the file is empty/],
    ['\n\n', /^line 1: the file is empty/],
    ['a,b\n', /^line 2: the file has no row below the header/],
    ['a,b\n1,2\n3\n', /^line 3: there is 1 cell, but the first line has 2/],
    ['a,b\n1,2\n\n3,4,5\n', /^line 4: there are 3 cells, but the first line has 2/],
    ['a,b\n1,2\n3,"x\ny\n', /^line 3: the quote that opens a cell here is never closed/],
    ['a,b\n1,2\n3,5" pipe\n', /^line 3: a quote appears inside an unquoted cell/],
    ['a,b\n"1\n"x,2\n', /^line 3: text follows the closing quote/],
    ['a,b,a\n1,2,3\n', /^line 1: columns 1 and 3 are both named "a"/],
    [`a,b\n1,2\n3,${'x'.repeat(10_001)}\n`, /^line 3: a cell has more than 10000 characters/],
    [`a,b\n1,2\n3,"${'x\n'.repeat(6_000)}\n`, /^line 3: a cell has more than 10000 .* closing quote missing/],
    [`${'a,'.repeat(200)}b\n`, /^line 1: there are more than 200 columns/],
    [`a,b\n1${','.repeat(300)}\n`, /^line 2: there are 301 cells, but the first line has 2/],
    [`${'x'.repeat(201)},b\n1,2\n`, /^line 1: the name of column 1 has more than 200 characters/],
  ];
  for (const [text, message] of cases) {
    assert.match(readRefused(text), message, text.slice(0, 40));
    assert.match(readRefused(text, { piece: 1 }), message, text.slice(0, 40));
  }
  assert.equal(readTable(`a,b\n1,${'x'.repeat(10_000)}\n`).cells[0]?.[1]?.length, 10_000);
});

test('reads a million rows and refuses one more', () => {
  const rows = Buffer.from('7\n'.repeat(1_000_000));
  assert.equal(readTable(Buffer.concat([Buffer.from('a\n'), rows]), { piece: 65_536 }).rows, 1_000_000);
  const more = Buffer.concat([Buffer.from('a\n'), rows, Buffer.from('8\n')]);
  assert.equal(readRefused(more, { piece: 65_536 }), 'line 1000002: the file has more than 1000000 rows.');
});
