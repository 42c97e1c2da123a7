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

/** Returns the days from one date to another, both included, on which the predicate holds for the day of the week. */
function daysBetween(from: string, to: string, isKept: (dayOfWeek: number) => boolean = () => true): number[] {
  const count = (day(to) - day(from)) / DAY_MS + 1;
  const days = Array.from({ length: count }, (_, i) => day(from) + i * DAY_MS);
  return days.filter((time) => isKept(new Date(time).getUTCDay()));
}

test('expects currencies from Sunday to Friday, and Sunday belongs to the week that ends with it', () => {
  const isNoSaturday = (dayOfWeek: number) => dayOfWeek !== 6;
  const weeks = (from: string, to: string) =>
    aggregateDays(barsOn(daysBetween(from, to, isNoSaturday)), '1W-MON', 'currency');
  const { bars } = weeks('2024-01-01', '2024-01-14');
  assert.deepEqual(datesOf(bars), ['2024-01-01', '2024-01-08']);
  assert.deepEqual([...bars.columns.close], [20, 26], 'the closes of Sunday');
  assert.deepEqual(datesOf(weeks('2024-01-01', '2024-01-12').bars), ['2024-01-01'], 'Sunday is missing');
  assert.deepEqual(datesOf(weeks('2024-01-02', '2024-01-14').bars), ['2024-01-08'], 'Monday is missing');
  // June 2024 begins on a Saturday, and ends on a Sunday.
  const months = (from: string, to: string) =>
    datesOf(aggregateDays(barsOn(daysBetween(from, to, isNoSaturday)), '1MS', 'currency').bars);
  assert.deepEqual(months('2024-06-02', '2024-06-30'), ['2024-06-01']);
  assert.deepEqual(months('2024-06-03', '2024-06-30'), []);
});

test('expects currencies from Monday to Friday before 1987', () => {
  const days = daysBetween('1973-06-01', '1973-06-30', (dayOfWeek) => dayOfWeek % 6 !== 0);
  assert.deepEqual(datesOf(aggregateDays(barsOn(days), '1MS', 'currency').bars), ['1973-06-01']);
});

test('expects plain instruments on every day', () => {
  const weeks = (from: string, to: string) =>
    datesOf(aggregateDays(barsOn(daysBetween(from, to)), '1W-MON', 'plain').bars);
  assert.deepEqual(weeks('2024-01-01', '2024-01-14'), ['2024-01-01', '2024-01-08']);
  assert.deepEqual(weeks('2024-01-01', '2024-01-12'), ['2024-01-01']);
});

test('expects every weekday before the known sessions', () => {
  const days = daysBetween('1985-07-01', '1985-07-31', (dayOfWeek) => dayOfWeek % 6 !== 0);
  assert.deepEqual(datesOf(aggregateDays(barsOn(days), '1MS', 'exchange').bars), ['1985-07-01']);
});

test('returns no bars for no days', () => {
  assert.deepEqual(datesOf(aggregateDays(barsOn([]), '1MS', 'exchange').bars), []);
});
