import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readNumber } from './read-number.ts';

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
