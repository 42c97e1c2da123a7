import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Cadence } from './cadence.ts';
import { checkSeries, MAX_GAPS } from './check-series.ts';
import { FREQUENCIES } from './frequencies.ts';
import { futureTimestamps } from './future-timestamps.ts';
import { periodTimestamp } from './periods.ts';
import { SeriesError, type SeriesErrorCode } from './series-error.ts';

const days = (...dates: string[]) => dates.map((date) => Date.parse(date));
const iso = (times: Float64Array) => Array.from(times, (time) => new Date(time).toISOString().slice(0, 16));
const DAILY: Cadence = { frequency: '1D', kind: 'plain' };
const BARS: Cadence = { frequency: '1D', kind: 'exchange' };

function refuses(code: SeriesErrorCode, index: number | null, run: () => unknown): void {
  assert.throws(run, (error) => {
    assert.ok(error instanceof SeriesError);
    assert.deepEqual([error.code, error.index], [code, index], error.message);
    if (index !== null) assert.match(error.message, new RegExp(`Row ${index}\\b`));
    return true;
  });
}

test('a gap stays a gap', () => {
  const { times, values } = checkSeries(DAILY, days('2024-02-27', '2024-02-28', '2024-03-01'), [1, -2, 3]);
  assert.deepEqual(iso(times), ['2024-02-27T00:00', '2024-02-28T00:00', '2024-02-29T00:00', '2024-03-01T00:00']);
  assert.deepEqual([...values], [1, -2, Number.NaN, 3]);
});

test('weekends and holidays are gaps for plain days and none for exchange bars; a missing session is one', () => {
  // Good Friday 2024 is 29 March; Wednesday the 27th is left out.
  const rows = days('2024-03-26', '2024-03-28', '2024-04-01');
  assert.deepEqual([...checkSeries(BARS, rows, [1, 2, 3]).values], [1, Number.NaN, 2, 3]);
  const plain = checkSeries(DAILY, rows, [1, 2, 3]).values;
  assert.deepEqual([...plain], [1, Number.NaN, 2, Number.NaN, Number.NaN, Number.NaN, 3]);
});

test('month-ends keep their dates', () => {
  const { times } = checkSeries({ frequency: '1ME', kind: 'plain' }, days('2023-12-31', '2024-03-31'), [1, 2]);
  assert.deepEqual(iso(times), ['2023-12-31T00:00', '2024-01-31T00:00', '2024-02-29T00:00', '2024-03-31T00:00']);
});

test('what is wrong is refused with the row that is wrong', () => {
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
    refuses(code, index, () => checkSeries(cadence, times, values));
});

test('seconds taken for milliseconds are daily rows of 1970 that fit no grid', () => {
  refuses('MISALIGNED', 0, () => checkSeries(DAILY, [1_704_153_600, 1_704_240_000], [1, 2]));
});

test('gaps are bounded, and counted before memory is taken', () => {
  const rows = days('2024-01-01', '2024-01-05');
  assert.equal(checkSeries(DAILY, rows, [1, 2], 3).values.length, 5);
  refuses('TOO_MANY_GAPS', null, () => checkSeries(DAILY, rows, [1, 2], 2));
  const centuries = days('1800-01-01', '2200-12-31');
  refuses('TOO_MANY_GAPS', null, () => checkSeries({ frequency: '1min', kind: 'plain' }, centuries, [1, 2]));
  const edge = [0, (MAX_GAPS + 1) * 60_000];
  assert.equal(checkSeries({ frequency: '1min', kind: 'plain' }, edge, [1, 2]).values.length, MAX_GAPS + 2);
});

test('a series with rows knocked out comes back whole: same rows, NaN between, ends observed', () => {
  const cadence = fc.oneof(
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
    fc.property(cadence, start, fc.array(fc.boolean(), { minLength: 1, maxLength: 80 }), (rhythm, instant, kept) => {
      const anchor = anchorOf(rhythm, instant);
      const whole = futureTimestamps(rhythm, anchor, kept.length + 1);
      const keep = [true, ...kept];
      keep[keep.length - 1] = true;
      const rows = [...whole].filter((_, index) => keep[index]);
      const { times, values } = checkSeries(rhythm, rows, rows);
      assert.deepEqual([...times], [...whole]);
      assert.deepEqual(
        [...values],
        [...whole].map((time, index) => (keep[index] ? time : Number.NaN)),
      );
    }),
  );
});

/** Some timestamp of the cadence near an instant: 3 January 2024, 16:00 UTC lies in every session's hours. */
function anchorOf(cadence: Cadence, instant: number): number {
  if (cadence.kind === 'plain') return periodTimestamp(cadence.frequency, instant);
  const session = Date.UTC(2024, 0, 3) + (Math.floor(instant / 86_400_000) % 2) * 86_400_000;
  return cadence.frequency === '1D' ? session : session + 16 * 3_600_000;
}
