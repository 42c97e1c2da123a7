import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Cadence } from '../cadence.ts';
import { checkSeries } from '../check-series.ts';
import { barEnd } from '../completed-bars.ts';
import { daysBefore } from '../days-before.ts';
import { FREQUENCIES } from '../frequencies.ts';
import { futureTimestamps } from '../future-timestamps.ts';
import { gridOf } from '../grid.ts';
import { inferFrequency } from '../infer-frequency.ts';
import { fixedStep, periodTimestamp } from '../periods.ts';
import { DAY_MS, HOUR_MS } from '../time-range.ts';

const currency = (frequency: Cadence['frequency']): Cadence => ({ frequency, kind: 'currency' });
const at = (text: string) => Date.parse(text);
const iso = (times: ArrayLike<number>) =>
  Array.from(times, (time) => new Date(time).toISOString().slice(0, 16).replace('T00:00', ''));
const future = (frequency: Cadence['frequency'], last: string, horizon: number) =>
  iso(futureTimestamps(currency(frequency), at(last), horizon));

const SHORT = ['1min', '5min', '15min', '30min', '1h', '4h', '1D'] as const;

/** Returns whether a period overlaps the trading hours, as the time zone data of Node gives them. */
function overlapsHours(start: number, step: number): boolean {
  for (let instant = start; instant < start + step; instant += Math.min(step, HOUR_MS)) {
    const { weekday, hour } = Object.fromEntries(
      newYork.formatToParts(instant).map(({ type, value }) => [type, value]),
    );
    const isLate = Number(hour) >= 17;
    if (weekday !== 'Sat' && (weekday !== 'Sun' || isLate) && (weekday !== 'Fri' || !isLate)) return true;
  }
  return false;
}

const newYork = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  weekday: 'short',
  hour: '2-digit',
  hourCycle: 'h23',
});

test('contains the periods that overlap the trading hours, and steps over all others', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...SHORT),
      // Half of the walks contain a clock change, and all of them a weekend.
      fc.oneof(
        fc.integer({ min: at('1987-01-12'), max: at('2026-01-01') }),
        fc.constantFrom(...['1999-04-03', '1999-10-30', '2024-03-09', '2024-11-02'].map(at)),
      ),
      (frequency, instant) => {
        const step = fixedStep(frequency) as number;
        const grid = gridOf(currency(frequency));
        const friday = at('2024-01-05') + Math.floor((instant - at('2024-01-05')) / (7 * DAY_MS)) * 7 * DAY_MS;
        // Minutes are tried from Friday evening to Sunday evening only, because Intl is slow.
        const [from, to] =
          step < HOUR_MS
            ? [friday + 19 * HOUR_MS, friday + 2.25 * DAY_MS + 18 * HOUR_MS]
            : [friday, friday + 12 * DAY_MS];
        const found: number[] = [];
        for (let time = from; time < to; time += step) {
          assert.equal(grid.contains(time), overlapsHours(time, step), new Date(time).toISOString());
          if (grid.contains(time)) found.push(time);
        }
        const walked = found.slice(0, 1);
        while (walked.length < found.length) walked.push(grid.next(walked.at(-1) as number));
        assert.deepEqual(iso(walked), iso(found));
      },
    ),
    { numRuns: 40, seed: 1 },
  );
});

test('counts the steps that next() takes, across clock changes and into the years before 1987', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...SHORT),
      fc.oneof(
        fc.integer({ min: at('1800-01-10'), max: at('2199-01-01') }),
        fc.integer({ min: at('1986-12-01'), max: at('1987-01-10') }),
      ),
      fc.integer({ min: 0, max: 3_000 }),
      (frequency, instant, walk) => {
        const grid = gridOf(currency(frequency));
        const start = periodTimestamp(frequency, instant);
        fc.pre(grid.contains(start));
        let time = start;
        for (let step = 0; step < walk; step++) {
          const next = grid.next(time);
          assert.ok(next > time && grid.contains(next));
          time = next;
        }
        assert.equal(grid.steps(start, time), walk);
      },
    ),
    { numRuns: 150, seed: 1 },
  );
});

test('does not contain timestamps inside a period', () => {
  assert.equal(gridOf(currency('1h')).contains(at('2024-01-03T10:30Z')), false);
  assert.equal(gridOf(currency('1D')).contains(at('2024-01-03T10:00Z')), false);
});

test('continues on Sunday evening after Friday evening', () => {
  assert.deepEqual(future('1h', '2024-01-05T20:00Z', 3), ['2024-01-05T21:00', '2024-01-07T22:00', '2024-01-07T23:00']);
  assert.deepEqual(future('1h', '2024-07-05T20:00Z', 2), ['2024-07-07T21:00', '2024-07-07T22:00']);
  assert.deepEqual(future('1min', '2024-01-05T21:59Z', 1), ['2024-01-07T22:00']);
  assert.deepEqual(future('4h', '2024-01-05T16:00Z', 3), ['2024-01-05T20:00', '2024-01-07T20:00', '2024-01-08']);
  assert.deepEqual(future('1D', '2024-01-05', 3), ['2024-01-07', '2024-01-08', '2024-01-09']);
  // The weekend of a clock change has 47 or 49 hours.
  assert.deepEqual(future('1h', '2024-03-08T21:00Z', 1), ['2024-03-10T21:00']);
  assert.deepEqual(future('1h', '2024-11-01T20:00Z', 1), ['2024-11-03T22:00']);
});

test('continues weeks and longer periods by the calendar', () => {
  for (const frequency of FREQUENCIES) {
    const step = fixedStep(frequency);
    if (step !== null && step <= DAY_MS) continue;
    const last = periodTimestamp(frequency, at('2024-01-06'));
    const plain = futureTimestamps({ frequency, kind: 'plain' }, last, 5);
    assert.deepEqual(futureTimestamps(currency(frequency), last, 5), plain);
  }
});

test('leaves Saturdays out of days, and Sundays as well before 1987', () => {
  assert.deepEqual(future('1D', '1986-12-31', 5), [
    '1987-01-01',
    '1987-01-02',
    '1987-01-04',
    '1987-01-05',
    '1987-01-06',
  ]);
  assert.deepEqual(future('1D', '1973-01-05', 2), ['1973-01-08', '1973-01-09']);
  assert.throws(() => future('1D', '2024-01-06', 1), {
    code: 'MISALIGNED',
    message: /a day on which currencies trade/,
  });
});

test('closed hours are not gaps, and holidays are', () => {
  const hours = [at('2024-01-05T21:00Z'), at('2024-01-07T22:00Z'), at('2024-01-08T00:00Z')];
  const { times, values } = checkSeries(currency('1h'), hours, [1, 2, 3]);
  assert.deepEqual([...values], [1, 2, Number.NaN, 3]);
  assert.deepEqual(iso(times)[2], '2024-01-07T23:00');
  const days = [at('2024-12-24'), at('2024-12-26'), at('2024-12-27'), at('2024-12-29')];
  assert.deepEqual([...checkSeries(currency('1D'), days, [1, 2, 3, 4]).values], [1, Number.NaN, 2, 3, 4]);
  assert.throws(() => checkSeries(currency('1h'), [at('2024-01-06T10:00Z')], [1]), { code: 'MISALIGNED' });
});

test('refuses a horizon beyond the supported dates', () => {
  assert.throws(() => future('1D', '2200-12-30', 5), RangeError);
  assert.throws(() => future('1h', '2200-12-31T20:00Z', 10), RangeError);
});

test('infers the frequency of bars without their closed hours', () => {
  for (const frequency of SHORT) {
    const start = futureTimestamps(currency(frequency), at('2024-01-05'), 1)[0] as number;
    const rows = futureTimestamps(currency(frequency), start, frequency === '1min' ? 3_000 : 400);
    assert.equal(inferFrequency(rows, 'currency'), frequency);
  }
});

test('completes every bar at the end of its UTC period, and counts days of 24 hours', () => {
  assert.equal(barEnd(currency('1D'), at('2024-01-05')), at('2024-01-06'));
  assert.equal(barEnd(currency('4h'), at('2024-01-05T20:00Z')), at('2024-01-06'));
  assert.equal(barEnd(currency('1W-MON'), at('2024-01-01')), at('2024-01-08'));
  assert.equal(daysBefore(currency('1D'), at('2024-07-05'), 120), at('2024-03-08'));
  assert.equal(daysBefore(currency('1h'), at('2024-07-05T20:00Z'), 120), at('2024-03-07T21:00Z'));
});
