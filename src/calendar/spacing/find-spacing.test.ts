import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FREQUENCIES, type Frequency } from '../frequencies.ts';
import { futureTimestamps } from '../future-timestamps.ts';
import { fixedStep, periodTimestamp } from '../periods.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../time-range.ts';
import { findSpacing, type Spacing } from './find-spacing.ts';

const spacingOf = (instants: readonly number[], written = instants): Spacing | null =>
  findSpacing({ instants, written });
const many = (count: number, of: (row: number) => number) => Array.from({ length: count }, (_, row) => of(row));

const start = fc.integer({ min: Date.UTC(1801, 0, 1), max: Date.UTC(2100, 0, 1) });
const canonical = fc
  .tuple(fc.constantFrom(...FREQUENCIES), start, fc.integer({ min: 3, max: 60 }))
  .map(([frequency, instant, count]) => {
    const cadence = { frequency, kind: 'plain' } as const;
    return { frequency, rows: [...futureTimestamps(cadence, periodTimestamp(frequency, instant), count)] };
  });

test('returns the frequency of rows on a grid, and their periods have the timestamps of the rows', () => {
  fc.assert(
    fc.property(canonical, ({ frequency, rows }) => {
      assert.deepEqual(spacingOf(rows), { kind: 'periods', frequency });
      assert.deepEqual(
        rows.map((time) => periodTimestamp(frequency, time)),
        rows,
      );
    }),
    { numRuns: 300, seed: 1 },
  );
});

test('finds the periods of rows at a constant offset, even with a third of the rows missing', () => {
  fc.assert(
    fc.property(canonical, fc.nat(), ({ frequency, rows }, offset) => {
      const step = fixedStep(frequency);
      fc.pre(step !== null && rows.length > 6);
      const kept = rows.filter((_, row) => row % 3 !== 2);
      const moved = kept.map((time) => time + (offset % (step ?? 1)));
      assert.deepEqual(spacingOf(moved), { kind: 'periods', frequency });
      assert.deepEqual(
        moved.map((time) => periodTimestamp(frequency, time)),
        kept,
      );
    }),
    { numRuns: 300, seed: 1 },
  );
});

const isWeekend = (time: number) => [0, 6].includes(new Date(time).getUTCDay());

function businessDay(time: number, direction: 1 | -1): number {
  return isWeekend(time) ? businessDay(time + direction * DAY_MS, direction) : time;
}

test('finds the periods of common spacings', () => {
  const businessDays = many(200, (row) => Date.UTC(2023, 0, 1) + row * DAY_MS).filter((day) => !isWeekend(day));
  // New York: 20:00 UTC in summer, 21:00 in winter.
  const closes = businessDays.map((day) => day + (day < Date.UTC(2023, 2, 12) ? 21 : 20) * HOUR_MS);
  const common: [string, number[], Frequency][] = [
    [
      'Fridays, and a Thursday before a holiday',
      many(30, (row) => Date.UTC(2024, 0, 5 + 7 * row - (row === 12 ? 1 : 0))),
      '1W-MON',
    ],
    ['quarter starts', many(12, (row) => Date.UTC(2000, 3 * row, 1)), '1QE'],
    ['last business days of quarters', many(20, (row) => businessDay(Date.UTC(2000, 3 * row + 3, 0), -1)), '1QE'],
    [
      'three last business days of quarters, 91 days apart',
      [Date.UTC(2023, 5, 30), Date.UTC(2023, 8, 29), Date.UTC(2023, 11, 29)],
      '1QE',
    ],
    ['quarters that end with January', many(12, (row) => Date.UTC(2000, 3 * row + 1, 0)), '1QE'],
    ['year starts', many(10, (row) => Date.UTC(2000 + row, 0, 1)), '1YE'],
    ['first business days of years', many(10, (row) => businessDay(Date.UTC(2000 + row, 0, 2), 1)), '1YE'],
    ['fiscal years that end with June', many(10, (row) => Date.UTC(2000 + row, 5, 30)), '1YE'],
    ['fiscal years that end with February', many(10, (row) => Date.UTC(2000 + row, 2, 0)), '1YE'],
    ['first business days of months', many(40, (row) => businessDay(Date.UTC(2020, row, 1), 1)), '1MS'],
    ['last business days of months', many(40, (row) => businessDay(Date.UTC(2020, row + 1, 0), -1)), '1ME'],
    ['the 15th of months', many(40, (row) => Date.UTC(2020, row, 15)), '1MS'],
    ['some day of every month', many(40, (row) => Date.UTC(2020, row, 1 + ((row * 7) % 25))), '1MS'],
    ['days at 16:00', many(30, (row) => Date.UTC(2024, 0, 1 + row, 16)), '1D'],
    ['business days at a close in New York', closes, '1D'],
    ['hours at half past', many(30, (row) => row * HOUR_MS + 30 * MINUTE_MS), '1h'],
    [
      'hours of trading at half past',
      many(70, (row) => Math.floor(row / 7) * DAY_MS + (14 + (row % 7)) * HOUR_MS + 30 * MINUTE_MS),
      '1h',
    ],
    ['hours of a clock that is some seconds late', many(30, (row) => row * HOUR_MS + ((row * 37) % 50) * 1000), '1h'],
    ['four hours, an hour late', many(30, (row) => row * 4 * HOUR_MS + HOUR_MS), '4h'],
  ];
  for (const [name, rows, frequency] of common) assert.deepEqual(spacingOf(rows), { kind: 'periods', frequency }, name);
});

test('starts days by the local clock, while hours do not change with it', () => {
  // Midnights in Berlin across the end of March: 23:00 UTC, then 22:00.
  const offsets = many(60, (row) => (row < 30 ? HOUR_MS : 2 * HOUR_MS));
  const written = many(60, (row) => Date.UTC(2024, 2, 2 + row));
  const instants = written.map((day, row) => day - (offsets[row] as number));
  assert.deepEqual(spacingOf(instants, written), { kind: 'periods', frequency: '1D' });
  const hours = many(60, (row) => Date.UTC(2024, 9, 27) + row * HOUR_MS + 30 * MINUTE_MS);
  const back = hours.map((hour, row) => hour + (row < 1 ? 2 : 1) * HOUR_MS);
  assert.deepEqual(spacingOf(hours, back), { kind: 'periods', frequency: '1h' });
});

test('returns null when the local clock goes back while the instants advance', () => {
  const instants = many(30, (row) => Date.UTC(2024, 0, 1 + row, 12));
  const written = instants
    .with(9, (instants[9] as number) + 14 * HOUR_MS)
    .with(10, (instants[10] as number) - 14 * HOUR_MS);
  assert.equal(spacingOf(instants, written), null);
});

test('returns the step of rows that happen to have one period each for a while', () => {
  const steps: [number, string][] = [
    [10 * MINUTE_MS, '10 minutes'],
    [45 * MINUTE_MS, '45 minutes'],
    [65 * MINUTE_MS, '65 minutes'],
    [2 * HOUR_MS, '2 hours'],
    [12 * HOUR_MS, '12 hours'],
    [8 * DAY_MS, '8 days'],
    [14 * DAY_MS, '14 days'],
    [28 * DAY_MS, '28 days'],
    [30 * DAY_MS, '30 days'],
    [90_000, '90 seconds'],
  ];
  for (const [step, text] of steps) {
    const rows = many(10, (row) => Date.UTC(2024, 0, 25) + row * step);
    assert.deepEqual(spacingOf(rows), { kind: 'step', step: text });
  }
  assert.deepEqual(spacingOf(many(3, (row) => Date.UTC(2024, 0, 25 + 20 * row))), { kind: 'step', step: '20 days' });
  assert.deepEqual(spacingOf(many(8, (row) => Date.UTC(2020, 2 * row + 2, 0))), { kind: 'step', step: '2 months' });
  const halfMonths = many(20, (row) => Date.UTC(2020, Math.floor(row / 2), row % 2 ? 15 : 1));
  assert.equal(spacingOf(halfMonths), null);
  assert.equal(spacingOf([Date.UTC(2024, 0, 1), Date.UTC(2024, 0, 9), Date.UTC(2024, 2, 1)]), null);
});

test('names the row that shares a period if nearly every other row has its own', () => {
  const fridays = many(20, (row) => Date.UTC(2024, 0, 5 + 7 * row));
  const rows = [...fridays, Date.UTC(2024, 1, 7)].sort((one, other) => one - other);
  assert.deepEqual(spacingOf(rows), { kind: 'shared', frequency: '1W-MON', index: 6 });
});

test('returns floating years for years of 52 and 53 weeks, which do not always end in the same month', () => {
  const ends = ['2019-02-02', '2020-02-01', '2021-01-30', '2022-01-29', '2023-01-28', '2024-02-03'];
  assert.deepEqual(spacingOf(ends.map((day) => Date.parse(day))), { kind: 'floating', frequency: '1YE' });
});
