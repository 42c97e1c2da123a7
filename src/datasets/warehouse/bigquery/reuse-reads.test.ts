import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnOf } from '../../../../test/support/datasets/warehouse-tables.ts';
import type { FilterValue, WarehouseQuery } from '../engine.ts';
import { keyOfRead } from './reuse-reads.ts';

const TABLE = 'bigquery-public-data.weather.daily';
const day = columnOf('day', 'date');
const station = columnOf('station', 'text');
const frosts = columnOf('frosts', 'integer');
const QUERY: WarehouseQuery = {
  time: { column: day, format: null },
  value: columnOf('temperature', 'number'),
  filters: [],
  from: null,
  to: null,
  aggregate: null,
  maxRows: 10,
};
const keyOf = (choices: Partial<WarehouseQuery> = {}, table = TABLE) => keyOfRead(table, { ...QUERY, ...choices });
const filter = (column: typeof station, ...values: readonly FilterValue[]) => ({ column, values });

test('the order of filters and of their values does not change the key of a read', () => {
  const key = keyOf({ filters: [filter(station, 'Oslo', 'Rome', 'a'), filter(frosts, 10, 9, 1)] });
  assert.equal(keyOf({ filters: [filter(frosts, 1, 10, 9), filter(station, 'a', 'Rome', 'Oslo')] }), key);
  assert.equal(keyOf({ filters: [filter(station, 'Rome', 'a', 'Oslo'), filter(frosts, 9, 10, 1)] }), key);
});

test('reads that differ in one field have other keys', () => {
  const integer = columnOf('n', 'integer');
  const others: readonly Partial<WarehouseQuery>[] = [
    {},
    ...[{ from: 0 }, { from: 1 }, { to: 0 }, { to: 1 }, { from: 0, to: 1 }, { maxRows: 11 }],
    { aggregate: { function: 'mean', frequency: '1D' } },
    { aggregate: { function: 'sum', frequency: '1D' } },
    { aggregate: { function: 'mean', frequency: '1h' } },
    { value: frosts },
    { value: columnOf('Temperature', 'number') },
    { value: columnOf('temperature', 'number', 'NUMERIC') },
    { time: { column: columnOf('night', 'date'), format: null } },
    { time: { column: columnOf('day', 'timestamp'), format: null } },
    { time: { column: integer, format: 'year' } },
    { time: { column: integer, format: 'epoch_s' } },
    { filters: [filter(station, 'a')] },
    { filters: [filter(station, 'a', 'b')] },
    { filters: [filter(station, 'a,b')] },
    { filters: [filter(station, 'a","b')] },
    { filters: [filter(station, '1')] },
    { filters: [filter(frosts, 1)] },
    { filters: [filter(frosts, '1')] },
    { filters: [filter(station, 'a'), filter(frosts, 1)] },
    { filters: [filter(station, '1'), filter(frosts, 'a')] },
  ];
  const keys = [...others.map((choices) => keyOf(choices)), keyOf({}, `${TABLE}_2`)];
  assert.equal(new Set(keys).size, others.length + 1);
});
