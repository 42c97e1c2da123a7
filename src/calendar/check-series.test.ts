import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Cadence } from './cadence.ts';
import { checkSeries, MAX_GAPS } from './check-series.ts';
import { FREQUENCIES } from './frequencies.ts';
import { futureTimestamps } from './future-timestamps.ts';
import { periodTimestamp } from './periods.ts';
import { SeriesError, type SeriesErrorCode } from './series-error.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './time-range.ts';

const days = (...dates: string[]) => dates.map((date) => Date.parse(date));
const iso = (times: Float64Array) => Array.from(times, (time) => new Date(time).toISOString().slice(0, 16));
const DAILY: Cadence = { frequency: '1D', kind: 'plain' };
const BARS: Cadence = { frequency: '1D', kind: 'exchange' };

function assertRefused(code: SeriesErrorCode, index: number | null, run: () => unknown): void {
  assert.throws(run, (error) => {
    assert.ok(error instanceof SeriesError);
    assert.deepEqual([error.code, error.index], [code, index], error.message);
    if (index !== null) assert.match(error.message, new RegExp(`Row ${index + 1}\\b`));
    return true;
  });
}

test('leaves a gap as NaN', () => {
  const { times, values } = checkSeries(DAILY, days('2024-02-27', '2024-02-28', '2024-03-01'), [1, -2, 3]);
  assert.deepEqual(iso(times), ['2024-02-27T00:00', '2024-02-28T00:00', '2024-02-29T00:00', '2024-03-01T00:00']);
  assert.deepEqual([...values], [1, -2, Number.NaN, 3]);
});

test('counts weekends and holidays as gaps of plain days but not of exchange bars, and a missing session as a gap', () => {
  // Good Friday 2024 is March 29; Wednesday the 27th is left out.
  const rows = days('2024-03-26', '2024-03-28', '2024-04-01');
  assert.deepEqual([...checkSeries(BARS, rows, [1, 2, 3]).values], [1, Number.NaN, 2, 3]);
  const plain = checkSeries(DAILY, rows, [1, 2, 3]).values;
  assert.deepEqual([...plain], [1, Number.NaN, 2, Number.NaN, Number.NaN, Number.NaN, 3]);
});

test('keeps the dates of month-ends', () => {
  const { times } = checkSeries({ frequency: '1ME', kind: 'plain' }, days('2023-12-31', '2024-03-31'), [1, 2]);
  assert.deepEqual(iso(times), ['2023-12-31T00:00', '2024-01-31T00:00', '2024-02-29T00:00', '2024-03-31T00:00']);
});

test('refuses invalid rows and names the first one', () => {
  const good = days('2024-01-02', '2024-01-03', '2024-01-04');
  const cases: [SeriesErrorCode, number | null, Cadence, number[], number[]][] = [
    ['EMPTY', null, DAILY, [], []],
    ['LENGTH_MISMATCH', null, DAILY, good, [1, 2]],
    ['DUPLICATE', 1, DAILY, days('2024-01-02', '2024-01-02', '2024-01-04'), [1, 2, 3]],
    ['UNSORTED', 2, DAILY, days('2024-01-02', '2024-01-03', '2024-01-01'), [1, 2, 3]],
    ['NON_FINITE', 1, DAILY, [good[0] ?? 0, Number.NaN, good[2] ?? 0], [1, 2, 3]],
    ['NON_FINITE', 2, DAILY, good, [1, 2, Number.POSITIVE_INFINITY]],
    ['NON_FINITE', 0, DAILY, good, [Number.NaN, 2, 3]],
    ['OUT_OF_RANGE', 1, DAILY, good, [1, -1.1e15, 3]],
    ['OUT_OF_RANGE', 0, DAILY, days('1799-12-31', '2024-01-03', '2024-01-04'), [1, 2, 3]],
    ['OUT_OF_RANGE', 2, DAILY, days('2024-01-02', '2024-01-03', '2201-01-01'), [1, 2, 3]],
    ['OUT_OF_RANGE', 2, DAILY, [...good.slice(0, 2), 1e300], [1, 2, 3]],
    ['OUT_OF_RANGE', 0, BARS, days('1989-12-29', '2024-01-03', '2024-01-04'), [1, 2, 3]],
    ['MISALIGNED', 1, DAILY, days('2024-01-02', '2024-01-03T05:00:00Z', '2024-01-04'), [1, 2, 3]],
    ['MISALIGNED', 0, { frequency: '1W-MON', kind: 'plain' }, days('2024-01-02'), [1]],
    ['MISALIGNED', 1, { frequency: '1ME', kind: 'plain' }, days('2024-01-31', '2024-02-28'), [1, 2]],
    ['MISALIGNED', 1, { frequency: '1MS', kind: 'plain' }, days('2024-01-01', '2024-01-31'), [1, 2]],
    ['MISALIGNED', 0, { frequency: '1QE', kind: 'plain' }, days('2024-01-31'), [1]],
    ['MISALIGNED', 1, BARS, days('2024-01-05', '2024-01-06'), [1, 2]],
    ['MISALIGNED', 0, BARS, days('2024-01-02T05:00:00Z'), [1]],
  ];
  for (const [code, index, cadence, times, values] of cases)
    assertRefused(code, index, () => checkSeries(cadence, times, values));
});

test('refuses seconds sent as milliseconds: they are instants of 1970 off the daily grid', () => {
  assertRefused('MISALIGNED', 0, () => checkSeries(DAILY, [1_704_153_600, 1_704_240_000], [1, 2]));
});

test('bounds the gaps and counts them before it allocates memory', () => {
  const rows = days('2024-01-01', '2024-01-05');
  assert.equal(checkSeries(DAILY, rows, [1, 2], 3).values.length, 5);
  assertRefused('TOO_MANY_GAPS', null, () => checkSeries(DAILY, rows, [1, 2], 2));
  const centuries = days('1800-01-01', '2200-12-31');
  assertRefused('TOO_MANY_GAPS', null, () => checkSeries({ frequency: '1min', kind: 'plain' }, centuries, [1, 2]));
  const edge = [0, (MAX_GAPS + 1) * MINUTE_MS];
  assert.equal(checkSeries({ frequency: '1min', kind: 'plain' }, edge, [1, 2]).values.length, MAX_GAPS + 2);
});

test('restores the full grid of a series with rows removed: same rows, NaN between, ends observed', () => {
  const cadences = fc.oneof(
    fc.record({ frequency: fc.constantFrom(...FREQUENCIES), kind: fc.constant('plain' as const) }),
    fc.constant(BARS),
    fc.record({
      frequency: fc.constantFrom('5min' as const, '1h' as const, '4h' as const),
      kind: fc.constant('exchange' as const),
      hours: fc.constantFrom('regular' as const, 'extended' as const),
    }),
  );
  const start = fc.integer({ min: Date.UTC(1991, 0, 1), max: Date.UTC(2100, 0, 1) });
  fc.assert(
    fc.property(cadences, start, fc.array(fc.boolean(), { minLength: 1, maxLength: 80 }), (cadence, instant, kept) => {
      const anchor = anchorOf(cadence, instant);
      const whole = futureTimestamps(cadence, anchor, kept.length + 1);
      const keep = [true, ...kept];
      keep[keep.length - 1] = true;
      const rows = [...whole].filter((_, index) => keep[index]);
      const { times, values } = checkSeries(cadence, rows, rows);
      assert.deepEqual([...times], [...whole]);
      assert.deepEqual(
        [...values],
        [...whole].map((time, index) => (keep[index] ? time : Number.NaN)),
      );
    }),
    { seed: 1 },
  );
});

/** Returns a timestamp of the cadence: January 3, 2024, 16:00 UTC lies within the hours of every kind. */
function anchorOf(cadence: Cadence, instant: number): number {
  if (cadence.kind === 'plain') return periodTimestamp(cadence.frequency, instant);
  const session = Date.UTC(2024, 0, 3) + (Math.floor(instant / DAY_MS) % 2) * DAY_MS;
  return cadence.frequency === '1D' ? session : session + 16 * HOUR_MS;
}
