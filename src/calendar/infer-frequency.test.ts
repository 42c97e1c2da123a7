import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FREQUENCIES } from './frequencies.ts';
import { futureTimestamps } from './future-timestamps.ts';
import { inferFrequency } from './infer-frequency.ts';
import { periodTimestamp } from './periods.ts';

const days = (...dates: string[]) => dates.map((date) => Date.parse(date));

test('a regular series with some rows missing has its own frequency', () => {
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
        // One in three rows at most goes, never two together: most steps stay single.
        const rows = [...whole].filter((_, index) => index % 3 !== 2 || (rolls[(index - 2) / 3] ?? 0) > 3);
        assert.equal(inferFrequency(rows), frequency);
      },
    ),
    { numRuns: 500 },
  );
});

test('exchange days: weekends and holidays do not blur them', () => {
  const rows = futureTimestamps({ frequency: '1D', kind: 'exchange' }, Date.parse('2023-12-20'), 60);
  assert.equal(inferFrequency(rows, 'exchange'), '1D');
  assert.equal(inferFrequency(rows, 'plain'), '1D', 'as plain days, with gaps');
});

test('bars of an exchange within a day', () => {
  for (const frequency of ['1min', '5min', '15min', '30min', '1h', '4h'] as const) {
    const cadence = { frequency, kind: 'exchange', hours: 'regular' } as const;
    const rows = futureTimestamps(cadence, Date.parse('2024-01-03T16:00:00Z'), 500);
    assert.equal(inferFrequency(rows, 'exchange', 'regular'), frequency);
    assert.equal(inferFrequency(rows), frequency, 'as plain steps, nights are gaps');
  }
});

test('period ends are told apart', () => {
  assert.equal(inferFrequency(days('2023-12-31', '2024-12-31', '2025-12-31')), '1YE');
  assert.equal(inferFrequency(days('2023-09-30', '2023-12-31', '2024-03-31')), '1QE');
  assert.equal(inferFrequency(days('2023-12-31', '2024-01-31', '2024-02-29')), '1ME');
  assert.equal(inferFrequency(days('2024-01-01', '2024-01-08', '2024-01-15')), '1W-MON');
  assert.equal(inferFrequency(days('2024-01-01', '2024-02-01', '2024-04-01')), '1MS');
});

test('too few rows are ambiguous', () => {
  for (const rows of [[], days('2024-01-01'), days('2024-01-01', '2024-01-02')]) {
    assert.throws(() => inferFrequency(rows), { name: 'SeriesError', code: 'AMBIGUOUS_FREQUENCY' });
  }
});

test('what has no frequency of ours is irregular, with the reason', () => {
  const irregular: [number[], RegExp][] = [
    [[0, 1, 2], /no frequency fits/],
    [days('2024-01-01T00:00:30Z', '2024-01-01T00:01:30Z', '2024-01-01T00:02:30Z'), /no frequency fits/],
    [days('2024-01-03', '2024-01-10', '2024-01-17'), /one 1D period apart/],
    [days('2022-01-01', '2023-01-01', '2024-01-01'), /one 1MS period apart/],
    [days('2024-01-01', '2024-04-01', '2024-07-01'), /period apart/],
    [days('2024-01-01', '2024-01-02', '2024-01-20', '2024-02-11'), /one 1D period apart/],
  ];
  for (const [rows, message] of irregular) {
    assert.throws(() => inferFrequency(rows), { name: 'SeriesError', code: 'IRREGULAR', message });
  }
});

test('rows that are not ascending are refused before anything is guessed', () => {
  assert.throws(() => inferFrequency(days('2024-01-02', '2024-01-01', '2024-01-03')), { code: 'UNSORTED', index: 1 });
});
