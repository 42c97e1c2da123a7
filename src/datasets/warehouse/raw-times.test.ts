import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DAY_MS, EARLIEST_INSTANT, LATEST_INSTANT } from '../../calendar/index.ts';
import { TIME_FORMATS } from '../../contract/index.ts';
import { fromRawTime, toRawBound } from './raw-times.ts';

const TWO_YEARS_MS = 2 * 366 * DAY_MS;
const at = (text: string) => Date.parse(text);

test('rounds bounds up to the unit of the column', () => {
  const cases = [
    ['date', null, '2024-02-28T00:00:00Z', at('2024-02-28')],
    ['date', null, '2024-02-28T00:00:00.001Z', at('2024-02-29')],
    ['date', null, '1899-12-31T23:00:00Z', at('1900-01-01')],
    ['datetime', null, '2024-02-28T01:02:03.004Z', at('2024-02-28T01:02:03.004Z')],
    ['timestamp', null, '2024-02-28T01:02:03.004Z', at('2024-02-28T01:02:03.004Z')],
    ['integer', 'year', '2024-01-01T00:00:00Z', 2024],
    ['integer', 'year', '2024-01-01T00:00:00.001Z', 2025],
    ['integer', 'yyyymmdd', '2024-02-28T00:00:00Z', 20240228],
    ['integer', 'yyyymmdd', '2024-02-28T12:00:00Z', 20240229],
    ['integer', 'yyyymmdd', '2023-12-31T12:00:00Z', 20240101],
    ['integer', 'epoch_s', '2024-02-28T00:00:00.001Z', at('2024-02-28T00:00:01Z') / 1000],
    ['integer', 'epoch_ms', '2024-02-28T00:00:00.001Z', at('2024-02-28T00:00:00.001Z')],
  ] as const;
  for (const [kind, format, instant, bound] of cases) {
    assert.equal(toRawBound(kind, format, at(instant)), bound, `${kind} ${format} ${instant}`);
  }
});

test('a bound selects exactly the times at an instant or later, in every format', () => {
  const instant = fc.integer({ min: EARLIEST_INSTANT + TWO_YEARS_MS, max: LATEST_INSTANT - TWO_YEARS_MS });
  fc.assert(
    fc.property(fc.constantFrom(...TIME_FORMATS), instant, fc.integer({ min: -1, max: 1 }), (format, time, step) => {
      const bound = toRawBound('integer', format, time);
      const found = fromRawTime(format, bound + step);
      // The day after the last one of a month is not the next integer.
      if (found === null) return assert.equal(format, 'yyyymmdd');
      assert.equal(found >= time, step >= 0);
    }),
    { seed: 25, numRuns: 1_000 },
  );
});

test('returns null for integers that are not times', () => {
  const invalid: [Parameters<typeof fromRawTime>[0], number][] = [
    ['yyyymmdd', 20011345],
    ['yyyymmdd', 20010229],
    ['yyyymmdd', 20010100],
    ['yyyymmdd', 0],
    ['yyyymmdd', 990101],
    ['yyyymmdd', -20010101],
    ['yyyymmdd', 17991231],
    ['yyyymmdd', 22010101],
    ['yyyymmdd', 2 ** 52],
    ['year', 1799],
    ['year', 2201],
    ['year', 99],
    ['year', 2001.5],
    ['epoch_s', 1_700_000_000_000],
    ['epoch_ms', Number.NaN],
    ['epoch_ms', Number.POSITIVE_INFINITY],
    ['epoch_ms', 2 ** 60],
    [null, 2 ** 53 - 1],
    [null, Number.NaN],
  ];
  for (const [format, raw] of invalid) assert.equal(fromRawTime(format, raw), null, `${format} ${raw}`);
});

test('rounds microseconds down, also before 1970', () => {
  assert.equal(fromRawTime(null, 1_999), 1);
  assert.equal(fromRawTime(null, -1), -1);
  assert.equal(fromRawTime('year', 1800), EARLIEST_INSTANT);
  assert.equal(fromRawTime('yyyymmdd', 22001231), Date.UTC(2200, 11, 31));
});
