import assert from 'node:assert/strict';
import { test } from 'node:test';
import { futureTimes } from './future-times.ts';

const day = (text: string) => Date.parse(`${text}T00:00:00Z`);
const next = (dates: string[], steps: number) => {
  const at = futureTimes(Float64Array.from(dates, day));
  return Array.from({ length: steps }, (_, i) => new Date(at(i + 1)).toISOString().slice(0, 10));
};

test('months keep to the calendar, month ends to the end', () => {
  assert.deepEqual(next(['2024-11-01', '2024-12-01', '2025-01-01'], 2), ['2025-02-01', '2025-03-01']);
  assert.deepEqual(next(['2024-11-30', '2024-12-31', '2025-01-31'], 2), ['2025-02-28', '2025-03-31']);
});

test('quarters and years', () => {
  assert.deepEqual(next(['2024-01-01', '2024-04-01', '2024-07-01'], 2), ['2024-10-01', '2025-01-01']);
  assert.deepEqual(next(['2022-01-01', '2023-01-01', '2024-01-01'], 1), ['2025-01-01']);
});

test('trading days skip the weekend, other days do not', () => {
  // 2025-01-06 is a Monday.
  const weekdays = ['06', '07', '08', '09', '10', '13', '14', '15', '16', '17'].map((d) => `2025-01-${d}`);
  assert.deepEqual(next(weekdays, 6), [
    '2025-01-20',
    '2025-01-21',
    '2025-01-22',
    '2025-01-23',
    '2025-01-24',
    '2025-01-27',
  ]);
  assert.deepEqual(next(['2025-01-15', '2025-01-16', '2025-01-17'], 1), ['2025-01-18']);
});
