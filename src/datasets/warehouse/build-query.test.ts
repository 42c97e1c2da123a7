import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnOf, PLAIN_DIALECT } from '../../../test/support/datasets/warehouse-tables.ts';
import { buildQuery } from './build-query.ts';
import type { WarehouseQuery } from './engine.ts';

const day = columnOf('day', 'date');
const price = columnOf('price', 'number');
const build = (choices: Partial<WarehouseQuery> = {}) =>
  buildQuery(
    {
      time: { column: day, format: null },
      value: price,
      filters: [],
      from: null,
      to: null,
      aggregate: null,
      maxRows: 100,
      ...choices,
    },
    'the_table',
    PLAIN_DIALECT,
  );

test('selects the latest rows with a time and a value', () => {
  assert.deepEqual(build(), {
    sql: 'SELECT micros("day") AS t, double("price") AS v FROM the_table WHERE "day" IS NOT NULL AND "price" IS NOT NULL AND NOT is_nan("price") ORDER BY 1 DESC LIMIT 100',
    parameters: [],
  });
});

test('compares the column with bounds in its unit, and columns of filters with all their values', () => {
  const shop = columnOf('the "shop"', 'text');
  const isOpen = columnOf('open', 'boolean');
  const built = build({
    from: Date.UTC(2024, 0, 1, 12),
    to: Date.UTC(2024, 1, 1),
    filters: [
      { column: shop, values: ["a' OR 1=1 --", 'b'] },
      { column: isOpen, values: [true] },
    ],
  });
  assert.equal(
    built.sql,
    'SELECT micros("day") AS t, double("price") AS v FROM the_table WHERE "day" IS NOT NULL AND "price" IS NOT NULL AND NOT is_nan("price") AND "day" >= @p0 AND "day" < @p1 AND "the ""shop""" IN (@p2, @p3) AND "open" IN (@p4) ORDER BY 1 DESC LIMIT 100',
  );
  assert.deepEqual(built.parameters, [
    { name: 'p0', column: day, value: Date.UTC(2024, 0, 2) },
    { name: 'p1', column: day, value: Date.UTC(2024, 1, 1) },
    { name: 'p2', column: shop, value: "a' OR 1=1 --" },
    { name: 'p3', column: shop, value: 'b' },
    { name: 'p4', column: isOpen, value: true },
  ]);
});

test('returns integers with times unchanged, unless rows are combined', () => {
  const time = { column: columnOf('d', 'integer'), format: 'yyyymmdd' } as const;
  const built = build({ time, from: Date.UTC(2024, 0, 1) });
  assert.match(built.sql, /^SELECT "d" AS t, .* WHERE "d" IS NOT NULL AND .* AND "d" >= @p0 ORDER/);
  assert.deepEqual(built.parameters, [{ name: 'p0', column: time.column, value: 20240101 }]);
  const combined = build({ time, aggregate: { function: 'sum', frequency: '1W-MON' } });
  assert.match(
    combined.sql,
    /^SELECT start_of_1w_mon\(yyyymmdd\("d"\)\) AS t, .* NOT is_nan\("price"\) GROUP BY 1 ORDER/,
  );
});

test('combines the rows of a period with every function', () => {
  const valueFor = (name: 'sum' | 'mean' | 'last' | 'count') => {
    const { sql } = build({ aggregate: { function: name, frequency: '1ME' } });
    assert.match(sql, /WHERE "day" IS NOT NULL AND "price" IS NOT NULL AND NOT is_nan\("price"\) GROUP BY 1/);
    return sql.match(/ AS t, (.*) AS v FROM/)?.[1];
  };
  assert.equal(valueFor('sum'), 'double(SUM("price"))');
  assert.equal(valueFor('mean'), 'double(AVG("price"))');
  assert.equal(valueFor('count'), 'double(COUNT("price"))');
  assert.equal(valueFor('last'), 'last(double("price"), "day")');
});

test('only numbers that can be NaN are compared with it', () => {
  for (const value of [columnOf('n', 'integer'), columnOf('n', 'number', 'DECIMAL(9,2)'), columnOf('n', 'text')]) {
    assert.match(build({ value }).sql, / WHERE "day" IS NOT NULL AND "n" IS NOT NULL ORDER BY/);
  }
});
