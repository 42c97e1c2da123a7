import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnOf, referenceOf, tableOf } from '../../../test/support/datasets/warehouse-tables.ts';
import { Fault, type WarehouseReference } from '../../contract/index.ts';
import { checkReference } from './check-reference.ts';
import type { WarehouseTable } from './engine.ts';

const SALES = tableOf([
  columnOf('day', 'date'),
  columnOf('sold_at', 'timestamp'),
  columnOf('noon', 'datetime'),
  columnOf('year', 'integer'),
  columnOf('price', 'number'),
  columnOf('amount', 'number', 'DECIMAL(9,2)'),
  columnOf('shop', 'text'),
  columnOf('open', 'boolean'),
  columnOf('tags', 'other'),
]);

const check = (choices: Partial<WarehouseReference> = {}, table = SALES, cutoff: number | null = null) =>
  checkReference(referenceOf(choices), table, { cutoff });

function refused(choices: Partial<WarehouseReference>, table?: WarehouseTable, cutoff?: number): string {
  try {
    check(choices, table, cutoff);
  } catch (error) {
    assert.ok(error instanceof Fault, String(error));
    return `${error.status} ${error.message}`;
  }
  return 'no fault';
}

test('returns the query of a reference', () => {
  assert.deepEqual(check(), {
    time: { column: SALES.columns[0], format: null },
    value: SALES.columns[4],
    filters: [],
    from: null,
    to: null,
    aggregate: null,
    maxRows: 51_000,
  });
  const { time, value, aggregate } = check({
    time_field: 'year',
    time_format: 'year',
    value_field: 'shop',
    aggregate: { function: 'count', frequency: '1YE' },
  });
  assert.deepEqual(time, { column: columnOf('year', 'integer'), format: 'year' });
  assert.equal(value.name, 'shop');
  assert.deepEqual(aggregate, { function: 'count', frequency: '1YE' });
});

test('a field that the schema does not have is refused with those that fit, the nearest first', () => {
  assert.equal(
    refused({ time_field: 'years' }),
    '400 source.time_field: the table has no column "years". It must be a column with dates, times or integers: "year", "day", "sold_at", "noon".',
  );
  assert.match(
    refused({ value_field: 'Price' }),
    /^400 source\.value_field: the table has no column "Price".*: "price",/,
  );
  assert.match(
    refused({ value_field: 'shop' }),
    /^400 source\.value_field: the column "shop" has the type VARCHAR\. It must be a column with numbers: /,
  );
  assert.match(refused({ time_field: 'shop' }), /^400 source\.time_field: the column "shop" has the type VARCHAR/);
  assert.match(
    refused({ value_field: 'tags', aggregate: { function: 'count', frequency: '1D' } }),
    /^400 source\.value_field: the column "tags" has the type STRUCT/,
  );
  assert.match(
    refused({ filters: [{ field: 'constructor', values: [1] }] }),
    /^400 source\.filters\[0\]\.field: the table has no column "constructor"/,
  );
  assert.match(
    refused({}, tableOf({ price: 'number' })),
    /It must be a column with dates, .*, and the table has none\.$/,
  );
  const many = tableOf(Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`c${index}`, 'number' as const])));
  assert.equal(refused({ time_field: 'c1', value_field: 'x' }, many).match(/"c\d+"/g)?.length, 1);
  const wide = tableOf([...many.columns, columnOf('day', 'date'), columnOf('x'.repeat(301), 'number')]);
  const message = refused({ value_field: 'c77x' }, wide);
  assert.equal(message.match(/"c\d+"/g)?.length, 20);
  assert.match(message, /with numbers: "c77", /);
  assert.doesNotMatch(refused({ value_field: 'xx' }, wide), /xxx/);
});

test('public tables ignore the case of names; columns that differ only in case are never read', () => {
  const columns = [columnOf('Day', 'date'), columnOf('PRICE', 'number')];
  const { time, value } = check({}, tableOf(columns, 'bigquery-public-data.a.b'));
  assert.deepEqual([time.column.name, value.name], ['Day', 'PRICE']);
  assert.match(refused({}, tableOf(columns)), /no column "day"/);
  const twins = tableOf([...SALES.columns, columnOf('Price', 'number'), columnOf('price_1', 'number')]);
  for (const name of ['price', 'Price', 'price_1']) {
    assert.match(refused({ value_field: name }, twins), /^400 source\.value_field: .* differ only in case/);
  }
  assert.equal(check({ value_field: 'amount' }, twins).value.name, 'amount');
});

test('a time format is required for integers and refused for other kinds', () => {
  assert.equal(
    refused({ time_field: 'year' }),
    '400 source.time_format: is required, because the column "year" contains integers. Choose one of year, yyyymmdd, epoch_s, epoch_ms.',
  );
  assert.match(refused({ time_format: 'year' }), /^400 source\.time_format: is only for integers.*kind date/);
});

const filtered = (field: string, ...values: (string | number | boolean)[]) =>
  check({ filters: [{ field, values }] }).filters[0]?.values;

test('values of filters get the kind of their column, without repetitions', () => {
  assert.deepEqual(filtered('shop', 'b', 'a', 'b', '', "' OR 1=1 --"), ['b', 'a', '', "' OR 1=1 --"]);
  assert.deepEqual(filtered('year', 2024, '2024', '-5', -0, '007'), [2024, -5, 0, 7]);
  assert.deepEqual(filtered('year', Number.MAX_SAFE_INTEGER, '9007199254740990'), [2 ** 53 - 1, 2 ** 53 - 2]);
  assert.deepEqual(filtered('price', 1.5, '1.50', 1e300, '-0', '0.5'), [1.5, 1e300, 0, 0.5]);
  assert.deepEqual(filtered('amount', 1.5, '001.50', '-0.00', 1e-2, -12, 1e6), ['1.5', '0', '0.01', '-12', '1000000']);
  assert.deepEqual(filtered('open', true, false, true), [true, false]);
  assert.deepEqual(filtered('day', '2024-02-29', '9999-12-31'), [Date.UTC(2024, 1, 29), Date.UTC(9999, 11, 31)]);
  const noon = Date.UTC(2024, 1, 29, 12);
  assert.deepEqual(filtered('sold_at', '2024-02-29T12:00:00Z', '2024-02-29T13:00:00.000+01:00'), [noon]);
  assert.deepEqual(filtered('noon', '2024-02-29T12:00:00', '2024-02-29T12:00:00.5Z'), [noon, noon + 500]);
});

test('values of another kind are refused with their place', () => {
  const wrong: Record<string, (string | number | boolean)[]> = {
    shop: [1, true],
    year: [1.5, '1.5', '', 'x', '1e3', 2 ** 53, '9007199254740992', true, ' 1'],
    price: ['', 'x', '1e3', 'Infinity', '0x10', true, ' 1', '1.'],
    amount: [1.234, '0.001', 12_345_678, '12345678.1', 1e21, 1e-7, 'NaN', true],
    open: ['true', 1, 0, ''],
    day: ['2024-02-30', '2024-2-1', '2024-01-01T00:00:00Z', '0000-01-01', 20240101, true],
    sold_at: ['2024-02-29T12:00:00', '2024-02-30T12:00:00Z', '2024-02-29T24:00:00Z', '2024-02-29T12:00:00.0001Z', 0],
    noon: ['2024-02-29', '2024-02-29 12:00:00', '2024-02-29T12:00:00+99:00', '0001-01-01T00:00:00+01:00'],
  };
  for (const [field, values] of Object.entries(wrong)) {
    for (const value of values) {
      const message = refused({ filters: [{ field, values: [value] }] });
      assert.match(message, /^400 source\.filters\[0\]\.values\[0\]: must be /, `${field} ${JSON.stringify(value)}`);
    }
  }
  const second = [
    { field: 'shop', values: ['a'] },
    { field: 'open', values: [true, 'no'] },
  ];
  assert.equal(
    refused({ filters: second }),
    '400 source.filters[1].values[1]: must be true or false without quotes, because the column "open" contains these.',
  );
  assert.match(refused({ filters: [{ field: 'amount', values: [1.234] }] }), /at most 7 digits before the point and 2/);
});

test('a column has at most one filter, also if names ignore case', () => {
  const twice = [
    { field: 'shop', values: ['a'] },
    { field: 'SHOP', values: ['b'] },
  ];
  const table = { ...SALES, name: 'bigquery-public-data.a.b' };
  assert.match(refused({ filters: twice }, table), /^400 source\.filters\[1\]\.field: another filter names/);
});

const rangeOf = (choices: Partial<WarehouseReference>, cutoff: string | null = null) => {
  const { from, to } = check(choices, SALES, cutoff === null ? null : Date.parse(cutoff));
  return [from, to].map((instant) => (instant === null ? null : new Date(instant).toISOString().slice(0, 16)));
};

test('reads from start to the earlier of end and the cutoff', () => {
  const [start, end] = ['2024-01-15T10:00:00Z', '2024-03-10T12:00:00+02:00'];
  assert.deepEqual(rangeOf({ start, end }), ['2024-01-15T10:00', '2024-03-10T10:00']);
  assert.deepEqual(rangeOf({ start, end }, '2024-02-01T00:00:00Z'), ['2024-01-15T10:00', '2024-02-01T00:00']);
  assert.deepEqual(rangeOf({ start, end }, '2025-02-01T00:00:00Z'), ['2024-01-15T10:00', '2024-03-10T10:00']);
  assert.deepEqual(rangeOf({}, '9000-01-01T00:00:00Z'), [null, null]);
  assert.deepEqual(rangeOf({}, '0900-01-01T00:00:00Z'), [null, '1800-01-01T00:00']);
});

test('reads only whole periods if rows are combined', () => {
  const aggregate = { function: 'sum', frequency: '1ME' } as const;
  const [start, end] = ['2024-01-15T10:00:00Z', '2024-03-10T12:00:00Z'];
  assert.deepEqual(rangeOf({ start, end, aggregate }), ['2024-02-01T00:00', '2024-03-01T00:00']);
  const exact = { start: '2024-02-01T00:00:00Z', end: '2024-04-01T00:00:00Z', aggregate };
  assert.deepEqual(rangeOf(exact), ['2024-02-01T00:00', '2024-04-01T00:00']);
  assert.deepEqual(rangeOf(exact, '2024-03-31T23:59:59Z'), ['2024-02-01T00:00', '2024-03-01T00:00']);
  assert.deepEqual(rangeOf({ aggregate }, '2024-03-31T23:59:59Z'), [null, '2024-03-01T00:00']);
  assert.equal(
    refused({ start, end: '2024-02-20T00:00:00Z', aggregate }),
    '400 source.end: no whole month lies between start and end. Choose a later end or a shorter frequency.',
  );
});

test('refuses ranges that contain nothing or are outside the calendar', () => {
  const start = '2024-01-01T00:00:00Z';
  assert.equal(refused({ start, end: start }), '400 source.end: must be after start.');
  assert.match(
    refused({ start: '1799-12-31T23:59:59Z' }),
    /^400 source\.start: must be between the years 1800 and 2200/,
  );
  assert.match(refused({ end: '2201-01-01T00:00:00Z' }), /^400 source\.end: must be between/);
  assert.match(refused({ start }, SALES, Date.parse(start)), /^422 source\.start: no period begins at 2024-01-01T00/);
});
