import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMissing, parseNumberIn } from './numbers.ts';
import { parseTimeIn, readClockOffset, type TimeFormat } from './times.ts';

test('parses numbers with a decimal point', () => {
  const valid: [string, number][] = [
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
  for (const [cell, value] of valid) assert.equal(parseNumberIn(cell, 'decimal_point'), value, cell);
  const refused = ['', '-', '1,5', '12,34', '1,2345', '0,123', '1,234 567', '1.2.3', '1e', '1e999', '0x10', '5%', '$5'];
  for (const cell of [...refused, '(5)', 'Infinity', '1_000', '--1', '1 2', '1,,234', '1e+', 'e5', '٣']) {
    assert.equal(parseNumberIn(cell, 'decimal_point'), null, cell);
  }
});

test('parses numbers with a decimal comma', () => {
  const valid: [string, number][] = [
    ['12', 12],
    ['1,5', 1.5],
    [',5', 0.5],
    ['0,123', 0.123],
    ['1.234,5', 1234.5],
    ['1.234.567', 1_234_567],
    ['-1 234,5', -1234.5],
    ['2,5e-3', 0.0025],
  ];
  for (const [cell, value] of valid) assert.equal(parseNumberIn(cell, 'decimal_comma'), value, cell);
  for (const cell of ['1.5', '1,2,3', '1,234.5', '12.34', '0.123']) {
    assert.equal(parseNumberIn(cell, 'decimal_comma'), null, cell);
  }
});

test('parses times in every format', () => {
  const valid: [string, TimeFormat, string][] = [
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
    ['1/31/2024 12:00 AM', 'month_first', '2024-01-31T00:00:00.000Z'],
    ['1/31/2024 12:05:09 pm', 'month_first', '2024-01-31T12:05:09.000Z'],
    ['2024-01-31 4:05PM', 'iso', '2024-01-31T16:05:00.000Z'],
    ['2024-01-31 4:05 p.m. +0100', 'iso', '2024-01-31T15:05:00.000Z'],
    ['20240229', 'basic', '2024-02-29T00:00:00.000Z'],
    ['18000101', 'basic', '1800-01-01T00:00:00.000Z'],
    ['2024-W01', 'week', '2024-01-01T00:00:00.000Z'],
    ['2021W01', 'week', '2021-01-04T00:00:00.000Z'],
    ['2020-W53', 'week', '2020-12-28T00:00:00.000Z'],
    ['2019-w01', 'week', '2018-12-31T00:00:00.000Z'],
    ['Q1 2024', 'quarter', '2024-03-31T00:00:00.000Z'],
    ['q4-2023', 'quarter', '2023-12-31T00:00:00.000Z'],
    ['2024-Q1', 'quarter', '2024-03-31T00:00:00.000Z'],
    ['Jan-2024', 'month', '2024-01-01T00:00:00.000Z'],
    ['September 2024', 'month', '2024-09-01T00:00:00.000Z'],
    ['sept. 2024', 'month', '2024-09-01T00:00:00.000Z'],
    ['Jan 1, 2024', 'month_name', '2024-01-01T00:00:00.000Z'],
    ['1 Jan 2024', 'month_name', '2024-01-01T00:00:00.000Z'],
    ['29-FEB-2024', 'month_name', '2024-02-29T00:00:00.000Z'],
    ['December 31 2024 23:30', 'month_name', '2024-12-31T23:30:00.000Z'],
  ];
  for (const [cell, format, instant] of valid) {
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
    ['1/31/2024 13:00 PM', 'month_first'],
    ['1/31/2024 0:30 AM', 'month_first'],
    ['20240230', 'basic'],
    ['17991231', 'basic'],
    ['22010101', 'basic'],
    ['2024013', 'basic'],
    ['2021-W53', 'week'],
    ['2024-W00', 'week'],
    ['1800-W01', 'week'],
    ['Q5 2024', 'quarter'],
    ['Jan-24', 'month'],
    ['Jan 24', 'month_name'],
    ['Juni 2024', 'month'],
    ['31 Apr 2024', 'month_name'],
    ['1 Jan-2024', 'month_name'],
  ];
  for (const [cell, format] of refused) assert.equal(parseTimeIn(cell, format), null, cell);
});

test('reads the offset of a time from UTC', () => {
  const cells: [string, number][] = [
    ['2024-01-01', 0],
    ['2024-01-01T00:00', 0],
    ['2024-01-01T00:00Z', 0],
    ['2024-01-01T00:00+05:30', 330],
    ['2024-01-01 00:00:00.5 -0100', -60],
    ['31-12-2024 10:00-08', -480],
    ['Jan 1, 2024 4:00 PM +0900', 540],
  ];
  for (const [cell, minutes] of cells) assert.equal(readClockOffset(cell), minutes, cell);
});

test('recognizes missing values', () => {
  for (const cell of ['', 'NA', 'n/a', '#N/A', 'NaN', 'NULL', '.']) assert.ok(isMissing(cell), cell);
  for (const cell of ['0', '-', '..', 'none', 'nan0', 'nano']) assert.ok(!isMissing(cell), cell);
});
