import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCsv, parseDate, parseNumber } from './parse-csv.ts';

const cellsOf = (text: string) => parseCsv(text, ['a', 'b'], 'f.csv').map(({ cells }) => [cells.a, cells.b]);

test('reads quotes, doubled quotes, line breaks in a cell and both line ends, with and without a final line break', () => {
  assert.deepEqual(cellsOf('a,b\n1,2'), [['1', '2']]);
  assert.deepEqual(cellsOf('a,b\r\n1,2\r\n'), [['1', '2']]);
  assert.deepEqual(cellsOf('a,b\n"x, ""y""\nz",\n3,4\n'), [
    ['x, "y"\nz', ''],
    ['3', '4'],
  ]);
  assert.deepEqual(cellsOf('a,b\n'), []);
  assert.deepEqual(cellsOf('a,b\n1,'), [['1', '']], 'an empty cell at the end of the text');
  assert.deepEqual(cellsOf('"a",b\n,\n'), [['', '']]);
});

test('names the line on which a row begins', () => {
  const rows = parseCsv('a,b\n"1\n1",2\n3,4\n', ['a', 'b'], 'f.csv');
  assert.deepEqual(
    rows.map(({ where }) => where),
    ['f.csv, line 2', 'f.csv, line 4'],
  );
});

const INVALID_FILES = [
  { text: '', message: /f\.csv, line 1: the columns are \[\]/ },
  { text: 'a\n1\n', message: /line 1: the columns are \["a"\], expected \["a","b"\]/ },
  { text: 'b,a\n1,2\n', message: /line 1: the columns are/ },
  { text: '\uFEFFa,b\n', message: /line 1: the columns are/ },
  { text: 'a,b\n1,2,3\n', message: /line 2: there are 3 cells, but the first line has 2/ },
  { text: 'a,b\n1,2\n\n3,4\n', message: /line 3: there is 1 cell, / },
  { text: 'a,b\n1,"2\n', message: /line 2: the quote that opens/ },
  { text: 'a,b\n1,2"\n', message: /line 2: a quote appears inside/ },
  { text: 'a,b\n"1"x,2\n', message: /line 2: text follows the closing quote/ },
];

for (const { text, message } of INVALID_FILES) {
  test(`refuses ${JSON.stringify(text)}`, () => assert.throws(() => parseCsv(text, ['a', 'b'], 'f.csv'), message));
}

test('accepts only finite decimal numbers and existing dates', () => {
  assert.equal(parseNumber('-1.50', 'here'), -1.5);
  assert.equal(parseNumber('2e3', 'here'), 2000);
  for (const cell of ['', ' 1', '0x10', 'NaN', 'Infinity', '1e999', '1,5', '.5', '1_0', '-']) {
    assert.throws(() => parseNumber(cell, 'here'), /^Error: here: .* is not a finite number\.$/, cell);
  }
  assert.equal(parseDate('2024-02-29', 'here'), Date.UTC(2024, 1, 29));
  for (const cell of ['2023-02-29', '2023-13-01', '2024-2-9', '2024-02-09T00:00Z', '', '02/09/2024']) {
    assert.throws(() => parseDate(cell, 'here'), /^Error: here: .* is not a date\.$/, cell);
  }
});
