import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WarehouseQuery } from '../engine.ts';
import { type BigqueryTable, readTable } from './bigquery-table.ts';
import { estimateBytes } from './estimate-bytes.ts';

const ID = { dataset: 'd', table: 't' };
const REPLY = {
  tableReference: { projectId: 'bigquery-public-data', datasetId: 'd', tableId: 't' },
  type: 'TABLE',
  location: 'US',
  numRows: '1000',
  numBytes: '50000',
  lastModifiedTime: '1700000000000',
  schema: { fields: [] },
};
const read = (others: object) => readTable(ID, { ...REPLY, ...others });
const readFields = (...fields: readonly object[]) => read({ schema: { fields } }).columns;

test('reads the kinds of columns', () => {
  const types = ['STRING', 'INTEGER', 'INT64', 'FLOAT', 'FLOAT64', 'NUMERIC', 'BIGNUMERIC', 'BOOLEAN', 'BOOL'];
  const others = [
    'DATE',
    'DATETIME',
    'TIMESTAMP',
    'TIME',
    'BYTES',
    'RECORD',
    'STRUCT',
    'JSON',
    'GEOGRAPHY',
    'constructor',
  ];
  const columns = readFields(...[...types, ...others].map((type, i) => ({ name: `c${i}`, type })));
  assert.deepEqual(
    columns.map(({ kind }) => kind),
    [
      ...['text', 'integer', 'integer', 'number', 'number', 'number', 'number', 'boolean', 'boolean'],
      ...['date', 'datetime', 'timestamp', ...Array(7).fill('other')],
    ],
  );
  assert.deepEqual(columns[1], { name: 'c1', kind: 'integer', type: 'INT64', isRequired: false });
  const [repeated, required] = readFields(
    { name: 'a', type: 'STRING', mode: 'REPEATED' },
    { name: 'b', type: 'DATE', mode: 'REQUIRED', description: ' first\n\nsecond\u0000' },
  );
  assert.equal(repeated?.kind, 'other');
  assert.deepEqual(required, { name: 'b', kind: 'date', type: 'DATE', isRequired: true, description: 'first second' });
});

test('columns whose names cannot be quoted safely cannot be used', () => {
  const names = ['a`b', 'a\\b', 'a\nb', 'a\u202eb', '', 'x'.repeat(301), 'a"b', 'a;b', 'a.b', 'a@b'];
  for (const name of names) assert.equal(readFields({ name, type: 'DATE' })[0]?.kind, 'other', JSON.stringify(name));
  for (const name of ['_x', '__proto__', 'größe', '2024 a-b', "it's", 'x'.repeat(300)]) {
    assert.equal(readFields({ name, type: 'DATE' })[0]?.kind, 'date', name);
  }
});

test('states what the metadata state', () => {
  const stated = read({ friendlyName: ' Taxi\ntrips ', description: `A${'é'.repeat(3_000)}` });
  assert.equal(stated.title, 'Taxi trips');
  assert.equal(stated.notes?.length, 2_000);
  assert.deepEqual([stated.rows, stated.bytes, stated.lastUpdate], [1_000, 50_000, '2023-11-14T22:13:20.000Z']);
  const bare = { numRows: undefined, numBytes: null, lastModifiedTime: undefined, schema: undefined, friendlyName: '' };
  const { title, rows, bytes, lastUpdate, notes, columns } = read(bare);
  assert.deepEqual([title, rows, bytes, lastUpdate, notes, columns], ['t', null, null, null, null, []]);
});

test('views have no number of rows, and the size of a table to which rows are added is unknown', () => {
  for (const type of ['VIEW', 'MATERIALIZED_VIEW', 'EXTERNAL', undefined]) {
    const { rows, bytes } = read({ type, numRows: '0', numBytes: '0' });
    assert.deepEqual([rows, bytes], [null, null]);
  }
  const { rows, bytes } = read({ streamingBuffer: { estimatedRows: '5', estimatedBytes: '60' } });
  assert.deepEqual([rows, bytes], [1_000, null]);
});

test('reads whether a partition filter is required, in both places', () => {
  assert.equal(read({}).requiresPartitionFilter, false);
  assert.equal(read({ requirePartitionFilter: true }).requiresPartitionFilter, true);
  assert.equal(read({ timePartitioning: { requirePartitionFilter: true } }).requiresPartitionFilter, true);
});

test('refuses replies of any other shape, and those about another table', () => {
  const { tableReference } = REPLY;
  const wrong: readonly object[] = [
    { tableReference: undefined },
    { tableReference: { ...tableReference, projectId: 'other' } },
    { tableReference: { ...tableReference, datasetId: 'D' } },
    { tableReference: { ...tableReference, tableId: 'u' } },
    { location: undefined },
    { location: '' },
    { location: 'US&x=1' },
    { numRows: 1_000 },
    { numRows: '-1' },
    { numRows: '9'.repeat(19) },
    { numBytes: 'many' },
    { lastModifiedTime: '99999999999999999' },
    { lastModifiedTime: '8640000000000001' },
    { friendlyName: 7 },
    { description: {} },
    { schema: [] },
    { schema: { fields: {} } },
    { schema: { fields: [null] } },
    { schema: { fields: [{ name: 'a' }] } },
    { schema: { fields: [{ type: 'DATE' }] } },
    {
      schema: {
        fields: [
          { name: 'a', type: 'DATE' },
          { name: 'A', type: 'DATE' },
        ],
      },
    },
    { schema: { fields: Array.from({ length: 10_001 }, (_, i) => ({ name: `c${i}`, type: 'DATE' })) } },
  ];
  for (const [i, others] of wrong.entries()) {
    assert.throws(() => read(others), { name: 'ProviderError', fault: 'MALFORMED' }, `reply ${i}`);
  }
  for (const reply of [null, [], 'x']) assert.throws(() => readTable(ID, reply), { fault: 'MALFORMED' });
});

function estimate(table: BigqueryTable, time: string, value: string, ...filters: readonly string[]): number | null {
  const columnOf = (name: string) => table.columns.find((column) => column.name === name) ?? assert.fail(name);
  const query: WarehouseQuery = {
    time: { column: columnOf(time), format: null },
    value: columnOf(value),
    filters: filters.map((name) => ({ column: columnOf(name), values: [] })),
    from: null,
    to: null,
    aggregate: null,
    maxRows: 1,
  };
  return estimateBytes(table, query);
}

test('estimates at most the bytes of the columns', () => {
  const widths = { INT64: 8, FLOAT64: 8, NUMERIC: 16, BIGNUMERIC: 32, BOOL: 1, DATE: 8, DATETIME: 8, TIMESTAMP: 8 };
  const fields = [...Object.keys(widths), 'STRING'].map((type) => ({ name: type, type }));
  const table = read({ numBytes: '100000', schema: { fields } });
  for (const [type, width] of Object.entries(widths)) {
    if (type !== 'DATE') assert.equal(estimate(table, 'DATE', type), 1_000 * (8 + width), type);
  }
  assert.equal(estimate(table, 'DATE', 'DATE', 'BOOL', 'BOOL'), 9_000, 'a column counts once');
  assert.equal(estimate(table, 'DATE', 'INT64', 'STRING'), 100_000, 'columns can be NULL and take no bytes');
  assert.equal(estimate(read({ numBytes: '100', schema: { fields } }), 'DATE', 'INT64'), 100);
});

test('the bytes of texts are at most those that columns with a value in every row leave', () => {
  const fields = [
    { name: 'day', type: 'DATE', mode: 'REQUIRED' },
    { name: 'x', type: 'NUMERIC', mode: 'REQUIRED' },
    { name: 'y', type: 'NUMERIC' },
    { name: 'name', type: 'STRING' },
  ];
  const table = read({ schema: { fields } });
  assert.equal(estimate(table, 'day', 'y', 'name'), 50_000 - 16_000);
  assert.equal(estimate(read({ numBytes: '10', schema: { fields } }), 'day', 'y', 'name'), 0);
});

test('estimates nothing if the size is unknown', () => {
  const schema = { fields: [{ name: 'day', type: 'DATE' }] };
  for (const others of [{ numRows: undefined }, { numBytes: undefined }, { type: 'VIEW' }, { streamingBuffer: {} }]) {
    assert.equal(estimate(read({ schema, ...others }), 'day', 'day'), null);
  }
});
