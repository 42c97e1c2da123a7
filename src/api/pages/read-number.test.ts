import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findReadings, readNumber } from './read-number.ts';

test('reads numbers with a decimal point or comma, thousands or an exponent', () => {
  for (const [text, value] of [
    ['1,250.5', 1250.5],
    ['120,5', 120.5],
    ['\u22123', -3],
    ['-3', -3],
    ['+3', 3],
    ['1e3', 1000],
    ['0.00000001', 1e-8],
    ['22.500,00', 22500],
    ['22,500', 22500],
    ['22,500.00', 22500],
    ['22.500', 22.5],
    ['1.250.000', 1250000],
    ['1.250.000,5', 1250000.5],
    ['0,125', 0.125],
    ['1234,567', 1234.567],
    [' 22 500,00 ', 22500],
    ['22\u202f500', 22500],
    ["-22'500.25", -22500.25],
  ] as const)
    assert.equal(readNumber(text), value, text);
});

test('refuses text that is not a number, and groups that do not fit', () => {
  for (const text of [
    '',
    ' ',
    '1,2,3',
    '1e999',
    '0x1f',
    'NaN',
    '<script>',
    '1.2.3',
    '22.50,00',
    '2250.000,00',
    '22,500,00',
    '1,250,5',
    '1 2',
    '1 250 00',
    '--3',
    '22.500,00.5',
    ',5',
    '5,',
    '22 500.000,5',
  ])
    assert.equal(readNumber(text), null, text);
});

test('finds the two readings of a number that some write with thousands and others with decimals', () => {
  const advice = '22.500 can mean 22500 or 22.5. Write 22500 or 22.5000.';
  assert.deepEqual(findReadings(' 22.500 '), { whole: 22500, decimal: 22.5, advice });
  assert.partialDeepStrictEqual(findReadings('\u22121,085'), { whole: -1085, decimal: -1.085 });
  for (const text of ['22.5', '22500', '0.125', '22.500,00', '1.250.000', '2250.000', '22.500x', ''])
    assert.equal(findReadings(text), null, text);
});
