import assert from 'node:assert/strict';
import { test } from 'node:test';
import { referenceOf } from '../../../test/support/datasets/warehouse-tables.ts';
import { canonicalJson, WarehouseSource } from '../../contract/index.ts';
import { canonicalReference } from './canonical-reference.ts';

test('references that read the same rows have one canonical form', () => {
  const one = referenceOf({
    start: '2024-01-01T01:00:00+01:00',
    end: '2025-01-01T00:00:00Z',
    filters: [
      { field: 'shop', values: ['b', 'a', 'b'] },
      { field: 'open', values: [true] },
    ],
  });
  const other = referenceOf({
    filters: [
      { field: 'open', values: [true, true] },
      { field: 'shop', values: ['a', 'b'] },
    ],
    end: '2025-01-01T00:00:00.000Z',
    start: '2024-01-01T00:00:00Z',
  });
  assert.deepEqual(canonicalReference(one), canonicalReference(other));
  const stored = JSON.parse(canonicalJson(canonicalReference(one)));
  assert.deepEqual(WarehouseSource.parse(stored), {
    ...other,
    start: '2024-01-01T00:00:00.000Z',
    filters: [
      { field: 'open', values: [true] },
      { field: 'shop', values: ['a', 'b'] },
    ],
  });
  assert.deepEqual(canonicalReference(canonicalReference(one)), canonicalReference(one));
});

test('fields that are left out differ from fields that are set', () => {
  const plain = canonicalReference(referenceOf({ filters: [] }));
  const expected = [
    'type',
    'table',
    'time_field',
    'time_format',
    'value_field',
    'filters',
    'start',
    'end',
    'aggregate',
  ];
  assert.deepEqual(Object.keys(plain), expected);
  assert.equal(canonicalJson(plain), canonicalJson(referenceOf()));
  const texts = new Set([
    canonicalJson(canonicalReference(referenceOf({ filters: [{ field: 'a', values: [1] }] }))),
    canonicalJson(canonicalReference(referenceOf({ filters: [{ field: 'a', values: ['1'] }] }))),
    canonicalJson(canonicalReference(referenceOf({ aggregate: { function: 'sum', frequency: '1D' } }))),
    canonicalJson(canonicalReference(referenceOf({ aggregate: { frequency: '1D', function: 'mean' } }))),
    canonicalJson(canonicalReference(referenceOf({ time_format: 'year' }))),
    canonicalJson(plain),
  ]);
  assert.equal(texts.size, 6);
});
