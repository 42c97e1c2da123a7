import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Cadence, futureTimestamps } from '../../../calendar/index.ts';
import { chooseSeasonalities } from './seasonalities.ts';

const MONTH = 365.25 / 12;
const YEAR = 365.25;

/** Periods in days and orders, for a series that starts on the first timestamp after `from`. */
function chosen(cadence: Cadence, from: string, rows: number, season: number): [number, number][] {
  const times = futureTimestamps(cadence, Date.parse(from), rows);
  return chooseSeasonalities(season, times).map(({ periodDays, order }) => [periodDays, order]);
}

const sessions: Cadence = { frequency: '1D', kind: 'exchange' };
const days: Cadence = { frequency: '1D', kind: 'plain' };

test('sessions of an exchange: 5 are a week, 21 a month, 63 a quarter, 252 a year', () => {
  assert.deepEqual(chosen(sessions, '2023-01-03', 250, 5), [[7, 2]]);
  assert.deepEqual(chosen(sessions, '2023-01-03', 250, 21), [[MONTH, 6]]);
  assert.deepEqual(chosen(sessions, '2020-01-02', 500, 63), [[YEAR / 4, 8]]);
  // Five weekdays take two waves, not the three of seven.
  assert.deepEqual(chosen(sessions, '2020-01-02', 800, 252), [
    [YEAR, 8],
    [7, 2],
  ]);
});

test('bars within the hours of an exchange: a season is counted in bars, a day is a day', () => {
  const hours: Cadence = { frequency: '1h', kind: 'exchange', hours: 'regular' };
  assert.deepEqual(chosen(hours, '2024-01-02T15:00Z', 200, 7), [[1, 3]]);
  assert.deepEqual(chosen(hours, '2024-01-02T15:00Z', 400, 35), [
    [7, 6],
    [1, 3],
  ]);
});

test('plain days and hours', () => {
  assert.deepEqual(chosen(days, '2023-01-01', 100, 7), [[7, 3]]);
  assert.deepEqual(chosen(days, '2020-01-01', 800, 7), [
    [7, 3],
    [YEAR, 6],
  ]);
  assert.deepEqual(chosen(days, '2020-01-01', 800, 365), [
    [YEAR, 8],
    [7, 3],
  ]);
  assert.deepEqual(chosen({ frequency: '1h', kind: 'plain' }, '2024-01-01', 600, 168), [
    [7, 8],
    [1, 6],
  ]);
});

test('calendar periods make calendar years', () => {
  assert.deepEqual(chosen({ frequency: '1W-MON', kind: 'plain' }, '2020-01-06', 120, 52), [[YEAR, 6]]);
  assert.deepEqual(chosen({ frequency: '1ME', kind: 'plain' }, '2020-01-31', 36, 12), [[YEAR, 4]]);
  assert.deepEqual(chosen({ frequency: '1QE', kind: 'plain' }, '2020-03-31', 12, 4), [[YEAR, 2]]);
});

test('nothing is repeated that was not seen twice', () => {
  assert.deepEqual(chosen({ frequency: '1ME', kind: 'plain' }, '2020-01-31', 22, 12), []);
  assert.deepEqual(chosen({ frequency: '1ME', kind: 'plain' }, '2020-01-31', 10, 12), []);
  assert.deepEqual(chosen(days, '2020-01-01', 600, 365), [[7, 3]]);
  assert.deepEqual(chosen(days, '2020-01-01', 600, 1), []);
});
