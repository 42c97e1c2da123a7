import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WarehouseQuery } from '../engine.ts';
import { ResultPages } from './result-pages.ts';

const QUERY: WarehouseQuery = {
  time: { column: { name: 'day', kind: 'date', type: 'DATE' }, format: null },
  value: { name: 'x', kind: 'number', type: 'FLOAT64' },
  filters: [],
  from: null,
  to: null,
  aggregate: null,
  maxRows: 5,
};
const COMBINED: WarehouseQuery = { ...QUERY, aggregate: { function: 'sum', frequency: '1D' } };
const FORMATTED: WarehouseQuery = { ...COMBINED, time: { ...QUERY.time, format: 'year' } };
const FIELDS = [
  { name: 't', type: 'INTEGER' },
  { name: 'v', type: 'FLOAT' },
];

const row = (t: unknown, v: unknown) => ({ f: [{ v: t }, { v }] });
const replyOf = (rows: unknown, total: unknown, others: object = {}) => ({
  schema: { fields: FIELDS },
  totalRows: total,
  rows,
  ...others,
});

/** Reads replies as the pages of one result. */
function readAll(query: WarehouseQuery, ...replies: readonly unknown[]) {
  const pages = new ResultPages(query);
  for (const reply of replies) pages.add(pages.read(reply));
  const { times, values } = pages.rows();
  return { times: [...times], values: [...values] };
}

test('reads pages, the latest rows first, and returns them oldest first', () => {
  const replies = [
    replyOf([row('30', '1.5'), row('20', null)], '4', { pageToken: 'a' }),
    replyOf([row('20', '-2.0E-3'), row('-10', '7')], '4', { pageToken: 'b' }),
    replyOf(undefined, '4'),
  ];
  assert.deepEqual(readAll(QUERY, ...replies), { times: [-10, 20, 20, 30], values: [7, -0.002, Number.NaN, 1.5] });
  assert.deepEqual(readAll(QUERY, replyOf(undefined, '0')), { times: [], values: [] });
});

test('reads values that are not numbers', () => {
  const cells = ['NaN', 'Infinity', '-Infinity', '1.7976931348623157E308', '-0.0'];
  const rows = cells.map((cell, i) => row(String(9 - i), cell));
  const { values } = readAll(QUERY, replyOf(rows, '5'));
  assert.deepEqual(values.reverse(), [Number.NaN, Infinity, -Infinity, Number.MAX_VALUE, -0]);
});

test('only combined rows of integers can be without a time, and one of them', () => {
  const rows = [row('2', '1'), row(null, '3')];
  assert.deepEqual(readAll(FORMATTED, replyOf(rows, '2')).times, [Number.NaN, 2]);
  for (const query of [QUERY, COMBINED])
    assert.throws(() => readAll(query, replyOf(rows, '2')), { fault: 'MALFORMED' });
  for (const after of [null, '1']) {
    assert.throws(() => readAll(FORMATTED, replyOf([...rows, row(after, '1')], '3')), { fault: 'MALFORMED' });
    const pages = [replyOf(rows, '3', { pageToken: 'a' }), replyOf([row(after, '1')], '3')];
    assert.throws(() => readAll(FORMATTED, ...pages), { fault: 'MALFORMED' });
  }
});

test('refuses replies of any other shape', () => {
  const good = row('1', '2');
  const replies: readonly unknown[] = [
    null,
    [],
    {},
    replyOf([good], undefined),
    replyOf([good], 1),
    replyOf([good], '2'),
    replyOf([good], '0'),
    replyOf([good], '-1'),
    replyOf([good, good, good, good, good, good], '6'),
    replyOf([good], '1000000', { pageToken: 'a' }),
    replyOf({}, '1'),
    replyOf([null], '1'),
    replyOf([{}], '1'),
    replyOf([{ f: [{ v: '1' }] }], '1'),
    replyOf([{ f: [{ v: '1' }, { v: '2' }, { v: '3' }] }], '1'),
    replyOf([{ f: ['1', '2'] }], '1'),
    replyOf([good], '1', { schema: undefined }),
    replyOf([good], '1', { schema: { fields: [FIELDS[1], FIELDS[0]] } }),
    replyOf([good], '1', { schema: { fields: [FIELDS[0]] } }),
    replyOf([good], '1', { schema: { fields: [...FIELDS, FIELDS[1]] } }),
    replyOf([good], '1', { schema: { fields: [{ name: 't', type: 'TIMESTAMP' }, FIELDS[1]] } }),
    replyOf([good], '1', { pageToken: 7 }),
    ...['', ' 1', '1.0', '1e3', '0x10', 1, true, undefined, [], '1'.repeat(20)].map((t) => replyOf([row(t, '2')], '1')),
    ...['', ' ', '1 ', '+1', '.5', '1.', '1,5', '0x10', '1e999', 2, true, undefined, {}, 'null'].map((v) =>
      replyOf([row('1', v)], '1'),
    ),
  ];
  for (const [i, reply] of replies.entries()) {
    assert.throws(() => readAll(QUERY, reply), { name: 'ProviderError', fault: 'MALFORMED' }, `reply ${i}`);
  }
  assert.deepEqual(readAll(QUERY, replyOf([good], '1')), { times: [1], values: [2] });
});

test('refuses rows in another order, and two rows of one period', () => {
  const ascending = replyOf([row('1', '1'), row('2', '1')], '2');
  const equal = replyOf([row('1', '1'), row('1', '2')], '2');
  assert.throws(() => readAll(QUERY, ascending), { fault: 'MALFORMED' });
  assert.deepEqual(readAll(QUERY, equal).values, [2, 1]);
  assert.throws(() => readAll(COMBINED, equal), { fault: 'MALFORMED' });
});

test('refuses a page that is sent twice, of another result or too long', () => {
  const first = replyOf([row('9', '1'), row('8', '1')], '4', { pageToken: 'a' });
  const second = [
    first,
    replyOf([row('7', '1')], '4'),
    replyOf([row('7', '1'), row('6', '1')], '5', { pageToken: 'b' }),
    replyOf([row('7', '1'), row('6', '1'), row('5', '1')], '4'),
  ];
  for (const reply of second) assert.throws(() => readAll(QUERY, first, reply), { fault: 'MALFORMED' });
});

test('refuses pages that do not end', () => {
  const one = (t: number, pageToken: string) => replyOf([row(String(t), '1')], '100', { pageToken });
  const query = { ...QUERY, maxRows: 100 };
  assert.throws(() => readAll(query, one(9, 'a'), replyOf([], '100', { pageToken: 'b' })), { fault: 'PAGE_LOOP' });
  assert.throws(() => readAll(query, one(9, 'a'), one(8, 'a')), { fault: 'PAGE_LOOP' });
  const many = Array.from({ length: 60 }, (_, i) => one(100 - i, `token ${i}`));
  assert.throws(() => readAll(query, ...many), { fault: 'PAGE_LOOP' });
});
