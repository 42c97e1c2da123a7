import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FREQUENCIES } from './frequencies.ts';
import { futureTimestamps } from './future-timestamps.ts';
import { inferFrequency } from './infer-frequency.ts';
import { periodTimestamp } from './periods.ts';
import { HOUR_MS, MINUTE_MS } from './time-range.ts';

const days = (...dates: string[]) => dates.map((date) => Date.parse(date));

test('infers the frequency of a regular series with some rows missing', () => {
  const start = fc.integer({ min: Date.UTC(1801, 0, 1), max: Date.UTC(2100, 0, 1) });
  fc.assert(
    fc.property(
      fc.constantFrom(...FREQUENCIES),
      start,
      fc.array(fc.nat({ max: 9 }), { minLength: 4, maxLength: 40 }),
      (frequency, instant, rolls) => {
        const whole = futureTimestamps(
          { frequency, kind: 'plain' },
          periodTimestamp(frequency, instant),
          3 * rolls.length,
        );
        // At most one row in three is removed, never two together: most steps stay single.
        const rows = [...whole].filter((_, index) => index % 3 !== 2 || (rolls[(index - 2) / 3] ?? 0) > 3);
        assert.equal(inferFrequency(rows), frequency);
      },
    ),
    { numRuns: 500, seed: 1 },
  );
});

test('infers days from exchange sessions despite weekends and holidays', () => {
  const rows = futureTimestamps({ frequency: '1D', kind: 'exchange' }, Date.parse('2023-12-20'), 60);
  assert.equal(inferFrequency(rows, 'exchange'), '1D');
  assert.equal(inferFrequency(rows, 'plain'), '1D', 'as plain days, with gaps');
});

test('infers the frequency of intraday bars of an exchange', () => {
  for (const frequency of ['1min', '5min', '15min', '30min', '1h', '4h'] as const) {
    const cadence = { frequency, kind: 'exchange', hours: 'regular' } as const;
    const rows = futureTimestamps(cadence, Date.parse('2024-01-03T16:00:00Z'), 500);
    assert.equal(inferFrequency(rows, 'exchange', 'regular'), frequency);
    assert.equal(inferFrequency(rows), frequency, 'as plain steps, nights are gaps');
  }
});

test('distinguishes month, quarter and year ends', () => {
  assert.equal(inferFrequency(days('2023-12-31', '2024-12-31', '2025-12-31')), '1YE');
  assert.equal(inferFrequency(days('2023-09-30', '2023-12-31', '2024-03-31')), '1QE');
  assert.equal(inferFrequency(days('2023-12-31', '2024-01-31', '2024-02-29')), '1ME');
  assert.equal(inferFrequency(days('2024-01-01', '2024-01-08', '2024-01-15')), '1W-MON');
  assert.equal(inferFrequency(days('2024-01-01', '2024-02-01', '2024-04-01')), '1MS');
});

test('refuses fewer than three rows as ambiguous', () => {
  for (const rows of [[], days('2024-01-01'), days('2024-01-01', '2024-01-02')]) {
    assert.throws(() => inferFrequency(rows), { name: 'SeriesError', code: 'AMBIGUOUS_FREQUENCY' });
  }
});

test('refuses rows without a frequency, with the reason and the remedy', () => {
  const every = (step: number, count = 30) => Array.from({ length: count }, (_, row) => row * step);
  const refused: [number[], string, RegExp][] = [
    [
      days('2024-01-05', '2024-01-12', '2024-01-19'),
      'NO_FREQUENCY',
      /^The rows are weekly, dated on Fridays\. Date 1W-MON rows by a Monday at 00:00 UTC\.$/,
    ],
    [
      days('2024-01-05T16:00Z', '2024-01-12T16:00Z', '2024-01-19T16:00Z'),
      'NO_FREQUENCY',
      /weekly, dated like 2024-01-05T16:00:00\.000Z\. Date 1W-MON/,
    ],
    [
      days('2024-01-05', '2024-01-11', '2024-01-19', '2024-01-26'),
      'NO_FREQUENCY',
      /weekly, dated on different weekdays\. Date 1W-MON/,
    ],
    [
      days('2022-01-01', '2023-01-01', '2024-01-01'),
      'NO_FREQUENCY',
      /^The rows are yearly, dated like 2022-01-01T00:00:00\.000Z\. Date 1YE rows by 31 December at 00:00 UTC\.$/,
    ],
    [
      days('2024-01-01', '2024-04-01', '2024-07-01'),
      'NO_FREQUENCY',
      /quarterly, dated like .*\. Date 1QE rows by the last day of a calendar quarter/,
    ],
    [
      days('2024-01-15', '2024-02-15', '2024-03-15'),
      'NO_FREQUENCY',
      /monthly, dated like .*\. Date 1MS rows by the first day of a month at 00:00 UTC, or 1ME rows by the last\.$/,
    ],
    [
      days('2019-02-02', '2020-02-01', '2021-01-30', '2022-01-29'),
      'NO_FREQUENCY',
      /yearly, but not always in the same month of the year\. Date 1YE rows by 31 December/,
    ],
    [
      days('2024-01-01T00:00:30Z', '2024-01-01T00:01:30Z', '2024-01-01T00:02:30Z'),
      'NO_FREQUENCY',
      /one minute apart, dated like .*:30\.000Z\. Date 1min rows by a full minute/,
    ],
    [
      every(10 * MINUTE_MS),
      'NO_FREQUENCY',
      /^The rows are 10 minutes apart, and no frequency has that step\. Resample them to one of 1min, .*, 1YE\.$/,
    ],
    [every(2 * HOUR_MS), 'NO_FREQUENCY', /^The rows are 2 hours apart/],
    [every(1), 'NO_FREQUENCY', /^The rows are 1 millisecond apart/],
    [days('2020-01-01', '2020-07-01', '2021-01-01', '2021-07-01'), 'NO_FREQUENCY', /^The rows are 6 months apart/],
    [
      days('2024-01-05', '2024-01-12', '2024-01-19', '2024-01-21', '2024-01-26'),
      'NO_FREQUENCY',
      /^The rows are weekly, but rows 3 \(2024-01-19T.*\) and 4 \(2024-01-21T.*\) are in the same week\. Send one row for each week\.$/,
    ],
    [days('2024-01-01T00:00:01Z', '2024-01-01T00:00:02Z', '2024-03-01T00:10:00Z'), 'NO_FREQUENCY', /no frequency fits/],
    [
      days('2024-01-01', '2024-01-02', '2024-01-20', '2024-02-11'),
      'IRREGULAR',
      /most rows are not one 1D period apart/,
    ],
  ];
  for (const [rows, code, message] of refused) {
    assert.throws(() => inferFrequency(rows), { name: 'SeriesError', code, message });
  }
});

test('refuses rows that are not ascending before inferring anything', () => {
  assert.throws(() => inferFrequency(days('2024-01-02', '2024-01-01', '2024-01-03')), { code: 'UNSORTED', index: 1 });
});
