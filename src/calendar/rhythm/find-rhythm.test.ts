import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FREQUENCIES, type Frequency } from '../frequencies.ts';
import { futureTimestamps } from '../future-timestamps.ts';
import { fixedStep, periodTimestamp } from '../periods.ts';
import { findRhythm, type Rhythm } from './find-rhythm.ts';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const rhythmOf = (instants: readonly number[], written = instants): Rhythm | null => findRhythm({ instants, written });
const many = (count: number, of: (row: number) => number) => Array.from({ length: count }, (_, row) => of(row));

const start = fc.integer({ min: Date.UTC(1801, 0, 1), max: Date.UTC(2100, 0, 1) });
const canonical = fc
  .tuple(fc.constantFrom(...FREQUENCIES), start, fc.integer({ min: 3, max: 60 }))
  .map(([frequency, instant, count]) => {
    const cadence = { frequency, kind: 'plain' } as const;
    return { frequency, rows: [...futureTimestamps(cadence, periodTimestamp(frequency, instant), count)] };
  });

test('rows on a grid have its frequency, and their periods give them the timestamps they have', () => {
  fc.assert(
    fc.property(canonical, ({ frequency, rows }) => {
      assert.deepEqual(rhythmOf(rows), { kind: 'periods', frequency });
      assert.deepEqual(
        rows.map((time) => periodTimestamp(frequency, time)),
        rows,
      );
    }),
    { numRuns: 300 },
  );
});

test('rows that stand at one place of their periods are brought back from it, with a third of them missing', () => {
  fc.assert(
    fc.property(canonical, fc.nat(), ({ frequency, rows }, place) => {
      const step = fixedStep(frequency);
      fc.pre(step !== null && rows.length > 6);
      const kept = rows.filter((_, row) => row % 3 !== 2);
      const moved = kept.map((time) => time + (place % (step ?? 1)));
      assert.deepEqual(rhythmOf(moved), { kind: 'periods', frequency });
      assert.deepEqual(
        moved.map((time) => periodTimestamp(frequency, time)),
        kept,
      );
    }),
    { numRuns: 300 },
  );
});

const isWeekend = (time: number) => [0, 6].includes(new Date(time).getUTCDay());

function businessDay(time: number, direction: 1 | -1): number {
  return isWeekend(time) ? businessDay(time + direction * DAY, direction) : time;
}

test('ordinary rhythms', () => {
  const businessDays = many(200, (row) => Date.UTC(2023, 0, 1) + row * DAY).filter((day) => !isWeekend(day));
  // New York: 20:00 UTC in summer, 21:00 in winter.
  const closes = businessDays.map((day) => day + (day < Date.UTC(2023, 2, 12) ? 21 : 20) * HOUR);
  const ordinary: [string, number[], Frequency][] = [
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
    ['hours at half past', many(30, (row) => row * HOUR + 30 * MINUTE), '1h'],
    [
      'hours of trading at half past',
      many(70, (row) => Math.floor(row / 7) * DAY + (14 + (row % 7)) * HOUR + 30 * MINUTE),
      '1h',
    ],
    ['hours of a clock that is some seconds late', many(30, (row) => row * HOUR + ((row * 37) % 50) * 1000), '1h'],
    ['four hours, an hour late', many(30, (row) => row * 4 * HOUR + HOUR), '4h'],
  ];
  for (const [name, rows, frequency] of ordinary)
    assert.deepEqual(rhythmOf(rows), { kind: 'periods', frequency }, name);
});

test('days begin when clocks say so, hours do not change with them', () => {
  // Midnights in Berlin across the end of March: 23:00 UTC, then 22:00.
  const offsets = many(60, (row) => (row < 30 ? HOUR : 2 * HOUR));
  const written = many(60, (row) => Date.UTC(2024, 2, 2 + row));
  const instants = written.map((day, row) => day - (offsets[row] as number));
  assert.deepEqual(rhythmOf(instants, written), { kind: 'periods', frequency: '1D' });
  const hours = many(60, (row) => Date.UTC(2024, 9, 27) + row * HOUR + 30 * MINUTE);
  const back = hours.map((hour, row) => hour + (row < 1 ? 2 : 1) * HOUR);
  assert.deepEqual(rhythmOf(hours, back), { kind: 'periods', frequency: '1h' });
});

test('clocks that go back where the rows go on tell nothing', () => {
  const instants = many(30, (row) => Date.UTC(2024, 0, 1 + row, 12));
  const written = instants.with(9, (instants[9] as number) + 14 * HOUR).with(10, (instants[10] as number) - 14 * HOUR);
  assert.equal(rhythmOf(instants, written), null);
});

test('what merely has a period of its own each for a while is none of them', () => {
  const steps: [number, string][] = [
    [10 * MINUTE, '10 minutes'],
    [45 * MINUTE, '45 minutes'],
    [65 * MINUTE, '65 minutes'],
    [2 * HOUR, '2 hours'],
    [12 * HOUR, '12 hours'],
    [8 * DAY, '8 days'],
    [14 * DAY, '14 days'],
    [28 * DAY, '28 days'],
    [30 * DAY, '30 days'],
    [90_000, '90 seconds'],
  ];
  for (const [step, said] of steps) {
    const rows = many(10, (row) => Date.UTC(2024, 0, 25) + row * step);
    assert.deepEqual(rhythmOf(rows), { kind: 'step', step: said });
  }
  assert.deepEqual(rhythmOf(many(3, (row) => Date.UTC(2024, 0, 25 + 20 * row))), { kind: 'step', step: '20 days' });
  assert.deepEqual(rhythmOf(many(8, (row) => Date.UTC(2020, 2 * row + 2, 0))), { kind: 'step', step: '2 months' });
  const halfMonths = many(20, (row) => Date.UTC(2020, Math.floor(row / 2), row % 2 ? 15 : 1));
  assert.equal(rhythmOf(halfMonths), null);
  assert.equal(rhythmOf([Date.UTC(2024, 0, 1), Date.UTC(2024, 0, 9), Date.UTC(2024, 2, 1)]), null);
});

test('two rows in a period, where nearly all others have one to themselves', () => {
  const fridays = many(20, (row) => Date.UTC(2024, 0, 5 + 7 * row));
  const rows = [...fridays, Date.UTC(2024, 1, 7)].sort((one, other) => one - other);
  assert.deepEqual(rhythmOf(rows), { kind: 'shared', frequency: '1W-MON', index: 6 });
});

test('years of 52 and 53 weeks end now in one month and now in another', () => {
  const ends = ['2019-02-02', '2020-02-01', '2021-01-30', '2022-01-29', '2023-01-28', '2024-02-03'];
  assert.deepEqual(rhythmOf(ends.map((day) => Date.parse(day))), { kind: 'floating', frequency: '1YE' });
});
