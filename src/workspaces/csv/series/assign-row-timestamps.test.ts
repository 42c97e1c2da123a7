import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FREQUENCIES, futureTimestamps, periodTimestamp } from '../../../calendar/index.ts';
import { parseTimeIn, readClockOffset } from '../cells/times.ts';
import { assignRowTimestamps, MAX_ROWS } from './assign-row-timestamps.ts';
import { allocateRows, orderByTime } from './order-rows.ts';
import type { CollectedRows } from './read-cells.ts';

/** Returns rows at these times, with the values 0, 1, … and the lines 2, 3, … */
function rowsAt(times: readonly number[], offsets: readonly number[] = []): CollectedRows {
  const rows = allocateRows(times.length);
  for (const [row, time] of times.entries()) {
    rows.times[row] = time;
    rows.offsets[row] = offsets[row] ?? 0;
    rows.values[row] = row;
    rows.lines[row] = row + 2;
  }
  return orderByTime(rows);
}

function rowsOf(...cells: string[]): CollectedRows {
  const times = cells.map((cell) => parseTimeIn(cell, 'iso') ?? assert.fail(cell));
  return rowsAt(times, cells.map(readClockOffset));
}

function dateRefused(...cells: string[]): string {
  try {
    assignRowTimestamps(rowsOf(...cells));
  } catch (error) {
    return (error as Error).message;
  }
  return 'no fault';
}

test('keeps rows that carry the timestamps of a frequency', () => {
  const start = fc.integer({ min: Date.UTC(1801, 0, 1), max: Date.UTC(2100, 0, 1) });
  fc.assert(
    fc.property(
      fc.constantFrom(...FREQUENCIES),
      start,
      fc.integer({ min: 3, max: 50 }),
      (frequency, instant, count) => {
        const cadence = { frequency, kind: 'plain' } as const;
        const rows = rowsAt([...futureTimestamps(cadence, periodTimestamp(frequency, instant), count)]);
        assert.deepEqual(assignRowTimestamps(rows), { rows, frequency, datedBy: null });
      },
    ),
    { seed: 20_240_105, numRuns: 200 },
  );
});

test('dates other rows by their periods and reports how', () => {
  const cases: [string[], string, string, string[]][] = [
    [
      ['2024-01-05', '2024-01-12', '2024-01-18', '2024-01-26'],
      '1W-MON',
      'monday_of_week',
      ['2024-01-01', '2024-01-08', '2024-01-15', '2024-01-22'],
    ],
    [
      ['2024-01-07', '2024-01-14', '2024-01-21'],
      '1W-MON',
      'monday_of_week',
      ['2024-01-01', '2024-01-08', '2024-01-15'],
    ],
    [
      ['2000-01-01', '2000-04-01', '2000-07-01'],
      '1QE',
      'last_day_of_quarter',
      ['2000-03-31', '2000-06-30', '2000-09-30'],
    ],
    [
      ['2023-06-30', '2023-09-29', '2023-12-29'],
      '1QE',
      'last_day_of_quarter',
      ['2023-06-30', '2023-09-30', '2023-12-31'],
    ],
    [['2021-01-01', '2022-01-01', '2023-01-01'], '1YE', 'last_day_of_year', ['2021-12-31', '2022-12-31', '2023-12-31']],
    [['2021-06-30', '2022-06-30', '2023-06-30'], '1YE', 'last_day_of_year', ['2021-12-31', '2022-12-31', '2023-12-31']],
    [
      ['2024-01-15', '2024-02-15', '2024-03-15'],
      '1MS',
      'first_day_of_month',
      ['2024-01-01', '2024-02-01', '2024-03-01'],
    ],
    [
      ['2024-06-03', '2024-07-01', '2024-08-01'],
      '1MS',
      'first_day_of_month',
      ['2024-06-01', '2024-07-01', '2024-08-01'],
    ],
    [
      ['2024-02-29', '2024-03-28', '2024-04-30', '2024-05-31'],
      '1ME',
      'last_day_of_month',
      ['2024-02-29', '2024-03-31', '2024-04-30', '2024-05-31'],
    ],
    [
      ['2024-01-01T16:00', '2024-01-02T16:00', '2024-01-03T16:00'],
      '1D',
      'day_as_written',
      ['2024-01-01', '2024-01-02', '2024-01-03'],
    ],
    [
      ['2024-03-30T00:00+01:00', '2024-03-31T00:00+01:00', '2024-04-01T00:00+02:00'],
      '1D',
      'day_as_written',
      ['2024-03-30', '2024-03-31', '2024-04-01'],
    ],
    [
      ['2024-01-05T23:30-05:00', '2024-01-06T23:30-05:00', '2024-01-07T23:30-05:00'],
      '1D',
      'day_as_written',
      ['2024-01-05', '2024-01-06', '2024-01-07'],
    ],
    [
      ['2024-01-01T00:00+09:00', '2024-02-01T00:00+09:00', '2024-03-01T00:00+09:00'],
      '1MS',
      'first_day_of_month',
      ['2024-01-01', '2024-02-01', '2024-03-01'],
    ],
    [
      ['2024-01-01T09:30', '2024-01-01T10:30', '2024-01-01T11:30'],
      '1h',
      'start_of_hour',
      ['2024-01-01T09:00', '2024-01-01T10:00', '2024-01-01T11:00'],
    ],
    [
      ['2024-01-01T00:00+05:30', '2024-01-01T01:00+05:30', '2024-01-01T02:00+05:30'],
      '1h',
      'start_of_hour',
      ['2023-12-31T18:00', '2023-12-31T19:00', '2023-12-31T20:00'],
    ],
  ];
  for (const [cells, frequency, datedBy, days] of cases) {
    // The file is in descending order: values and lines must follow their times.
    const dated = assignRowTimestamps(rowsOf(...cells.toReversed()));
    const expected = days.map((day) => parseTimeIn(day, 'iso'));
    assert.deepEqual([dated.frequency, dated.datedBy, [...dated.rows.times]], [frequency, datedBy, expected], cells[0]);
    assert.deepEqual([...dated.rows.values], [...cells.keys()].reverse());
    assert.deepEqual([...dated.rows.lines], [...cells.keys()].map((row) => row + 2).reverse());
  }
});

test('names both lines when two rows lie in one period', () => {
  const fridays = ['2024-01-05', '2024-01-12', '2024-01-19', '2024-01-26', '2024-02-02', '2024-02-09'];
  assert.equal(
    dateRefused(...fridays, '2024-01-16'),
    'line 8: 2024-01-16T00:00:00.000Z lies in the same week as 2024-01-19T00:00:00.000Z on line 4. The rows are weekly: keep one row for each week.',
  );
  const months = Array.from({ length: 9 }, (_, month) => `2024-0${month + 1}-01`);
  assert.match(
    dateRefused('2024-03-15', ...months),
    /^line 5: 2024-03-01T.* lies in the same month as 2024-03-15T.* on line 2\./,
  );
  const hours = Array.from({ length: 200 }, (_, row) => new Date(Date.UTC(2024, 0, 1, row, 30)).toISOString());
  assert.match(
    dateRefused(...hours, '2024-01-01T00:45Z'),
    /^line 202: .* lies in the same hour as .* on line 2\. The rows are hourly/,
  );
});

test('names both lines when they precede the rows that give the frequency', () => {
  const hours = rowsAt(
    Array.from({ length: MAX_ROWS + 2 }, (_, row) => row * 3_600_000 + 1_800_000).with(1, 1_860_000),
  );
  assert.throws(() => assignRowTimestamps(hours), {
    message:
      'line 3: 1970-01-01T00:31:00.000Z lies in the same hour as 1970-01-01T00:30:00.000Z on line 2. The rows are hourly: keep one row for each hour.',
  });
});

test('describes the spacing of rows that have no frequency', () => {
  const every = (minutes: number, count = 12) =>
    Array.from({ length: count }, (_, row) => new Date(Date.UTC(2024, 0, 1, 0, minutes * row)).toISOString());
  assert.match(
    dateRefused(...every(10)),
    /^source: The rows are 10 minutes apart, and no frequency has that step\. Resample them to one of 1min,/,
  );
  assert.match(dateRefused(...every(120)), /^source: The rows are 2 hours apart/);
  assert.match(dateRefused('2024-01-01', '2024-01-09', '2024-03-01'), /^source: The timestamps are irregular/);
  assert.match(
    dateRefused('2019-02-02', '2020-02-01', '2021-01-30', '2022-01-29'),
    /^source: The rows are yearly, but not always in the same month of the year\. Date 1YE rows by 31 December/,
  );
  assert.match(dateRefused('1800-01-01', '1800-01-08', '1800-01-15'), /^line 2: its week begins before the year 1800/);
});

test('names the one row off the grid when the rows have too many gaps to be dated by periods', () => {
  const sparse = Array.from({ length: 24 }, (_, row) => `${2000 + row}-0${row % 3 === 0 ? 4 : 1}-01`).sort();
  const months = sparse.flatMap((day) => [day, day.replace('-01-', '-02-').replace('-04-', '-05-')]);
  months[7] = '2003-05-02';
  assert.match(
    dateRefused(...months),
    /^line 9: 2003-05-02T00:00:00\.000Z is not the first day of a month at 00:00 UTC, as/,
  );
});
