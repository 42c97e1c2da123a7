import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FREQUENCIES, type Frequency } from './frequencies.ts';
import { countPeriods, periodEnd, periodStart, periodTimestamp, previousPeriod } from './periods.ts';
import { DAY_MS, EARLIEST_INSTANT, LATEST_INSTANT } from './time-range.ts';

const at = (iso: string) => Date.parse(iso);
const iso = (instant: number) => new Date(instant).toISOString().replace('T00:00:00.000Z', '');

const frequency = fc.constantFrom(...FREQUENCIES);
const instant = fc.integer({ min: EARLIEST_INSTANT, max: LATEST_INSTANT });
/** Instants at which calendar code tends to fail: midnights at the turn of months, 1800 to 2200. */
const monthBoundary = fc
  .tuple(fc.integer({ min: 1801, max: 2200 }), fc.integer({ min: 0, max: 11 }), fc.integer({ min: -1, max: 1 }))
  .map(([year, month, off]) => Date.UTC(year, month, 1) + off);

test('assigns every instant to exactly one period, and periods are adjacent', () => {
  fc.assert(
    fc.property(frequency, fc.oneof(instant, monthBoundary), (name, time) => {
      const [start, end] = [periodStart(name, time), periodEnd(name, time)];
      assert.ok(start <= time && time < end, 'the period holds the instant');
      fc.pre(start > EARLIEST_INSTANT && end <= LATEST_INSTANT);
      assert.equal(periodStart(name, start), start);
      assert.equal(periodStart(name, end - 1), start);
      assert.equal(periodStart(name, end), end, 'the next period starts at the end');
      assert.equal(periodEnd(name, start - 1), start, 'the period before ends at the start');
      assert.equal(previousPeriod(name, end), start);
      assert.equal(previousPeriod(name, time), periodStart(name, start - 1));
    }),
    { numRuns: 2000, seed: 1 },
  );
});

test('counts one period for each step between two instants', () => {
  fc.assert(
    fc.property(frequency, fc.oneof(instant, monthBoundary), fc.integer({ min: 0, max: 60 }), (name, from, walk) => {
      fc.pre(from < Date.UTC(2140, 0, 1));
      let to = from;
      for (let step = 0; step < walk; step++) to = periodEnd(name, to);
      assert.equal(countPeriods(name, from, to), walk);
      assert.equal(countPeriods(name, to, from) + walk, 0);
    }),
    { seed: 1 },
  );
});

/** Returns the days of a month by the textbook rule, independent of the code under test and of Date. */
function daysInMonth(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month] ?? 0;
}

test('gives months, quarters and years their real lengths in every month from 1800 to 2200', () => {
  let start = Date.UTC(1800, 0, 1);
  let quarter = 0;
  for (let index = 0; index < 401 * 12; index++) {
    const [year, month] = [1800 + Math.floor(index / 12), index % 12];
    const end = start + daysInMonth(year, month) * DAY_MS;
    if (month % 3 === 0) quarter = start;
    for (const name of ['1MS', '1ME'] as const)
      assert.deepEqual([periodStart(name, start), periodEnd(name, start)], [start, end]);
    assert.equal(periodTimestamp('1MS', end - 1), start);
    assert.equal(periodTimestamp('1ME', start), end - DAY_MS);
    assert.equal(periodStart('1QE', end - 1), quarter);
    if (month % 3 === 2) assert.equal(periodTimestamp('1QE', quarter), end - DAY_MS);
    if (month === 11) assert.equal(periodTimestamp('1YE', start), end - DAY_MS);
    start = end;
  }
});

test('starts every week from 1800 to 2200 on a Monday', () => {
  let start = periodStart('1W-MON', Date.UTC(1800, 0, 10));
  assert.equal(iso(start), '1800-01-06');
  while (start < Date.UTC(2200, 11, 20)) {
    assert.equal(new Date(start).getUTCDay(), 1);
    assert.equal(periodEnd('1W-MON', start), start + 7 * DAY_MS);
    start = periodEnd('1W-MON', start);
  }
});

test('returns the start and end of known periods', () => {
  const known: [Frequency, string, string, string][] = [
    ['1h', '1969-12-31T23:59:59.999Z', '1969-12-31T23:00:00.000Z', '1970-01-01'],
    ['4h', '2024-03-10T07:30:00Z', '2024-03-10T04:00:00.000Z', '2024-03-10T08:00:00.000Z'],
    ['15min', '2024-03-10T07:59:59Z', '2024-03-10T07:45:00.000Z', '2024-03-10T08:00:00.000Z'],
    ['1W-MON', '2023-01-01T12:00:00Z', '2022-12-26', '2023-01-02'],
    ['1W-MON', '1969-12-31', '1969-12-29', '1970-01-05'],
    ['1MS', '2000-02-29', '2000-02-01', '2000-03-01'],
    ['1MS', '1900-02-28T23:00:00Z', '1900-02-01', '1900-03-01'],
    ['1QE', '1969-12-31', '1969-10-01', '1970-01-01'],
    ['1YE', '2023-12-31T23:59:59.999Z', '2023-01-01', '2024-01-01'],
  ];
  for (const [name, time, start, end] of known) {
    assert.deepEqual(
      [iso(periodStart(name, at(time))), iso(periodEnd(name, at(time)))],
      [start, end],
      `${name} ${time}`,
    );
  }
});

test('dates period ends by their last day and other periods by their start', () => {
  const label = (name: Frequency, time: string) => iso(periodTimestamp(name, at(time)));
  assert.equal(label('1ME', '1900-02-01'), '1900-02-28');
  assert.equal(label('1ME', '2000-02-29T12:00:00Z'), '2000-02-29');
  assert.equal(label('1QE', '2024-05-01'), '2024-06-30');
  assert.equal(label('1YE', '2024-01-01'), '2024-12-31');
  assert.equal(label('1W-MON', '2024-02-29'), '2024-02-26');
});

test('refuses instants outside 1800 to 2200', () => {
  for (const time of [EARLIEST_INSTANT - 1, LATEST_INSTANT + 1, Number.NaN, Number.POSITIVE_INFINITY, 1e300]) {
    assert.throws(() => periodStart('1D', time), /outside the years 1800 to 2200/);
    assert.throws(() => periodEnd('1MS', time), RangeError);
  }
});
