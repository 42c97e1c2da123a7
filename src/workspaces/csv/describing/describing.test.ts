import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ColumnDescription, ColumnProfile } from './column-profile.ts';
import { guessFields } from './guess-fields.ts';

/** The description of a column whose cells stand on the lines 2, 3, … */
function describeColumn(cells: readonly string[], name = 'x'): ColumnDescription {
  const profile = new ColumnProfile(name);
  for (const [row, cell] of cells.entries()) profile.add(cell, row + 2);
  return profile.describe();
}

test('types and formats', () => {
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
  ];
  for (const [cells, type, format] of cases) {
    const column = describeColumn(cells);
    assert.deepEqual([column.type, column.format], [type, format], cells.join(' '));
  }
  assert.equal(describeColumn(['2020', '2021', '2020'], 'Fiscal year').type, 'timestamp');
});

test('an ambiguity is named with the first cell that has it', () => {
  assert.equal(
    describeColumn(['05/05/2024', '01/02/2024']).note,
    'line 3: "01/02/2024" can be read day first or month first, and no row tells which. Write dates as YYYY-MM-DD.',
  );
  assert.match(
    describeColumn(['12', '1,234']).note ?? '',
    /^line 3: "1,234" can have a decimal mark or a mark between/,
  );
  assert.equal(describeColumn(['some', 'text']).note, null);
});

test('what keeps a column from being numbers or times is remembered with its line', () => {
  const { numbers, times } = describeColumn(['1', '2', 'x', 'y']);
  assert.deepEqual(numbers, { kind: 'none', line: 4, cell: 'x' });
  assert.deepEqual(times, { kind: 'none', line: 2, cell: '1' });
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

test('gaps are counted; examples are few, short and different', () => {
  const { nulls, examples } = describeColumn(['', 'a', 'a', 'NA', 'b', 'x'.repeat(500), 'c']);
  assert.equal(nulls, 2);
  assert.deepEqual(examples, ['a', 'b', `${'x'.repeat(99)}…`]);
});

test('the likely time and value', () => {
  const guess = (columns: Record<string, string[]>) =>
    Object.values(guessFields(Object.entries(columns).map(([name, cells]) => describeColumn(cells, name))));
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
});
