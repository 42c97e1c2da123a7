import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseValue } from '../../../../test/support/datasets/bigquery-values.ts';
import type { FilterValue } from '../engine.ts';
import { encodeParameter } from './query-parameters.ts';

function encode(type: string, value: FilterValue): readonly [type: string, value: string] {
  const column = { name: 'c', kind: 'other', type } as const;
  const { name, parameterType, parameterValue } = encodeParameter({ name: 'p0', column, value });
  assert.equal(name, 'p0');
  return [parameterType.type, parameterValue.value];
}

test('encodes values with the type of their column', () => {
  const time = Date.UTC(2024, 1, 29, 13, 4, 5, 60);
  const cases: readonly (readonly [type: string, value: FilterValue, text: string])[] = [
    ['STRING', "it's `x` \\ @p0 é\n", "it's `x` \\ @p0 é\n"],
    ['STRING', '', ''],
    ['BOOL', true, 'true'],
    ['BOOL', false, 'false'],
    ['INT64', -3, '-3'],
    ['INT64', Number.MAX_SAFE_INTEGER, '9007199254740991'],
    ['INT64', 1e15, '1000000000000000'],
    ['INT64', '9223372036854775807', '9223372036854775807'],
    ['FLOAT64', 0.1, '0.1'],
    ['FLOAT64', 1e-7, '1e-7'],
    ['DATE', Date.UTC(1899, 11, 31), '1899-12-31'],
    ['DATETIME', time, '2024-02-29T13:04:05.060'],
    ['TIMESTAMP', time, '2024-02-29 13:04:05.060+00:00'],
    ['TIMESTAMP', -1, '1969-12-31 23:59:59.999+00:00'],
  ];
  for (const [type, value, text] of cases) {
    assert.deepEqual(encode(type, value), [type, text]);
    parseValue(type, text);
  }
});

test('encodes decimal numbers without an exponent and without rounding', () => {
  const cases: readonly (readonly [value: FilterValue, text: string])[] = [
    [0, '0'],
    [-0, '0'],
    [12.5, '12.5'],
    [-1.5e-7, '-0.00000015'],
    [1e-9, '0.000000001'],
    [1e21, '1000000000000000000000'],
    [-1.25e22, '-12500000000000000000000'],
    ['00012.3400', '12.34'],
    ['12345678901234567890.123456789', '12345678901234567890.123456789'],
    ['1e3', '1000'],
  ];
  for (const [value, text] of cases) {
    assert.deepEqual(encode('NUMERIC', value), ['NUMERIC', text]);
    assert.deepEqual(encode('BIGNUMERIC', value), ['BIGNUMERIC', text]);
    parseValue('NUMERIC', text);
  }
  assert.deepEqual(encode('BIGNUMERIC', 1e-38), ['BIGNUMERIC', `0.${'0'.repeat(37)}1`]);
});

test('a number that a decimal column cannot contain is compared as a double, which no row equals', () => {
  assert.deepEqual(encode('NUMERIC', 0.1234567891), ['FLOAT64', '0.1234567891']);
  assert.deepEqual(encode('NUMERIC', 1e29), ['FLOAT64', '1e+29']);
  assert.deepEqual(encode('NUMERIC', 1e28), ['NUMERIC', `1${'0'.repeat(28)}`]);
  assert.deepEqual(encode('BIGNUMERIC', 1e-39), ['FLOAT64', '1e-39']);
  assert.deepEqual(encode('BIGNUMERIC', 1e300), ['FLOAT64', '1e+300']);
});

test('throws for values that the check of a reference does not let pass', () => {
  for (const value of [1.5, 'x', Number.NaN]) assert.throws(() => encode('INT64', value));
  for (const value of ['x', '1 OR 1', Number.POSITIVE_INFINITY, '']) assert.throws(() => encode('NUMERIC', value));
  assert.throws(() => encode('DATE', 'x'));
  assert.throws(() => encode('BYTES', 'x'), TypeError);
});
