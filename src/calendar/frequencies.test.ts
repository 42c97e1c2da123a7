import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FREQUENCIES, FREQUENCY_DESCRIPTORS, isFrequency } from './frequencies.ts';

// The rows of the contract's table, written out by hand.
const ROWS = [
  ['1min', '1Min', null],
  ['5min', '5Min', null],
  ['15min', '15Min', null],
  ['30min', '30Min', null],
  ['1h', '1Hour', null],
  ['4h', '4Hour', null],
  ['1D', '1Day', null],
  ['1W-MON', '1Week', 'week'],
  ['1MS', '1Month', 'month'],
];

test('describes the frequencies as the contract does, with week_start only for weekly', () => {
  const expected = ROWS.map(([frequency, timeframe, calendar_period]) => ({
    frequency,
    timeframe,
    bucket_timezone: 'UTC',
    calendar_period,
    ...(frequency === '1W-MON' ? { week_start: 'Monday' } : {}),
    completed_bars_only: true,
    missing_intervals: 'not_filled',
  }));
  assert.deepEqual(FREQUENCY_DESCRIPTORS, expected);
});

test('accepts the nine bar frequencies and three period ends by their exact names', () => {
  assert.deepEqual(FREQUENCIES, [...ROWS.map(([frequency]) => frequency), '1ME', '1QE', '1YE']);
  assert.ok(FREQUENCIES.every(isFrequency));
  for (const text of ['1me', '1ms', '1YS', '1d', '', 'toString']) assert.equal(isFrequency(text), false, text);
});
