import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Cadence } from './cadence.ts';
import { futureTimestamps } from './future-timestamps.ts';

function future(cadence: Cadence, last: string, horizon: number): string[] {
  const times = futureTimestamps(cadence, Date.parse(last), horizon);
  return Array.from(times, (time) => new Date(time).toISOString().slice(0, 16).replace('T00:00', ''));
}

test('continues weeks and longer periods by the calendar for both kinds of series', () => {
  for (const kind of ['plain', 'exchange'] as const) {
    assert.deepEqual(future({ frequency: '1W-MON', kind }, '2023-12-25', 2), ['2024-01-01', '2024-01-08']);
    assert.deepEqual(future({ frequency: '1MS', kind }, '2023-12-01', 3), ['2024-01-01', '2024-02-01', '2024-03-01']);
    assert.deepEqual(future({ frequency: '1ME', kind }, '2023-12-31', 3), ['2024-01-31', '2024-02-29', '2024-03-31']);
    assert.deepEqual(future({ frequency: '1QE', kind }, '2023-12-31', 3), ['2024-03-31', '2024-06-30', '2024-09-30']);
    assert.deepEqual(future({ frequency: '1YE', kind }, '2023-12-31', 2), ['2024-12-31', '2025-12-31']);
  }
});

test('continues daily bars of an exchange by sessions and other days by the calendar', () => {
  const sessions = ['2024-03-28', '2024-04-01', '2024-04-02'];
  assert.deepEqual(future({ frequency: '1D', kind: 'exchange' }, '2024-03-27', 3), sessions);
  assert.deepEqual(future({ frequency: '1D', kind: 'plain' }, '2024-03-28', 3), [
    '2024-03-29',
    '2024-03-30',
    '2024-03-31',
  ]);
});

test('continues intraday rows by plain steps, also for an exchange without stated hours', () => {
  for (const kind of ['plain', 'exchange'] as const) {
    assert.deepEqual(future({ frequency: '4h', kind }, '2024-01-05T20:00Z', 2), ['2024-01-06', '2024-01-06T04:00']);
    assert.deepEqual(future({ frequency: '30min', kind }, '2024-01-05T23:30Z', 1), ['2024-01-06']);
  }
});

test('continues intraday bars within the stated hours of an exchange', () => {
  const hourly = { frequency: '1h', kind: 'exchange' } as const;
  // Winter: Friday closes at 21:00 UTC, Monday opens at 14:30.
  assert.deepEqual(future({ ...hourly, hours: 'regular' }, '2024-01-05T19:00Z', 3), [
    '2024-01-05T20:00',
    '2024-01-08T14:00',
    '2024-01-08T15:00',
  ]);
  // Extended hours end at 01:00 UTC of the next day and begin at 09:00.
  assert.deepEqual(future({ ...hourly, hours: 'extended' }, '2024-01-05T23:00Z', 2), [
    '2024-01-06',
    '2024-01-08T09:00',
  ]);
});

test('refuses a last timestamp off the grid and an invalid horizon', () => {
  const bars = { frequency: '1D', kind: 'exchange' } as const;
  assert.throws(() => future(bars, '2024-01-06', 1), { code: 'MISALIGNED' });
  assert.throws(() => future(bars, 'never', 1), { code: 'NON_FINITE' });
  for (const horizon of [0, -1, 1.5, Number.NaN, 10_001])
    assert.throws(() => future(bars, '2024-01-05', horizon), RangeError);
  assert.throws(() => future({ frequency: '1YE', kind: 'plain' }, '2199-12-31', 2), RangeError);
  assert.throws(() => future(bars, '2200-12-30', 10), RangeError);
});
