import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../../../contract/index.ts';
import { splitChunk, splitRow } from '../row-text.ts';
import { FileReader } from './file-reader.ts';

const UNDECLARED = { encoding: null, header: null, delimiter: null, dates: null } as const;

/** Reads a file. @returns its footer, the types of its columns and the first cell of each row; or the fault */
function read(text: string): { footer: string[]; types: string[]; first: string[] } | string {
  const reader = new FileReader(UNDECLARED);
  try {
    const chunks = [...reader.push(Buffer.from(text)).chunks];
    const { chunks: rest, file } = reader.end();
    const rows = [...chunks, ...rest].flatMap(({ bytes }) => splitChunk(bytes).map((row) => splitRow(row).cells));
    assert.equal(file?.rows, rows.length);
    return {
      footer: (file?.skipped ?? []).map(({ line, kind, text: words }) => `${line} ${kind} ${words}`),
      types: (file?.columns ?? []).map(({ type }) => type),
      first: rows.map(([cell = '']) => cell),
    };
  } catch (error) {
    assert.ok(error instanceof Fault, String(error));
    return error.message;
  }
}

const days = (count: number): string[] =>
  Array.from({ length: count }, (_, day) => `${String(day + 1).padStart(2, '0')}.01.2024;${day},5`);
const file = (rows: readonly string[], header = 'Datum;Umsatz') => `${[header, ...rows].join('\n')}\n`;

test('leaves out rows at the end without a time', () => {
  for (const [end, footer] of [
    [['Summe;1.234,50'], ['Summe;1.234,50']],
    [[';1.234,50'], [';1.234,50']],
    [['Total;'], ['Total;']],
    [['Summe 2024'], ['Summe 2024']],
    [
      ['Summe;1.234,50', '', ';', 'Quelle: Amt; Stand: heute; vorläufig'],
      ['Summe;1.234,50', 'Quelle: Amt; Stand: heute; vorläufig'],
    ],
    [Array.from({ length: 10 }, (_, i) => `Note ${i};`), Array.from({ length: 10 }, (_, i) => `Note ${i};`)],
  ] as const) {
    for (const count of [3, 5, 28]) {
      const found = read(file([...days(count), ...end]));
      assert.ok(typeof found !== 'string', String(found));
      assert.deepEqual(found.types, ['timestamp', 'number'], end.join());
      assert.equal(found.first.length, count);
      assert.deepEqual(
        found.footer.map((line) => line.replace(/^\d+ footer /, '')),
        footer,
      );
      assert.ok(found.footer[0]?.startsWith(`${count + 2} footer`));
    }
  }
});

test('finds the column of times among others', () => {
  const found = read(file(['A;2021;5000', 'B;2022;6000', 'C;2023;7000', ';Total;18000'], 'name;year;value'));
  assert.ok(typeof found !== 'string');
  assert.deepEqual([found.types, found.footer], [['text', 'timestamp', 'number'], ['5 footer ;Total;18000']]);
});

test('keeps rows that may be mistakes, so that they are seen', () => {
  const types = (end: readonly string[], count = 12) => {
    const found = read(file([...days(count), ...end]));
    return typeof found === 'string' ? found : [found.types[0], found.footer.length];
  };
  for (const cell of ['32.01.2024', '2024-01-31', '31.01.24', '17', '12.2024', '1/2/2024'])
    assert.deepEqual(types([`${cell};5`]), ['text', 0], cell);
  assert.deepEqual(types(Array.from({ length: 11 }, () => 'Note;5')), ['text', 0], 'more than ten lines');
  assert.deepEqual(types(['Summe;5', '20.01.2024;5']), ['text', 0], 'a row with a time follows');
  assert.deepEqual(types(['Summe;5'], 2), ['text', 0], 'too few times');
  assert.equal(types(['Summe', '20.01.2024;5']), 'line 14: there is 1 cell, but the first line has 2.');
  assert.equal(types(Array.from({ length: 12 }, () => 'Summe')), 'line 14: there is 1 cell, but the first line has 2.');
  assert.equal(types(['Summe', 'x"y;5']), 'line 14: there is 1 cell, but the first line has 2.');
  const months = read(file(['Jan 2024;1', 'Feb 2024;2', 'Apr 2024;4', 'Mai 2024;5']));
  assert.ok(typeof months !== 'string');
  assert.deepEqual([months.types[0], months.footer], ['text', []], 'a month in another language');
  const words = read('name,value\na,1\nb,2\nc,3\n,6\n');
  assert.ok(typeof words !== 'string' && words.footer.length === 0, 'a file without times');
});
