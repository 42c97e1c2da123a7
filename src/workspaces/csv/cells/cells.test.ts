import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMissing } from './missing.ts';
import { parseNumberIn } from './numbers.ts';
import { parseTimeIn, type TimeFormat } from './times.ts';

test('numbers with a decimal point', () => {
  const read: [string, number][] = [
    ['0', 0],
    ['-12', -12],
    ['+1.5', 1.5],
    ['.5', 0.5],
    ['5.', 5],
    ['007', 7],
    ['1e3', 1000],
    ['-2.5E-3', -0.0025],
    ['1,234,567.25', 1_234_567.25],
    ['1,234', 1234],
    ['1 234.5', 1234.5],
    ['1\u00a0234\u00a0567', 1_234_567],
    ['1\u202f234', 1234],
    ["1'234.5", 1234.5],
    ['−3.5', -3.5],
    ['12345678901234567890', 12_345_678_901_234_567_000],
  ];
  for (const [cell, value] of read) assert.equal(parseNumberIn(cell, 'decimal_point'), value, cell);
  const refused = ['', '-', '1,5', '12,34', '1,2345', '0,123', '1,234 567', '1.2.3', '1e', '1e999', '0x10', '5%', '$5'];
  for (const cell of [...refused, '(5)', 'Infinity', '1_000', '--1', '1 2', '1,,234', '1e+', 'e5', '٣']) {
    assert.equal(parseNumberIn(cell, 'decimal_point'), null, cell);
  }
});

test('numbers with a decimal comma', () => {
  const read: [string, number][] = [
    ['12', 12],
    ['1,5', 1.5],
    [',5', 0.5],
    ['0,123', 0.123],
    ['1.234,5', 1234.5],
    ['1.234.567', 1_234_567],
    ['-1 234,5', -1234.5],
    ['2,5e-3', 0.0025],
  ];
  for (const [cell, value] of read) assert.equal(parseNumberIn(cell, 'decimal_comma'), value, cell);
  for (const cell of ['1.5', '1,2,3', '1,234.5', '12.34', '0.123']) {
    assert.equal(parseNumberIn(cell, 'decimal_comma'), null, cell);
  }
});

test('times', () => {
  const read: [string, TimeFormat, string][] = [
    ['2024-02-29', 'iso', '2024-02-29T00:00:00.000Z'],
    ['2024/2/9', 'iso', '2024-02-09T00:00:00.000Z'],
    ['2024-01-31T09:30', 'iso', '2024-01-31T09:30:00.000Z'],
    ['2024-01-31 09:30:15.1239', 'iso', '2024-01-31T09:30:15.123Z'],
    ['2024-01-31T09:30:00Z', 'iso', '2024-01-31T09:30:00.000Z'],
    ['2024-01-31T09:30:00+05:30', 'iso', '2024-01-31T04:00:00.000Z'],
    ['2024-01-01 00:30:00 -0100', 'iso', '2024-01-01T01:30:00.000Z'],
    ['2024-01', 'month', '2024-01-01T00:00:00.000Z'],
    ['2024M12', 'month', '2024-12-01T00:00:00.000Z'],
    ['2024Q1', 'quarter', '2024-03-31T00:00:00.000Z'],
    ['2024-q4', 'quarter', '2024-12-31T00:00:00.000Z'],
    ['2200Q4', 'quarter', '2200-12-31T00:00:00.000Z'],
    ['1871', 'year', '1871-12-31T00:00:00.000Z'],
    ['03.02.2024', 'day_first', '2024-02-03T00:00:00.000Z'],
    ['3/2/2024 14:05', 'month_first', '2024-03-02T14:05:00.000Z'],
    ['31-12-2024', 'day_first', '2024-12-31T00:00:00.000Z'],
  ];
  for (const [cell, format, instant] of read) {
    assert.equal(new Date(parseTimeIn(cell, format) ?? Number.NaN).toISOString(), instant, cell);
  }
  const refused: [string, TimeFormat][] = [
    ['2023-02-29', 'iso'],
    ['2024-13-01', 'iso'],
    ['2024-1/2', 'iso'],
    ['2024-01-01T24:00', 'iso'],
    ['2024-01-01T10:60', 'iso'],
    ['2024-01-01T10:00:00+15:00', 'iso'],
    ['24-01-01', 'iso'],
    ['0024-01-05', 'iso'],
    ['1799-12-31', 'iso'],
    ['2201-01-01', 'iso'],
    ['20240131', 'iso'],
    ['2024-13', 'month'],
    ['2024.01', 'month'],
    ['2024Q5', 'quarter'],
    ['0024Q1', 'quarter'],
    ['0024', 'year'],
    ['99999', 'year'],
    ['13/13/2024', 'day_first'],
    ['31.02.2024', 'day_first'],
    ['01.02.24', 'day_first'],
    ['13/02/2024', 'month_first'],
  ];
  for (const [cell, format] of refused) assert.equal(parseTimeIn(cell, format), null, cell);
});

test('what says that there is no value', () => {
  for (const cell of ['', 'NA', 'n/a', '#N/A', 'NaN', 'NULL', '.']) assert.ok(isMissing(cell), cell);
  for (const cell of ['0', '-', '..', 'none', 'nan0', 'nano']) assert.ok(!isMissing(cell), cell);
});
