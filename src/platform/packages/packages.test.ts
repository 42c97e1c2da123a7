import assert from 'node:assert/strict';
import { test } from 'node:test';
import { once } from './once.ts';
import { parseDate, parseNumber } from './parse-cells.ts';
import { parseCsv, readPackageCsv } from './parse-csv.ts';
import { readPackageFile, readPackageJson, sayInstalledPackage } from './read-package-file.ts';

const cellsOf = (text: string) => parseCsv(text, ['a', 'b'], 'f.csv').map(({ cells }) => [cells.a, cells.b]);

test('CSV: quotes, doubled quotes, line breaks in a cell, both line ends, with and without a last line break', () => {
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

test('CSV: a row says the line it begins on', () => {
  const rows = parseCsv('a,b\n"1\n1",2\n3,4\n', ['a', 'b'], 'f.csv');
  assert.deepEqual(
    rows.map(({ where }) => where),
    ['f.csv, line 2', 'f.csv, line 4'],
  );
});

const WRONG_FILES = [
  { text: '', says: /f\.csv, line 1: the columns are \[\]/ },
  { text: 'a\n1\n', says: /line 1: the columns are \["a"\], expected \["a","b"\]/ },
  { text: 'b,a\n1,2\n', says: /line 1: the columns are/ },
  { text: '\uFEFFa,b\n', says: /line 1: the columns are/ },
  { text: 'a,b\n1,2,3\n', says: /line 2: there are 3 cells, expected 2/ },
  { text: 'a,b\n1,2\n\n3,4\n', says: /line 3: there are 1 cells/ },
  { text: 'a,b\n1,"2\n', says: /line 2: a quote/ },
  { text: 'a,b\n1,2"\n', says: /line 2: a quote/ },
  { text: 'a,b\n"1"x,2\n', says: /line 2: a quote/ },
];

for (const { text, says } of WRONG_FILES) {
  test(`CSV refused: ${JSON.stringify(text)}`, () => assert.throws(() => parseCsv(text, ['a', 'b'], 'f.csv'), says));
}

test('numbers and dates are read strictly', () => {
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

test('files are found whether or not the package exports them', async () => {
  const rows = await readPackageCsv({ package: 'vega-datasets', path: 'data/sp500.csv' }, ['date', 'price']);
  assert.equal(rows.length, 123);
  assert.match(await readPackageFile({ package: '@observablehq/sample-datasets', path: 'aapl.csv' }), /^Date,Open/);
  assert.equal(await sayInstalledPackage('vega-datasets'), 'vega-datasets@3.2.1');
});

test('a file that is not there is named', async () => {
  const nowhere = { package: 'vega-datasets', path: 'data/nowhere.csv' };
  await assert.rejects(readPackageFile(nowhere), /^Error: vega-datasets\/data\/nowhere\.csv is not installed\.$/);
  await assert.rejects(readPackageFile({ package: 'vega-datasets', path: 'data' }), /cannot be read/);
  await assert.rejects(readPackageJson({ package: 'vega-datasets', path: 'data/sp500.csv' }), /is not JSON/);
});

test('once: calls share one piece of work', async () => {
  let calls = 0;
  const read = once(async () => ++calls);
  assert.deepEqual(await Promise.all([read(), read()]), [1, 1]);
  assert.equal(await read(), 1);
});

test('once: a failure is not kept', async () => {
  let calls = 0;
  const read = once(async () => {
    if (++calls === 1) throw new Error('not yet');
    return calls;
  });
  await assert.rejects(Promise.all([read(), read()]), /not yet/);
  assert.equal(await read(), 2);
  assert.equal(await read(), 2);
});
