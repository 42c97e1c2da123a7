import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, sessionsBetween } from '../calendar/index.ts';
import { aggregateDays } from './aggregate-bars.ts';
import type { BarTable } from './bars.ts';

const day = (text: string): number => Date.parse(`${text}T00:00:00Z`);

/** Returns a bar from 10 + i to 20 + i for each day. */
function barsOn(days: ArrayLike<number>): BarTable {
  const column = (value: (i: number) => number): Float64Array => Float64Array.from(days, (_, i) => value(i));
  return {
    timestamps: Float64Array.from(days),
    columns: {
      open: column((i) => 12 + i),
      high: column((i) => 20 + i),
      low: column((i) => 10 + i),
      close: column((i) => 15 + i),
      volume: column((i) => 100 + i),
    },
  };
}

const datesOf = ({ timestamps }: BarTable): string[] =>
  Array.from(timestamps, (time) => new Date(time).toISOString().slice(0, 10));

test('starts weeks on Monday even if the first session is later', () => {
  // Monday, 2024-01-01, and Monday, 2024-01-15, were holidays.
  const { bars, firstCut, lastCut } = aggregateDays(
    barsOn(sessionsBetween(day('2024-01-01'), day('2024-01-19'))),
    '1W-MON',
    'exchange',
  );
  assert.deepEqual(datesOf(bars), ['2024-01-01', '2024-01-08', '2024-01-15']);
  assert.deepEqual([firstCut, lastCut], [null, null]);
  const { open, high, low, close, volume } = bars.columns;
  assert.deepEqual([open[0], high[0], low[0], close[0], volume[0]], [12, 23, 10, 18, 100 + 101 + 102 + 103]);
  assert.deepEqual([open[1], high[1], low[1], close[1]], [16, 28, 14, 23]);
});

test('builds calendar months and omits those that the days do not cover', () => {
  const { bars, firstCut, lastCut } = aggregateDays(
    barsOn(sessionsBetween(day('2024-01-10'), day('2024-04-29'))),
    '1MS',
    'exchange',
  );
  assert.deepEqual(datesOf(bars), ['2024-02-01', '2024-03-01']);
  assert.deepEqual([firstCut, lastCut], [day('2024-01-01'), day('2024-04-01')]);
});

test('completes a month whose last session is the day before Good Friday', () => {
  const days = sessionsBetween(day('2024-03-01'), day('2024-03-28'));
  assert.deepEqual(datesOf(aggregateDays(barsOn(days), '1MS', 'exchange').bars), ['2024-03-01']);
});

test('leaves missing days and missing periods out', () => {
  const days = sessionsBetween(day('2024-01-01'), day('2024-01-26')).filter((_, i) => i !== 5 && (i < 9 || i > 12));
  assert.deepEqual(datesOf(aggregateDays(barsOn(days), '1W-MON', 'exchange').bars), [
    '2024-01-01',
    '2024-01-08',
    '2024-01-22',
  ]);
});

test('expects currencies from Monday to Friday, also on holidays', () => {
  const from = day('2024-01-01');
  const days = Array.from({ length: 12 }, (_, i) => from + i * DAY_MS).filter((time) => new Date(time).getUTCDay() % 6);
  assert.deepEqual(datesOf(aggregateDays(barsOn(days), '1W-MON', 'plain').bars), ['2024-01-01', '2024-01-08']);
});

test('expects every weekday before the known sessions', () => {
  const from = day('1985-07-01');
  const days = Array.from({ length: 31 }, (_, i) => from + i * DAY_MS).filter((time) => new Date(time).getUTCDay() % 6);
  assert.deepEqual(datesOf(aggregateDays(barsOn(days), '1MS', 'exchange').bars), ['1985-07-01']);
});

test('returns no bars for no days', () => {
  assert.deepEqual(datesOf(aggregateDays(barsOn([]), '1MS', 'exchange').bars), []);
});
