import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Cadence, futureTimestamps } from '../../../calendar/index.ts';
import { chooseSeasonalities } from './seasonalities.ts';

const MONTH = 365.25 / 12;
const YEAR = 365.25;

/** Returns periods in days with their orders, for a series that starts on the first timestamp after `from`. */
function chosen(cadence: Cadence, from: string, rows: number, season: number): [number, number][] {
  const times = futureTimestamps(cadence, Date.parse(from), rows);
  return chooseSeasonalities(season, times).map(({ periodDays, order }) => [periodDays, order]);
}

const sessions: Cadence = { frequency: '1D', kind: 'exchange' };
const days: Cadence = { frequency: '1D', kind: 'plain' };

test('reads 5 sessions as a week, 21 as a month, 63 as a quarter, 252 as a year', () => {
  assert.deepEqual(chosen(sessions, '2023-01-03', 250, 5), [[7, 2]]);
  assert.deepEqual(chosen(sessions, '2023-01-03', 250, 21), [[MONTH, 6]]);
  assert.deepEqual(chosen(sessions, '2020-01-02', 500, 63), [[YEAR / 4, 8]]);
  // Five weekdays take order 2; seven would take 3.
  assert.deepEqual(chosen(sessions, '2020-01-02', 800, 252), [
    [YEAR, 8],
    [7, 2],
  ]);
});

test('counts a season of exchange bars in bars, and its duration in days', () => {
  const hours: Cadence = { frequency: '1h', kind: 'exchange', hours: 'regular' };
  assert.deepEqual(chosen(hours, '2024-01-02T15:00Z', 200, 7), [[1, 3]]);
  assert.deepEqual(chosen(hours, '2024-01-02T15:00Z', 400, 35), [
    [7, 6],
    [1, 3],
  ]);
});

test('chooses the patterns of plain days and hours', () => {
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

test('reads calendar periods as calendar years', () => {
  assert.deepEqual(chosen({ frequency: '1W-MON', kind: 'plain' }, '2020-01-06', 120, 52), [[YEAR, 6]]);
  assert.deepEqual(chosen({ frequency: '1ME', kind: 'plain' }, '2020-01-31', 36, 12), [[YEAR, 4]]);
  assert.deepEqual(chosen({ frequency: '1QE', kind: 'plain' }, '2020-03-31', 12, 4), [[YEAR, 2]]);
});

test('uses no pattern that the series does not span twice', () => {
  assert.deepEqual(chosen({ frequency: '1ME', kind: 'plain' }, '2020-01-31', 22, 12), []);
  assert.deepEqual(chosen({ frequency: '1ME', kind: 'plain' }, '2020-01-31', 10, 12), []);
  assert.deepEqual(chosen(days, '2020-01-01', 600, 365), [[7, 3]]);
  assert.deepEqual(chosen(days, '2020-01-01', 600, 1), []);
});
