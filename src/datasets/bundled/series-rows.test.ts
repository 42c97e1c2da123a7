import assert from 'node:assert/strict';
import { test } from 'node:test';
import { monthEnd, periodNamedByFirstDay, yearEnd } from './periods.ts';
import { tableOf, tablesByMember } from './series-rows.ts';

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

test('rows become columns; a value that may be missing is NaN', () => {
  const table = tableOf(SHAPE, [row('2024-01-31'), row('2024-02-29', 3, Number.NaN)]);
  assert.deepEqual(table, {
    timestamps: Float64Array.of(Date.UTC(2024, 0, 31), Date.UTC(2024, 1, 29)),
    columns: { price: Float64Array.of(1, 3), dividend: Float64Array.of(2, Number.NaN) },
  });
});

const WRONG = [
  { what: 'repeated', rows: [row('2024-01-31'), row('2024-01-31')], says: /file\.csv, 2024-01-31: .* is repeated/ },
  { what: 'unsorted', rows: [row('2024-02-29'), row('2024-01-31')], says: /2024-01-31: .* earlier/ },
  { what: 'off the grid', rows: [row('2024-02-28')], says: /2024-02-28: the date does not stand for a 1ME/ },
  { what: 'missing', rows: [row('2024-01-31', Number.NaN)], says: /price is not a finite number/ },
  { what: 'infinite', rows: [row('2024-01-31', 1, Number.POSITIVE_INFINITY)], says: /dividend is not a finite/ },
  { what: 'short', rows: [{ ...row('2024-01-31'), values: [1] }], says: /there are 1 values, not 2/ },
  { what: 'none', rows: [], says: /no rows/ },
];

for (const { what, rows, says } of WRONG) {
  test(`rows refused: ${what}`, () => assert.throws(() => tableOf(SHAPE, rows), says));
}

test('members of a dimension must have the same periods', () => {
  const [one, other] = [
    { ...row('2024-01-31'), member: 'one' },
    { ...row('2024-01-31', 5), member: 'other' },
  ];
  assert.deepEqual([...tablesByMember(SHAPE, [one, other]).keys()], ['one', 'other']);
  const late = { ...row('2024-02-29'), member: 'other' };
  assert.throws(() => tablesByMember(SHAPE, [one, late]), /file\.csv, 2024-01-31: the members do not have/);
});

test('months and years stand at their last day; what names no period is refused', () => {
  assert.equal(periodNamedByFirstDay('1ME', '2024-02-01', 'here'), Date.UTC(2024, 1, 29));
  assert.equal(periodNamedByFirstDay('1YE', '2024-01-01', 'here'), Date.UTC(2024, 11, 31));
  assert.throws(() => periodNamedByFirstDay('1ME', '2024-02-02', 'here'), /^Error: here: 2024-02-02 is not the first/);
  assert.equal(monthEnd(1871, 1, 'here'), Date.UTC(1871, 0, 31));
  for (const [year, month] of [
    [2024, 0],
    [2024, 13],
    [2024, 1.5],
    [Number.NaN, 1],
  ] as const) {
    assert.throws(() => monthEnd(year, month, 'here'), /^Error: here: .* are not a month/);
  }
  assert.equal(yearEnd(1880, 'here'), Date.UTC(1880, 11, 31));
  assert.throws(() => yearEnd(1880.5, 'here'), /^Error: here: 1880\.5 is not a year/);
});
