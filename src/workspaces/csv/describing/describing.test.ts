import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CsvDateOrder } from '../../../contract/index.ts';
import { type ColumnDescription, ColumnProfile } from './column-profile.ts';
import { describeColumns, guessFields } from './describe-columns.ts';

/** Describes a column whose cells are on the lines 2, 3, … */
function describeColumn(cells: readonly string[], name = 'x', dates: CsvDateOrder | null = null): ColumnDescription {
  return describeTable({ [name]: cells }, dates)[0] as ColumnDescription;
}

function describeTable(
  columns: Readonly<Record<string, readonly string[]>>,
  dates: CsvDateOrder | null = null,
): ColumnDescription[] {
  const profiles = Object.entries(columns).map(([name, cells]) => {
    const profile = new ColumnProfile(name, dates);
    for (const [row, cell] of cells.entries()) profile.add(cell, row + 2);
    return profile;
  });
  return describeColumns(profiles);
}

test('detects types and formats', () => {
  const cases: [string[], string, string | null][] = [
    [['1', '2.5', ''], 'number', 'decimal_point'],
    [['1', '2', '-3'], 'number', 'decimal_point'],
    [['1,5', '2'], 'number', 'decimal_comma'],
    [['1.234', '1.234,5'], 'number', 'decimal_comma'],
    [['1,234', '1,234.5'], 'number', 'decimal_point'],
    [['1,234', '12,345,678'], 'number', 'decimal_point'],
    [['1,234', '5,6'], 'number', 'decimal_comma'],
    [['1,234', '2,345'], 'text', null],
    [['1,5', '1.5'], 'text', null],
    [['5%', '6%'], 'text', null],
    [['true', 'FALSE', ''], 'boolean', null],
    [['', 'NA', '.'], 'empty', null],
    [['2024-01-01', ' 2024-01-02T10:00Z '], 'timestamp', 'iso'],
    [['2024-01', '2024-02'], 'timestamp', 'month'],
    [['2024Q1', '2024Q2'], 'timestamp', 'quarter'],
    [['2020', '2021', '2023'], 'timestamp', 'year'],
    [['2023', '2022', '2021'], 'timestamp', 'year'],
    [['2020', '2021', '2020'], 'number', 'decimal_point'],
    [['2020', '2021', '5000'], 'number', 'decimal_point'],
    [['13.01.2024', '01.02.2024'], 'timestamp', 'day_first'],
    [['01/02/2024', '01/13/2024'], 'timestamp', 'month_first'],
    [['01/02/2024', '03/04/2024'], 'text', null],
    [['01.01.2024', '02.02.2024'], 'timestamp', 'day_first'],
    [['13/01/2024', '01/13/2024'], 'text', null],
    [['2024-01-01', '2024'], 'text', null],
    [['20240101', '20240102'], 'timestamp', 'basic'],
    [['20240101', '20240140'], 'number', 'decimal_point'],
    [['20240101', '5'], 'number', 'decimal_point'],
    [['Q1 2024', '2024-Q2', '2024Q3'], 'timestamp', 'quarter'],
    [['2024-W01', '2024-W02'], 'timestamp', 'week'],
    [['Jan-2024', 'Feb 2024', '2024-03'], 'timestamp', 'month'],
    [['Jan 1, 2024', '2 January 2024'], 'timestamp', 'month_name'],
    [['1/31/2024 12:00 AM', '2/1/2024 1:30 PM'], 'timestamp', 'month_first'],
    [['Jan-24', 'Feb-24'], 'text', null],
    [['1/31/24', '2/1/24'], 'text', null],
    [['1704067200', '1704153600'], 'number', 'decimal_point'],
  ];
  for (const [cells, type, format] of cases) {
    const column = describeColumn(cells);
    assert.deepEqual([column.type, column.format], [type, format], cells.join(' '));
  }
  assert.equal(describeColumn(['2020', '2021', '2020'], 'Fiscal year').type, 'timestamp');
});

test('names the first ambiguous cell', () => {
  assert.equal(
    describeColumn(['05/05/2024', '01/02/2024']).note,
    'line 3: "01/02/2024" can be read day first or month first, and no row tells which. Write dates as YYYY-MM-DD, or upload the file as text/csv; dates=day_first or dates=month_first.',
  );
  assert.match(
    describeColumn(['12', '1,234']).note ?? '',
    /^line 3: "1,234" can have a decimal mark or a mark between/,
  );
  const months = ['01/01/2022', '02/01/2022', '03/01/2022'];
  for (const order of ['day_first', 'month_first'] as const) {
    const { type, format } = describeColumn(months, 'x', order);
    assert.deepEqual([type, format], ['timestamp', order], 'the uploader can declare the order');
  }
  assert.equal(
    describeColumn(['01/13/2022', '01/14/2022'], 'x', 'day_first').type,
    'text',
    'a declared order that does not fit is not used',
  );
  assert.equal(describeColumn(['some', 'text']).note, null);
});

test('records the first cell that is not a number or a time, with its line', () => {
  const { numbers, times } = describeColumn(['1', '2', 'x', 'y']);
  assert.deepEqual(numbers, { kind: 'none', line: 4, cell: 'x', isFirst: false });
  assert.deepEqual(times, { kind: 'none', line: 2, cell: '1', isFirst: true });
  assert.partialDeepStrictEqual(describeColumn(['', 'x', '1']).numbers, { line: 3, isFirst: true });
  const years = describeColumn(['2020', '2021', '2022']);
  assert.deepEqual(
    [years.numbers, years.times],
    [
      { kind: 'read', format: 'decimal_point' },
      { kind: 'read', format: 'year' },
    ],
    'a column can be both',
  );
});

test('counts gaps and keeps a few short, different examples', () => {
  const { nulls, examples } = describeColumn(['', 'a', 'a', 'NA', 'b', 'x'.repeat(500), 'c']);
  assert.equal(nulls, 2);
  assert.deepEqual(examples, ['a', 'b', `${'x'.repeat(99)}…`]);
});

test('guesses the columns of time and value', () => {
  const guess = (columns: Record<string, string[]>) => Object.values(guessFields(describeTable(columns)));
  const [dates, numbers, words] = [
    ['2024-01-01', '2024-01-02'],
    ['1', '5'],
    ['a', 'b'],
  ];
  assert.deepEqual(guess({ id: numbers, when: dates, name: words, amount: numbers }), ['when', 'amount']);
  assert.deepEqual(guess({ id: numbers, when: dates, load: numbers, other: numbers }), ['when', 'load']);
  assert.deepEqual(guess({ id: numbers, when: dates }), ['when', 'id']);
  assert.deepEqual(guess({ partly: ['', '2024-01-02'], fully: dates, v: numbers }), ['fully', 'v']);
  assert.deepEqual(guess({ a: words }), [null, null]);
  const compact = ['20240101', '20240102'];
  const seconds = ['1704067200', '1704153600'];
  assert.deepEqual(guess({ date: compact, v: numbers }), ['date', 'v']);
  assert.deepEqual(guess({ date: ['20240101', '20240230'], v: numbers }), [null, 'v']);
  assert.deepEqual(guess({ when: dates, response_time: numbers }), ['when', 'response_time']);
  assert.deepEqual(guess({ open_time: seconds, v: numbers }), [null, 'v']);
  assert.deepEqual(guess({ timestamp: seconds }), [null, null], 'numbers that look like dates are not a value');
  assert.deepEqual(guess({ when: seconds }), [null, null]);
  assert.deepEqual(
    guess({ when: dates, revenue: seconds }),
    ['when', 'revenue'],
    'large numbers beside dates are a value',
  );
});

test('treats possible years as numbers when another column is the time', () => {
  const typesOf = (columns: Record<string, readonly string[]>) => describeTable(columns).map(({ type }) => type);
  const [years, dates, plain] = [
    ['1900', '1901', '1905'],
    ['2024-01-01', '2024-01-02', '2024-01-03'],
    ['7', '9', '8'],
  ];
  const table = describeTable({ date: dates, v: years });
  assert.deepEqual([table[1]?.type, table[1]?.format], ['number', 'decimal_point']);
  assert.deepEqual(guessFields(table), { timeField: 'date', valueField: 'v' });
  assert.deepEqual(typesOf({ v: years, date: dates }), ['number', 'timestamp']);
  assert.deepEqual(typesOf({ v: years, fiscal_year: years }), ['number', 'timestamp'], 'the name identifies the year');
  assert.deepEqual(
    typesOf({ x: years, y: years, z: plain }),
    ['timestamp', 'number', 'number'],
    'y is the name of a value',
  );
  assert.deepEqual(typesOf({ price: years }), ['number']);
  assert.deepEqual(typesOf({ a: years, b: years }), ['timestamp', 'number'], 'the first of two equal columns');
});

test('adds a note to times in an unsupported format', () => {
  const short = 'has no year of four digits. Write dates as YYYY-MM-DD and months as YYYY-MM.';
  for (const cell of ['Jan-24', "Jan '24", '1-Jan-24', '1/31/24', '31.01.24', '1/31/24 12:00 AM', 'Jan 3, 24']) {
    assert.equal(describeColumn([cell, cell]).note, `line 2: ${JSON.stringify(cell)} ${short}`, cell);
  }
  for (const cell of ['Jan', 'x-24', '1/2', '1-2-345', 'May be 24'])
    assert.equal(describeColumn([cell]).note, null, cell);
  assert.equal(describeColumn(['1/31/24', 'x']).note, null);
  const later = 'since 1970. Write times as YYYY-MM-DDThh:mm:ssZ, or as YYYY-MM-DD.';
  assert.equal(describeColumn(['1704067200', '1704153600'], 'time').note, `The numbers look like seconds ${later}`);
  assert.equal(describeColumn(['1704067200000', '1704153600000']).note, `The numbers look like milliseconds ${later}`);
  for (const cells of [
    ['1704067200', '1704067100', '1704067300'],
    ['1704067200', '1704067200000'],
    ['1704067200.5', '1704067201.5'],
    ['9704067200', '9704067201'],
  ])
    assert.equal(describeColumn(cells, 'time').note, null, cells.join(' '));
});
