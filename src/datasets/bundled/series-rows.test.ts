import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  buildTable,
  buildTablesByMember,
  monthEndTimestamp,
  timestampFromFirstDay,
  yearEndTimestamp,
} from './series-rows.ts';

const SHAPE = {
  frequency: '1ME',
  values: [
    { field: 'price', label: 'Price', units: 'USD' },
    { field: 'dividend', label: 'Dividend', units: 'USD', mayBeMissing: true },
  ],
} as const;

const row = (date: string, price = 1, dividend = 2) => {
  return { where: `file.csv, ${date}`, timestamp: Date.parse(date), values: [price, dividend] };
};

test('turns rows into columns, with NaN for a value that may be missing', () => {
  const table = buildTable(SHAPE, [row('2024-01-31'), row('2024-02-29', 3, Number.NaN)]);
  assert.deepEqual(table, {
    timestamps: Float64Array.of(Date.UTC(2024, 0, 31), Date.UTC(2024, 1, 29)),
    columns: { price: Float64Array.of(1, 3), dividend: Float64Array.of(2, Number.NaN) },
  });
});

const INVALID_ROWS = [
  {
    what: 'repeated',
    rows: [row('2024-01-31'), row('2024-01-31')],
    message: /file\.csv, 2024-01-31: .* repeats that of the row before/,
  },
  { what: 'unsorted', rows: [row('2024-02-29'), row('2024-01-31')], message: /2024-01-31: .* earlier/ },
  {
    what: 'not at a month end',
    rows: [row('2024-02-28')],
    message: /2024-02-28: the date is not the timestamp of a 1ME/,
  },
  { what: 'missing', rows: [row('2024-01-31', Number.NaN)], message: /price is not a finite number/ },
  { what: 'infinite', rows: [row('2024-01-31', 1, Number.POSITIVE_INFINITY)], message: /dividend is not a finite/ },
  { what: 'short', rows: [{ ...row('2024-01-31'), values: [1] }], message: /there are 1 values, not 2/ },
  { what: 'none', rows: [], message: /no rows/ },
];

for (const { what, rows, message } of INVALID_ROWS) {
  test(`refuses rows: ${what}`, () => assert.throws(() => buildTable(SHAPE, rows), message));
}

test('refuses members of a dimension with different periods', () => {
  const [one, other] = [
    { ...row('2024-01-31'), member: 'one' },
    { ...row('2024-01-31', 5), member: 'other' },
  ];
  assert.deepEqual([...buildTablesByMember(SHAPE, [one, other]).keys()], ['one', 'other']);
  const late = { ...row('2024-02-29'), member: 'other' };
  assert.throws(() => buildTablesByMember(SHAPE, [one, late]), /file\.csv, 2024-01-31: the members do not have/);
});

test('dates months and years by their last day and refuses dates that name no period', () => {
  assert.equal(timestampFromFirstDay('1ME', '2024-02-01', 'here'), Date.UTC(2024, 1, 29));
  assert.equal(timestampFromFirstDay('1YE', '2024-01-01', 'here'), Date.UTC(2024, 11, 31));
  assert.throws(() => timestampFromFirstDay('1ME', '2024-02-02', 'here'), /^Error: here: 2024-02-02 is not the first/);
  assert.equal(monthEndTimestamp(1871, 1, 'here'), Date.UTC(1871, 0, 31));
  for (const [year, month] of [
    [2024, 0],
    [2024, 13],
    [2024, 1.5],
    [Number.NaN, 1],
  ] as const) {
    assert.throws(() => monthEndTimestamp(year, month, 'here'), /^Error: here: .* are not a month/);
  }
  assert.equal(yearEndTimestamp(1880, 'here'), Date.UTC(1880, 11, 31));
  assert.throws(() => yearEndTimestamp(1880.5, 'here'), /^Error: here: 1880\.5 is not a year/);
});
